//! What several test programs share: where the house stands, the executable, services, oracles and seeded games.
//!
//! **Owns** the path of the tree, the freshly built executable, the conversation with python-chess, and random
//! games that a printed seed brings back.
//!
//! **Never** is linked by anything that is shipped: one of its oracles has a licence that forbids it.
//!
//! **Start reading at** [`house`].

pub mod cluster;
pub mod counting;
pub mod dashboard;
pub mod executable;
pub mod games;
pub mod house;
pub mod python;
pub mod scraper;
pub mod serving;
