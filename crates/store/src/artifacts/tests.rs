//! What artifacts promise, in memory and in a folder.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::stream::BoxStream;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, PutMultipartOptions, PutOptions,
    PutPayload, PutResult, UploadPart,
};
use tempfile::TempDir;
use vezir_chess::Position;
use vezir_perft::{Frontier, Limits};

use super::*;

const NOW: Duration = Duration::ZERO;

fn folder() -> (TempDir, Artifacts) {
    let folder = tempfile::tempdir().expect("a folder");
    let artifacts = Artifacts::in_folder(folder.path()).expect("artifacts");
    (folder, artifacts)
}

/// Bytes that do not repeat from part to part.
fn bytes(count: usize) -> Vec<u8> {
    (0..count as u64).map(|at| (at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8).collect()
}

async fn put(artifacts: &Artifacts, bytes: &[u8]) -> Result<Hash, PutError> {
    let bytes = bytes.to_vec();
    artifacts.put(move |out| out.write_all(&bytes)).await
}

async fn get(artifacts: &Artifacts, hash: Hash) -> Result<Vec<u8>, GetError> {
    let got = artifacts.get(hash, |input| {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map(|_| bytes)
    });
    Ok(got.await?.expect("whoever reads all without damage has no errors"))
}

/// All files in a folder, whatever their names.
fn files(folder: &Folder) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn file(folder: &TempDir, hash: Hash) -> PathBuf {
    folder.path().join(path(hash).as_ref())
}

#[tokio::test]
async fn what_is_put_can_be_got() {
    let (_folder, on_disk) = folder();
    for artifacts in [Artifacts::in_memory(), on_disk] {
        for size in [0, 1, PART - 1, PART, 2 * PART + 17] {
            let bytes = bytes(size);
            let expected = name(|out| out.write_all(&bytes)).expect("a hasher takes all");
            assert!(!artifacts.has(expected).await.expect("an answer"));
            let hash = put(&artifacts, &bytes).await.expect("room");
            assert_eq!(hash, expected);
            assert!(artifacts.has(hash).await.expect("an answer"));
            assert!(get(&artifacts, hash).await.expect("an artifact") == bytes, "{size}");
        }
    }
}

#[tokio::test]
async fn names_are_blake3() {
    let empty = name(|_| Ok(())).expect("a hasher takes all");
    assert_eq!(empty.to_string(), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
}

#[tokio::test]
async fn artifacts_are_found_after_a_restart() {
    let (folder, artifacts) = folder();
    let hash = put(&artifacts, b"kept").await.expect("room");
    drop(artifacts);
    let again = Artifacts::in_folder(folder.path()).expect("artifacts");
    assert_eq!(get(&again, hash).await.expect("an artifact"), b"kept");
}

#[tokio::test]
async fn whoever_only_looks_makes_nothing() {
    let (folder, artifacts) = folder();
    let hash = put(&artifacts, b"kept").await.expect("room");
    let missing = folder.path().join("elsewhere");
    assert!(Artifacts::if_in_folder(&missing).expect("an answer").is_none() && !missing.exists());
    let seen = Artifacts::if_in_folder(folder.path()).expect("an answer").expect("a folder");
    seen.check(hash).await.expect("it is sound");
    std::fs::write(file(&folder, hash), b"kelp").expect("a file");
    assert!(matches!(seen.check(hash).await, Err(GetError::Damaged { .. })));
    std::fs::remove_file(file(&folder, hash)).expect("a file");
    assert!(matches!(seen.check(hash).await, Err(GetError::Missing { .. })));
}

#[tokio::test]
async fn a_frontier_goes_through() {
    let (_folder, artifacts) = folder();
    let grow = || Frontier::grow(&Position::startpos(), 4, Limits::PLANNED, &AtomicBool::new(false));
    let frontier = grow().expect("small enough");
    let hash = artifacts.put(move |out| frontier.write(out)).await.expect("room");
    let read = artifacts.get(hash, |input| Frontier::read(input, Limits::PLANNED)).await;
    let read = read.expect("an artifact").expect("a frontier");
    assert_eq!((read.len(), read.paths()), (72_078, 197_281));
    let again = grow().expect("small enough");
    assert_eq!(name(|out| again.write(out)).expect("a hasher takes all"), hash);
}

#[tokio::test]
async fn nothing_is_seen_before_all_is_there() {
    let (folder, artifacts) = folder();
    let bytes = bytes(3 * PART);
    let hash = name(|out| out.write_all(&bytes)).expect("a hasher takes all");
    let watched = artifacts.clone();
    let put = artifacts.put(move |out| {
        out.write_all(&bytes)?;
        let seen = Handle::current().block_on(watched.has(hash)).map_err(io::Error::other)?;
        if seen { Err(io::Error::other("seen too early")) } else { Ok(()) }
    });
    assert_eq!(put.await.expect("room"), hash);
    assert_eq!(files(folder.path()), [file(&folder, hash)]);
}

#[tokio::test]
async fn whoever_fails_to_write_leaves_nothing() {
    let (folder, artifacts) = folder();
    let failed = artifacts.put(|out| {
        out.write_all(&bytes(2 * PART))?;
        Err(io::Error::other("the other side hung up"))
    });
    let error = failed.await.expect_err("a failure").to_string();
    assert_eq!(error, "the artifact could not be written to its end: the other side hung up");
    assert_eq!(files(folder.path()), [] as [PathBuf; 0]);
}

#[tokio::test]
async fn the_limit_holds_whatever_the_writer_makes_of_it() {
    let (folder, mut artifacts) = folder();
    artifacts.most = 10;
    assert!(put(&artifacts, &[0; 10]).await.is_ok());
    let error = put(&artifacts, &[0; 11]).await.expect_err("a refusal");
    assert_eq!(error.to_string(), "the artifact is too large; at most 10 bytes would be right");
    let deaf = artifacts.put(|out| {
        out.write_all(&[0; 10])?;
        let _ = out.write_all(&[0]);
        Ok(())
    });
    assert!(matches!(deaf.await, Err(PutError::TooLarge { most: 10 })));
    assert_eq!(files(folder.path()).len(), 1);
}

#[tokio::test]
async fn an_artifact_that_is_not_there_is_missing() {
    let (folder, on_disk) = folder();
    let hash = Hash([7; 32]);
    for artifacts in [Artifacts::in_memory(), on_disk] {
        assert!(matches!(get(&artifacts, hash).await, Err(GetError::Missing { .. })));
    }
    assert_eq!(files(folder.path()), [] as [PathBuf; 0]);
}

#[tokio::test]
async fn damage_is_told_and_healed() {
    let (folder, artifacts) = folder();
    let good = bytes(PART + 100);
    let hash = put(&artifacts, &good).await.expect("room");
    let flipped = [&good[..PART], &[!good[PART]], &good[PART + 1..]].concat();
    for bad in [&flipped[..], &good[..PART], &[&good[..], &[0]].concat(), &[]] {
        std::fs::write(file(&folder, hash), bad).expect("room");
        let seen = artifacts.get(hash, |input| {
            let end = io::copy(input, &mut io::sink());
            assert!(end.is_err(), "the reader came to the end of {} damaged bytes", bad_length(&end));
        });
        assert!(matches!(seen.await, Err(GetError::Damaged { hash: of, .. }) if of == hash));
    }
    put(&artifacts, &good).await.expect("room");
    assert!(get(&artifacts, hash).await.expect("an artifact") == good);
}

fn bad_length(end: &io::Result<u64>) -> u64 {
    *end.as_ref().unwrap_or(&0)
}

#[tokio::test]
async fn damage_that_nobody_read_is_told_too() {
    let (folder, artifacts) = folder();
    let hash = put(&artifacts, b"what it was").await.expect("room");
    assert_eq!(artifacts.get(hash, |_| 7).await.expect("an artifact"), 7);
    std::fs::write(file(&folder, hash), b"what it is ").expect("room");
    assert!(matches!(artifacts.get(hash, |_| ()).await, Err(GetError::Damaged { .. })));
}

#[tokio::test]
async fn what_nobody_wants_is_removed_when_it_is_old() {
    let (folder, on_disk) = folder();
    std::fs::create_dir(folder.path().join("00")).expect("a folder");
    std::fs::write(folder.path().join("00/notes"), "not an artifact").expect("room");
    for artifacts in [Artifacts::in_memory(), on_disk] {
        let wanted = put(&artifacts, b"wanted").await.expect("room");
        let unused = put(&artifacts, b"unused").await.expect("room");
        let keep = |hash: &Hash| *hash == wanted;
        let none = artifacts.remove_unused(Duration::from_secs(60), keep).await.expect("done");
        assert_eq!(none, Removed::default());
        let one = artifacts.remove_unused(NOW, keep).await.expect("done");
        assert_eq!(one, Removed { artifacts: 1, bytes: 6 });
        assert!(artifacts.has(wanted).await.expect("an answer"));
        assert!(!artifacts.has(unused).await.expect("an answer"));
    }
    assert!(folder.path().join("00/notes").exists());
}

#[tokio::test]
async fn what_is_put_again_is_young_again() {
    let (folder, artifacts) = folder();
    let hash = put(&artifacts, b"twice").await.expect("room");
    let long_ago = SystemTime::now() - 2 * STALE;
    let kept = std::fs::File::options().write(true).open(file(&folder, hash)).expect("an artifact");
    kept.set_modified(long_ago).expect("a time");
    put(&artifacts, b"twice").await.expect("room");
    assert_eq!(artifacts.remove_unused(STALE, |_| false).await.expect("done"), Removed::default());
}

#[tokio::test]
async fn many_may_put_the_same_at_once() {
    let (folder, artifacts) = folder();
    let bytes = bytes(PART + 1);
    let puts = futures::future::join_all((0..4).map(|_| put(&artifacts, &bytes))).await;
    let hash = name(|out| out.write_all(&bytes)).expect("a hasher takes all");
    assert!(puts.into_iter().all(|put| put.expect("room") == hash));
    assert_eq!(files(folder.path()), [file(&folder, hash)]);
}

#[test]
fn what_was_left_half_written_long_ago_is_swept_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let staging = folder.path().join(STAGING);
    std::fs::create_dir(&staging).expect("a folder");
    let [old, young] = ["old#1", "young#1"].map(|name| staging.join(name));
    for path in [&old, &young] {
        std::fs::write(path, "half").expect("room");
    }
    let left = std::fs::File::options().write(true).open(&old).expect("a file");
    left.set_modified(SystemTime::now() - 2 * STALE).expect("a time");
    Artifacts::in_folder(folder.path()).expect("artifacts");
    assert_eq!(files(folder.path()), [young]);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside_a_file = folder.path().join("file/artifacts");
    std::fs::write(folder.path().join("file"), "").expect("room");
    let error = Artifacts::in_folder(&inside_a_file).expect_err("a refusal").to_string();
    let place = inside_a_file.display();
    assert!(error.starts_with(&format!("the artifacts in {place} cannot be reached: ")), "{error}");
}

/// A folder on a disk that is full after the first part, or at the end.
#[derive(Debug)]
struct Cramped {
    folder: LocalFileSystem,
    parts: usize,
}

#[derive(Debug)]
struct CrampedUpload {
    upload: Box<dyn MultipartUpload>,
    parts: usize,
}

fn full() -> object_store::Error {
    let source = io::Error::from(io::ErrorKind::StorageFull);
    object_store::Error::Generic { store: "Cramped", source: Box::new(source) }
}

#[async_trait::async_trait]
impl MultipartUpload for CrampedUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        if self.parts == 0 {
            return Box::pin(async { Err(full()) });
        }
        self.parts -= 1;
        self.upload.put_part(data)
    }

    async fn complete(&mut self) -> object_store::Result<PutResult> {
        Err(full())
    }

    async fn abort(&mut self) -> object_store::Result<()> {
        self.upload.abort().await
    }
}

impl fmt::Display for Cramped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cramped")
    }
}

#[async_trait::async_trait]
impl ObjectStore for Cramped {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> object_store::Result<PutResult> {
        self.folder.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        let upload = self.folder.put_multipart_opts(location, options).await?;
        Ok(Box::new(CrampedUpload { upload, parts: self.parts }))
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> object_store::Result<GetResult> {
        self.folder.get_opts(location, options).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, object_store::Result<Path>>,
    ) -> BoxStream<'static, object_store::Result<Path>> {
        self.folder.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        self.folder.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> object_store::Result<ListResult> {
        self.folder.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> object_store::Result<()> {
        self.folder.copy_opts(from, to, options).await
    }
}

#[tokio::test]
async fn a_full_disk_is_told_and_nothing_is_left() {
    let (folder, _) = folder();
    for parts in [0, 1, 9] {
        let storage = LocalFileSystem::new_with_prefix(folder.path()).expect("a folder");
        let storage = Arc::new(Cramped { folder: storage, parts });
        let artifacts = Artifacts { storage, place: "/data".into(), most: MAX_BYTES };
        let error = put(&artifacts, &bytes(5 * PART)).await.expect_err("no room").to_string();
        let told = "no room is left for an artifact in /data; a disk with more room would be right";
        assert_eq!(error, told, "{parts} parts");
        assert_eq!(files(folder.path()), [] as [PathBuf; 0], "{parts} parts");
    }
}

#[tokio::test]
async fn a_full_disk_ends_the_writing_early() {
    let (folder, _) = folder();
    let storage = LocalFileSystem::new_with_prefix(folder.path()).expect("a folder");
    let storage = Arc::new(Cramped { folder: storage, parts: 0 });
    let artifacts = Artifacts { storage, place: "/data".into(), most: MAX_BYTES };
    let to_the_end = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&to_the_end);
    let put = artifacts.put(move |out| {
        for _ in 0..20 {
            out.write_all(&[0; PART])?;
        }
        seen.store(true, Ordering::Relaxed);
        Ok(())
    });
    assert!(matches!(put.await, Err(PutError::Full { .. })));
    assert!(!to_the_end.load(Ordering::Relaxed));
}
