//! Korean and English text: what it is made of, and what else it may be called.

mod hangul;
mod lexicon;
mod normal;
mod numbers;
mod references;
mod stem;
mod stop;
mod terms;
mod thesaurus;
mod words;

pub use lexicon::Lexicon;
pub use normal::normalise;
pub use references::{ArticleReference, article_references};
pub use stop::{Need, needs};
pub use terms::{Term, TermKind, bigrams, terms};
pub use thesaurus::{Error as ThesaurusError, Expansion, Thesaurus};

pub(crate) use normal::squeezed;
pub(crate) use references::article_number;
pub(crate) use stop::{firmness, is_verb, vague};
pub(crate) use words::content_words;
