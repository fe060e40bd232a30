//! The ways a field can merge, and what each means for the generated types.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ExprPath, GenericArgument, PathArguments, Type};

/// How a field merges, as its attribute says.
pub(crate) enum Kind {
    Last,
    Overwrite,
    Ephemeral,
    Untracked,
    Append,
    Messages,
    Sum,
    Min,
    Max,
    With { path: ExprPath, update: Option<Box<Type>> },
}

/// How an update holds what it writes to a field of type `T`.
pub(crate) enum Written<'a> {
    /// `Option<T>`; replaces the value.
    Value,
    /// `Option<T>`, merged; a mark in `overwrites` says that it replaces.
    Merged,
    /// The collection itself, empty when untouched.
    Items,
    /// `Vec<Message>`, empty when untouched.
    Messages,
    /// `Option<U>`; a replacing value has a hidden field of its own.
    Other(&'a Type),
}

impl Kind {
    /// The variant of `duru::Merge`.
    pub(crate) fn merge(&self, ty: &Type) -> TokenStream {
        match self {
            Self::Last => quote!(Last),
            Self::Overwrite => quote!(Overwrite),
            Self::Ephemeral => quote!(Ephemeral),
            Self::Untracked => quote!(Untracked),
            Self::Append if is_list(ty) => quote!(Append),
            Self::Messages => quote!(Messages),
            Self::Append | Self::Sum | Self::Min | Self::Max | Self::With { .. } => quote!(Computed),
        }
    }

    pub(crate) fn written(&self, ty: &Type) -> Written<'_> {
        match self {
            Self::Last | Self::Overwrite | Self::Ephemeral | Self::Untracked => Written::Value,
            Self::Append => Written::Items,
            Self::Messages => Written::Messages,
            Self::Sum | Self::Min | Self::Max => Written::Merged,
            Self::With { update: Some(update), .. } if !same(update, ty) => Written::Other(update),
            Self::With { .. } => Written::Merged,
        }
    }

    /// Whether `None` in a field of an `Option` type is "no value yet", so that
    /// the merge works on what is inside.
    pub(crate) fn looks_inside(&self, ty: &Type) -> bool {
        matches!(self, Self::Sum | Self::Min | Self::Max) && sole_argument(ty, &["Option"]).is_some()
    }

    pub(crate) fn is_untracked(&self) -> bool {
        matches!(self, Self::Untracked)
    }
}

/// The element type of what is surely a collection of one type argument.
pub(crate) fn item_of(ty: &Type) -> Option<&Type> {
    sole_argument(ty, &["Vec", "VecDeque", "LinkedList", "Vector", "HashSet", "BTreeSet"])
}

/// Whether the type is an array in JSON, so that appending items to a stored
/// value needs no Rust type.
fn is_list(ty: &Type) -> bool {
    sole_argument(ty, &["Vec", "VecDeque", "LinkedList", "Vector"]).is_some()
}

/// Whether builders should take just this type: with `impl Into<u32>` a literal `3`
/// is an `i32`, and with `impl Into<Vec<T>>` nothing says what `vec![]` holds.
pub(crate) fn is_taken_as_is(ty: &Type) -> bool {
    const COLLECTIONS: &[&str] =
        &["Vec", "VecDeque", "LinkedList", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "BinaryHeap"];
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let named = |names: &[&str]| names.iter().any(|n| last.ident == n);
            named(NUMBERS) || named(COLLECTIONS) || named(&["bool", "char"])
        }),
        _ => true,
    }
}

const NUMBERS: &[&str] =
    &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"];

fn same(a: &Type, b: &Type) -> bool {
    quote!(#a).to_string() == quote!(#b).to_string()
}

/// Whether the type is surely no collection: better said here than by a list of
/// unmet bounds.
pub(crate) fn is_scalar(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            NUMBERS.iter().chain(&["bool", "char", "String", "Option"]).any(|n| last.ident == n)
        }),
        Type::Tuple(_) | Type::Array(_) => true,
        _ => false,
    }
}

/// `T` of `Name<T>`, if the name is one of those.
fn sole_argument<'a>(ty: &'a Type, names: &[&str]) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut arguments = arguments.args.iter();
    match (arguments.next(), arguments.next()) {
        (Some(GenericArgument::Type(inner)), None) if names.iter().any(|n| last.ident == n) => Some(inner),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn types_are_known_by_their_last_name() {
        assert!(is_list(&parse_quote!(std::vec::Vec<u8>)));
        assert!(!is_list(&parse_quote!(BTreeSet<u8>)));
        assert!(!is_list(&parse_quote!(Vec)));
        assert!(is_scalar(&parse_quote!(Option<Vec<u8>>)));
        assert!(Kind::Max.looks_inside(&parse_quote!(core::option::Option<f64>)));
        assert!(!Kind::Max.looks_inside(&parse_quote!(f64)));
    }

    #[test]
    fn an_update_of_the_fields_own_type_is_no_other() {
        let same = Kind::With { path: parse_quote!(f), update: Some(Box::new(parse_quote!(Vec<u8>))) };
        assert!(matches!(same.written(&parse_quote!(Vec<u8>)), Written::Merged));
        assert!(matches!(same.written(&parse_quote!(Set)), Written::Other(_)));
    }
}
