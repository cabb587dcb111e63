//! Generates the wire's types and services from `proto/`, without a protobuf compiler on the machine.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use prost::Message;

const ROOT: &str = "../../proto";

const FILES: [&str; 7] = [
    "vezir/types/v1/count.proto",
    "vezir/types/v1/ids.proto",
    "vezir/types/v1/perft.proto",
    "vezir/types/v1/verify.proto",
    "vezir/runs/v1/runs.proto",
    "vezir/workers/v1/fleet.proto",
    "vezir/workers/v1/workers.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={ROOT}");
    let files = protox::compile(FILES, [ROOT])?;
    // The services describe themselves by this: the generator below does not write it.
    let set = PathBuf::from(env::var("OUT_DIR")?).join("descriptors.bin");
    fs::write(set, files.encode_to_vec())?;
    tonic_prost_build::configure().compile_fds(files)?;
    Ok(())
}
