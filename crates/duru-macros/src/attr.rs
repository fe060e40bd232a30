//! The attributes of a field: `#[merge(…)]` and `#[state(…)]`.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Error, Expr, ExprPath, Meta, Result, Token, Type};

use crate::merge::Kind;
use crate::words::unknown;

const WORDS: &[&str] =
    &["append", "messages", "sum", "min", "max", "overwrite", "ephemeral", "untracked", "with = function"];

/// What a field's attributes say.
pub(crate) struct Attrs {
    pub(crate) kind: Kind,
    pub(crate) default: Option<Expr>,
}

impl Attrs {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut merge = Parts::default();
        let mut default = None;
        let mut errors = Errors::default();
        for attribute in attributes {
            let parsed = if attribute.path().is_ident("merge") {
                merge.read(attribute)
            } else if attribute.path().is_ident("state") {
                read_state(attribute, &mut default)
            } else {
                continue;
            };
            errors.push(parsed);
        }
        let kind = merge.kind();
        errors.finish()?;
        Ok(Self { kind: kind?, default })
    }
}

/// The parts of a merge attribute, before they are known to fit together.
#[derive(Default)]
struct Parts {
    seen: bool,
    word: Option<Kind>,
    with: Option<ExprPath>,
    update: Option<Type>,
}

impl Parts {
    fn read(&mut self, attribute: &Attribute) -> Result<()> {
        if self.seen {
            return Err(Error::new_spanned(attribute, "a field has one `#[merge(…)]` at most"));
        }
        self.seen = true;
        if !matches!(&attribute.meta, Meta::List(list) if !list.tokens.is_empty()) {
            let text = format!("`#[merge(…)]` needs a way to merge: {}", WORDS.join(", "));
            return Err(Error::new_spanned(attribute, text));
        }
        attribute.parse_nested_meta(|meta| self.part(&meta))
    }

    fn part(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        if name == "update" {
            let update = meta.value()?.parse()?;
            if self.update.replace(update).is_some() {
                return Err(meta.error("`update` is given twice"));
            }
            return Ok(());
        }
        if self.word.is_some() || self.with.is_some() {
            return Err(meta.error("a field merges in one way only"));
        }
        if name == "with" {
            if !meta.input.peek(Token![=]) {
                return Err(meta.error("`with` needs a function: `with = path::to::function`"));
            }
            self.with = Some(meta.value()?.parse()?);
            return Ok(());
        }
        self.word = Some(match name.as_str() {
            "append" => Kind::Append,
            "messages" => Kind::Messages,
            "sum" => Kind::Sum,
            "min" => Kind::Min,
            "max" => Kind::Max,
            "overwrite" => Kind::Overwrite,
            "ephemeral" => Kind::Ephemeral,
            "untracked" => Kind::Untracked,
            _ => {
                let text = unknown("way to merge", path_text(&meta.path), WORDS);
                return Err(meta.error(format!("{text}; a field without `#[merge]` keeps the last value")));
            }
        });
        Ok(())
    }

    fn kind(self) -> Result<Kind> {
        match (self.word, self.with, self.update) {
            (Some(word), None, None) => Ok(word),
            (None, Some(path), update) => Ok(Kind::With { path, update: update.map(Box::new) }),
            (_, _, Some(update)) => {
                Err(Error::new_spanned(update, "`update = Type` goes with `with = function` only"))
            }
            (_, _, None) => Ok(Kind::Last),
        }
    }
}

fn read_state(attribute: &Attribute, default: &mut Option<Expr>) -> Result<()> {
    if !matches!(&attribute.meta, Meta::List(list) if !list.tokens.is_empty()) {
        return Err(Error::new_spanned(attribute, "`#[state(…)]` needs `default = value`"));
    }
    attribute.parse_nested_meta(|meta| {
        if !meta.path.is_ident("default") {
            return Err(meta.error(unknown("setting", path_text(&meta.path), &["default"])));
        }
        if default.replace(meta.value()?.parse()?).is_some() {
            return Err(meta.error("`default` is given twice"));
        }
        Ok(())
    })
}

fn path_text(path: &syn::Path) -> String {
    path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("::")
}

/// Several errors at once: one build shows everything that is wrong.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    /// The value of a result, or none and its error kept.
    pub(crate) fn push<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                match &mut self.0 {
                    Some(all) => all.combine(error),
                    None => self.0 = Some(error),
                }
                None
            }
        }
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
