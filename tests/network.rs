//! Clusters of real processes behind a bad network: cut off, slow, losing what is sent, without answers, with calls
//! that come twice. The totals are exact, and everybody goes on when it is over.
//!
//! `VEZIR_ROUNDS=<n>` plays `n` rounds of each, and `SEED=<number>` throws the same dice again.

#[path = "network/cable.rs"]
mod cable;
#[path = "network/calls.rs"]
mod calls;
#[path = "network/dice.rs"]
mod dice;
#[path = "network/lane.rs"]
mod lane;
#[path = "network/lossy.rs"]
mod lossy;
#[path = "network/mischief.rs"]
mod mischief;
#[path = "network/partitions.rs"]
mod partitions;
#[path = "network/relay.rs"]
mod relay;
#[path = "network/round.rs"]
mod round;
#[path = "network/slow.rs"]
mod slow;
#[path = "network/weather.rs"]
mod weather;
