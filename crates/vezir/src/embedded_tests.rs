//! Runs through a whole cluster in this process.
