//! Which engines a worker starts: where their files are, and what they are allowed.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use vezir_engine::{Confinement, Dialect, Limits, Program, Settings, dialect};
use vezir_jobs::{self as jobs, Engine, EnginePlace, Hash};

/// What a worker allows engines that its coordinator names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSettings {
    /// Which programs of this machine may be started where they lie.
    pub in_place: InPlace,
    /// Whether engines may run without a sandbox, if a run asks for that.
    pub unsandboxed: bool,
}

/// Which programs of this machine may be started where they lie.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum InPlace {
    /// None.
    #[default]
    None,
    /// Those in these folders, and below them.
    Below(Vec<PathBuf>),
    /// All: whoever names them is the one who runs this worker.
    Any,
}

/// The engines that may be started, and those of them that were looked at.
pub(crate) struct Engines {
    settings: EngineSettings,
    known: Mutex<HashMap<PathBuf, Known>>,
}

/// A file that was looked at: its hash is that of a file of this length and age.
struct Known {
    length: u64,
    changed: Option<SystemTime>,
    hash: Hash,
}

/// An engine that may be started.
#[derive(Clone, Debug)]
pub(crate) struct Ready {
    pub(crate) program: Program,
    pub(crate) dialect: Dialect,
    pub(crate) settings: Settings,
}

impl Engines {
    pub(crate) fn new(settings: EngineSettings) -> Engines {
        Engines { settings, known: Mutex::default() }
    }

    /// An engine as it is started, its file looked at; or a sentence that says why it is not.
    pub(crate) fn ready(&self, engine: &Engine) -> Result<Ready, String> {
        let path = match &engine.place {
            EnginePlace::Path(path) => self.in_place(engine, Path::new(path))?,
            EnginePlace::Artifact => {
                return Err(
                    "this worker fetches no engines; one that it may start where it lies would be right"
                        .to_owned(),
                );
            }
        };
        if engine.unsandboxed && !self.settings.unsandboxed {
            return Err("this worker starts no engine without a sandbox; `--allow-unsandboxed` there, or a \
                        run with a sandbox, would be right"
                .to_owned());
        }
        let mut program = Program::new(path).with_arguments(engine.arguments.clone());
        program.readable = engine.readable.iter().map(PathBuf::from).collect();
        Ok(Ready { program, dialect: spoken(&engine.dialect)?, settings: treated(engine) })
    }

    /// The file of an engine that is started where it lies.
    fn in_place(&self, engine: &Engine, path: &Path) -> Result<PathBuf, String> {
        let named = |error: io::Error| format!("{}: {error}", path.display());
        let file = fs::canonicalize(path).map_err(named)?;
        let allowed = match &self.settings.in_place {
            InPlace::None => false,
            InPlace::Any => true,
            InPlace::Below(folders) => folders.iter().any(|folder| file.starts_with(folder)),
        };
        if !allowed {
            return Err(format!(
                "this worker may not start {}; one of its folders (`--allow-engines`) would be right",
                path.display()
            ));
        }
        if self.hash(&file).map_err(named)? != engine.hash {
            return Err(format!(
                "{} is not the file that the run names; the same build, or a run with this one, would be right",
                path.display()
            ));
        }
        Ok(file)
    }

    /// The hash of a file, from memory where the file has not changed.
    fn hash(&self, file: &Path) -> io::Result<Hash> {
        let facts = fs::metadata(file)?;
        let (length, changed) = (facts.len(), facts.modified().ok());
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(file).filter(|it| it.length == length && it.changed == changed) {
            return Ok(known.hash);
        }
        let hash = hash_of(File::open(file)?)?;
        known.insert(file.to_owned(), Known { length, changed, hash });
        Ok(hash)
    }
}

/// The BLAKE3 hash of all that is read.
fn hash_of(mut from: impl Read) -> io::Result<Hash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(&mut from)?;
    Ok(Hash(*hasher.finalize().as_bytes()))
}

/// How an engine is spoken to.
fn spoken(dialect: &jobs::Dialect) -> Result<Dialect, String> {
    Ok(match dialect {
        jobs::Dialect::Uci => Dialect::Uci,
        jobs::Dialect::Script => Dialect::Script,
        jobs::Dialect::Profile(name) => {
            let profile = dialect::Totals::profile(name);
            Dialect::Totals(profile.ok_or_else(|| format!("there is no profile `{name}`"))?)
        }
        jobs::Dialect::Totals { init, position, perft, total } => {
            let init: Vec<&str> = init.iter().map(String::as_str).collect();
            let made = dialect::Totals::new(&init, position, perft, total);
            Dialect::Totals(made.map_err(|error| error.to_string())?)
        }
        jobs::Dialect::Template(words) => {
            let made = dialect::Template::read(words);
            Dialect::Template(made.map_err(|error| error.to_string())?.1)
        }
    })
}

/// How an engine is treated.
fn treated(engine: &Engine) -> Settings {
    let usual = Settings::default();
    let confinement = if engine.unsandboxed { Confinement::Unsandboxed } else { Confinement::Tier1 };
    let query_limit = engine.query_limit.max(Duration::from_millis(1));
    let limits = Limits { memory_bytes: engine.memory_bytes, ..usual.limits };
    Settings { limits, confinement, query_limit, ..usual }
}
