//! Real processes: the toy engine in every dialect and with every bad manner, and engines of Debian.

mod alone;
#[path = "engine/answers.rs"]
mod answers;
#[path = "engine/built.rs"]
mod built;
#[path = "engine/debian.rs"]
mod debian;
#[path = "engine/ending.rs"]
mod ending;
#[path = "engine/field.rs"]
mod field;
#[path = "engine/manners.rs"]
mod manners;
#[path = "engine/reading.rs"]
mod reading;
