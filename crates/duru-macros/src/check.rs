//! What a state can't be, said where it is written.

use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Data, DeriveInput, Error, Fields, Result, Token, Type};

use crate::attr::Errors;
use crate::merge::{Kind, Written, is_scalar, item_of};
use crate::parse::Field;

/// The fields, given that the input is a struct and names them.
pub(crate) fn named_fields(input: &DeriveInput) -> Result<&Punctuated<syn::Field, Token![,]>> {
    let text = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => return Ok(&fields.named),
            _ => "a state is a struct with named fields: each field is a channel",
        },
        Data::Enum(_) => "a state is a struct with named fields, not an enum: put the enum in a field",
        Data::Union(_) => "a state is a struct with named fields, not a union",
    };
    Err(Error::new_spanned(&input.ident, text))
}

/// Says at once what would else be a list of unmet bounds in generated code.
pub(crate) fn field_type(kind: &Kind, ty: &Type) -> Result<()> {
    let needed = match kind {
        Kind::Append if is_scalar(ty) => "a collection such as `Vec<T>`",
        Kind::Messages if is_scalar(ty) || item_of(ty).is_some() => "`duru_messages::Messages`",
        _ => return Ok(()),
    };
    let word = if matches!(kind, Kind::Append) { "append" } else { "messages" };
    let found = quote!(#ty).to_string().replace(" <", "<").replace("< ", "<").replace(" >", ">");
    Err(Error::new_spanned(ty, format!("`#[merge({word})]` needs {needed}, not `{found}`")))
}

/// The update has names of its own that no field can take.
pub(crate) fn names(fields: &[Field], errors: &mut Errors) {
    for field in fields {
        let taken = match field.name.as_str() {
            "new" => "the update's constructor",
            "overwrites" => "a field of every update",
            name if fields
                .iter()
                .any(|other| !matches!(other.written(), Written::Value) && other.overwrite() == name) =>
            {
                "a method of the update"
            }
            _ => continue,
        };
        let text = format!("`{}` is {taken}: give the field another name", field.name);
        errors.push::<()>(Err(Error::new_spanned(&field.ident, text)));
    }
}
