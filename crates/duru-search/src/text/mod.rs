//! Korean and English text: what it is made of, and what else it may be called.

mod hangul;
mod lexicon;
mod need;
mod normal;
mod numbers;
mod pack;
mod phrases;
mod references;
mod spacing;
mod stem;
mod stop;
mod stop_words;
mod terms;
mod thesaurus;
mod words;

pub use lexicon::Lexicon;
pub use need::{Need, needs};
pub use normal::{holds, normalise, squeezed};
pub use references::{ArticleReference, article_references};
pub use terms::{Term, TermKind, bigrams, terms};
pub use thesaurus::{Error as ThesaurusError, Expansion, Thesaurus};

pub(crate) use hangul::is_korean;
pub(crate) use pack::STATUTES;
pub(crate) use references::article_number;
pub(crate) use spacing::spaced;
pub(crate) use stem::without_particle;
pub(crate) use stop::{firmness, is_verb, vague};
pub(crate) use words::content_words;
