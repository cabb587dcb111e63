//! `vezir verify`: examines somebody else's move generator and tells where it goes wrong.

mod subject;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use vezir_jobs::{Dialect, Engine, EnginePlace, Hash, VerifyRequest};

use crate::args::{DialectArgs, KnownDialect, MeansArgs, VerifyArgs};
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::junit;
use crate::progress::Progress;
use crate::verdict::Verdict;

/// Where programs are looked for that are named without a folder, after `PATH`.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Examines, prints what was found and exits with no where anything is wrong.
pub(crate) async fn run(args: VerifyArgs) -> Result<Exit, Failure> {
    let subject = subject::of(&args.subject)?;
    let request = VerifyRequest { engine: engine(&args)?, subject, all: args.all, shrink: args.shrink };
    let (name, about) = (request.engine.name.clone(), request.subject.to_string());
    let means = MeansArgs { hash: Some(0), threads: args.threads, isa: None, seed: None };
    let mut desk = match Desk::elsewhere(&args.dial).await? {
        Some(desk) => desk,
        None => Desk::lasting(&means, &args.store).await?,
    };
    let mut progress = Progress::new();
    let examined = desk.examine(request, |part| progress.update(part)).await;
    drop(progress);
    desk.close().await;
    let (survey, time) = examined?;
    let verdict = Verdict { engine: name, about, survey, time, all: args.all };
    if let Some(path) = &args.junit {
        junit::write(path, &verdict)?;
    }
    verdict.tell(args.json)
}

/// The engine that the command line names.
fn engine(args: &VerifyArgs) -> Result<Engine, Failure> {
    let path = found(&args.engine)?;
    let hash = hash(&path).map_err(|error| bad(&path, &error))?;
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let readable = args.care.readable.iter().map(|path| whole(path)).collect::<Result<_, _>>()?;
    Ok(Engine {
        name: args.care.name.clone().unwrap_or(file),
        hash,
        place: EnginePlace::Path(text(&path)?),
        arguments: args.arguments.clone(),
        dialect: dialect(&args.dialect),
        readable,
        unsandboxed: args.care.unsandboxed,
        query_limit: args.care.query_limit,
        memory_bytes: args.care.memory,
    })
}

/// The file of a program, links followed: at its path, or by its name in `PATH`.
fn found(engine: &Path) -> Result<PathBuf, Failure> {
    let is_name = engine.components().count() == 1 && !engine.exists();
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&folders).chain(GAMES.map(PathBuf::from)).collect();
    let named = folders.iter().map(|folder| folder.join(engine)).find(|path| is_name && path.is_file());
    let path = named.unwrap_or_else(|| engine.to_owned());
    let file = fs::canonicalize(&path).map_err(|error| bad(&path, &error))?;
    if file.is_dir() {
        let sentence = format!("{}: it is a folder; the path of a program would be right", path.display());
        return Err(Failure::new(Exit::BadInput, sentence));
    }
    Ok(file)
}

fn whole(path: &Path) -> Result<String, Failure> {
    text(&fs::canonicalize(path).map_err(|error| bad(path, &error))?)
}

fn text(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let sentence = format!("{}: the path is not UTF-8; one that is would be right", path.display());
        Failure::new(Exit::BadInput, sentence)
    })
}

fn bad(path: &Path, error: &io::Error) -> Failure {
    let sentence = format!("{}: {error}; the path of a program would be right", path.display());
    Failure::new(Exit::BadInput, sentence)
}

fn hash(path: &Path) -> io::Result<Hash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(Hash(*hasher.finalize().as_bytes()))
}

fn dialect(args: &DialectArgs) -> Dialect {
    if let Some(words) = &args.template {
        // The first word is the program; it is the engine itself.
        return Dialect::Template(format!("program {words}"));
    }
    if let (Some(position), Some(perft), Some(total)) =
        (&args.position_command, &args.perft_command, &args.total_regex)
    {
        let [position, perft, total] = [position, perft, total].map(Clone::clone);
        return Dialect::Totals { init: args.init_command.clone(), position, perft, total };
    }
    match args.dialect.unwrap_or(KnownDialect::Uci) {
        KnownDialect::Uci => Dialect::Uci,
        KnownDialect::Perftree => Dialect::Script,
        KnownDialect::EtherealChess => Dialect::Profile("ethereal-chess".to_owned()),
        KnownDialect::Sjeng => Dialect::Profile("sjeng".to_owned()),
    }
}
