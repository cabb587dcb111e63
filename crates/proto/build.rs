//! Generates the wire's types and services from `proto/`, without a protobuf compiler on the machine.

use std::error::Error;

const ROOT: &str = "../../proto";

const FILES: [&str; 4] = [
    "vezir/types/v1/count.proto",
    "vezir/types/v1/perft.proto",
    "vezir/runs/v1/runs.proto",
    "vezir/workers/v1/workers.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={ROOT}");
    let files = protox::compile(FILES, [ROOT])?;
    tonic_prost_build::configure().compile_fds(files)?;
    Ok(())
}
