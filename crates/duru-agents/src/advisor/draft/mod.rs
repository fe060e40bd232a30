//! A draft of a lease: a form that the person confirms or edits, and the
//! document made from it.
//!
//! Pure: [`LeaseForm::read`] takes from a text what it says, [`LeaseForm::missing`]
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
mod docx;
mod form;
mod read;
mod tool;

pub use blocks::preview;
pub use check::{Field, Flaw};
pub use docx::{Error, docx};
pub use form::{LeaseForm, LeaseKind, Party};
pub use tool::LeaseDraft;
