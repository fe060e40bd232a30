//! Time as people say it, in the asker's time zone.

mod days;
mod lengths;
mod periods;
mod read;

pub(super) use lengths::{length, seconds};
pub(super) use periods::earlier;
pub(super) use read::{Before, Said, read, rolled_out};
