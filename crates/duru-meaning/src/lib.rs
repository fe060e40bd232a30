//! What a sentence means, as a vector: sentences that say the same in other words, or in the other language, lie close.
//!
//! The weights are those of a published multilingual sentence encoder, cut down to Korean and English (`data/README.md`).
//! They are part of the program, so that there is nothing to download and no server to ask.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod attention;
mod composer;
mod encoder;
mod layers;
mod pieces;
mod weights;

pub use composer::{Composed, Composer, Composition, KINDS, NamingWord, Stretch, Term};
pub use encoder::{EARLIER, Encoder, LENGTH, MODEL, nearness};
pub use weights::Error;
