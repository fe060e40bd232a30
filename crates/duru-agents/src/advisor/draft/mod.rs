//! A draft of a lease: a form that the person confirms or edits, and the
//! document made from it.
//!
//! Pure but for the [`Shelf`] that documents are kept on: [`LeaseForm::read`] takes from a text what it says, [`LeaseForm::missing`]
//! and [`LeaseForm::flaws`] tell what is still to do, [`preview`] and [`docx`]
//! make the document. What nobody has said stays a blank; nothing is made up.
//!
//! ```
//! use duru_agents::advisor::draft::{LeaseForm, docx, preview};
//!
//! let form = LeaseForm::read("마포구 연남동 집, 보증금 3억 전세 계약서 만들어 줘");
//! assert_eq!(form.deposit, Some(300_000_000));
//! assert!(form.missing().iter().any(|field| field.name().0 == "임차인 이름"));
//! assert!(preview(&form).contains("금 300,000,000원"));
//! assert!(docx(&form)?.starts_with(b"PK"));
//! # Ok::<_, duru_agents::advisor::draft::Error>(())
//! ```

mod blocks;
mod check;
mod dates;
mod docx;
mod fields;
mod form;
mod read;
mod shelf;
mod tool;

pub(super) use blocks::lines;
pub use blocks::preview;
pub use check::{Field, Flaw};
pub use docx::{Error, docx};
pub use fields::{Choosable, FormField, FormFlaw, Input};
pub use form::{LeaseForm, LeaseKind, Party};
pub(super) use read::{edits, finishes};
pub use shelf::{Document, Shelf};
pub use tool::LeaseDraft;

/// Where a server gives documents out, each under its id.
pub const ADDRESS: &str = "/drafts";
