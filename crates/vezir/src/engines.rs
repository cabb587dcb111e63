//! Which engines the worker of this process may start.

use vezir_worker::{EngineSettings, InPlace};

use crate::args::EnginesArgs;
use crate::exit::{Exit, Failure};

impl EnginesArgs {
    /// What the command line allows.
    pub(crate) fn settings(&self) -> Result<EngineSettings, Failure> {
        let whole = |folder: &std::path::PathBuf| {
            folder.canonicalize().map_err(|error| {
                let sentence = format!(
                    "--allow-engines {}: {error}; a folder that is there would be right",
                    folder.display()
                );
                Failure::new(Exit::Usage, sentence)
            })
        };
        let folders = self.allow_engines.iter().map(whole).collect::<Result<Vec<_>, _>>()?;
        let in_place = if folders.is_empty() { InPlace::None } else { InPlace::Below(folders) };
        Ok(EngineSettings { in_place, unsandboxed: self.allow_unsandboxed })
    }
}
