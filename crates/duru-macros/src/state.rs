//! `duru::State` of the struct itself.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::merge::{Kind, Written};
use crate::parse::{Field, Model};
use crate::schema;

pub(crate) fn expand(model: &Model) -> TokenStream {
    let Model { name, update, fields, .. } = model;
    let generics = model.bounded();
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let channels = fields.iter().map(|Field { name, kind, ty, .. }| {
        let merge = kind.merge(ty);
        quote!(::duru::Channel { name: #name, merge: ::duru::Merge::#merge })
    });
    let idents: Vec<_> = fields.iter().map(|field| &field.ident).collect();
    let defaults = fields.iter().map(Field::default_value);
    let folds = fields.iter().map(fold);
    let resets = fields.iter().map(reset);
    let encodes = model.tracked().map(encode);
    let decodes = fields.iter().map(decode);
    let schema = schema::of_state(model);
    quote! {
        #[automatically_derived]
        impl #impl_generics ::duru::State for #name #ty_generics #where_clause {
            type Update = #update #ty_generics;

            const CHANNELS: &'static [::duru::Channel] = &[#(#channels),*];

            fn initial() -> Self {
                Self { #(#idents: #defaults,)* }
            }

            fn fold(&mut self, update: Self::Update, skip: ::duru::ChannelSet) {
                let overwritten = ::duru::Update::overwritten(&update);
                let written = ::duru::Update::written(&update).difference(skip);
                #(#folds)*
            }

            fn reset(&mut self, channels: ::duru::ChannelSet) {
                #(#resets)*
            }

            fn encode(
                &self,
                channel: usize,
            ) -> ::core::result::Result<::duru::Json, ::duru::__private::serde_json::Error> {
                match channel {
                    #(#encodes)*
                    // An untracked field has no JSON form, other numbers no field.
                    _ => ::duru::__private::serde_json::value::to_raw_value(&()),
                }
            }

            fn decode(
                mut values: ::duru::__private::serde_json::Map<
                    ::std::string::String,
                    ::duru::__private::serde_json::Value,
                >,
            ) -> ::core::result::Result<Self, ::duru::FieldError> {
                ::core::result::Result::Ok(Self { #(#idents: #decodes,)* })
            }

            fn schema(
                generator: &mut ::duru::__private::schemars::SchemaGenerator,
            ) -> ::duru::__private::schemars::Schema {
                #schema
            }
        }
    }
}

fn fold(field: &Field) -> TokenStream {
    let Field { channel, ident, .. } = field;
    let merge = merge(field);
    let value = quote!(::core::option::Option::Some(value) = update.#ident);
    let body = match field.written() {
        Written::Value => quote! { if let #value { self.#ident = value; } },
        Written::Merged => quote! {
            if let #value {
                if overwritten.contains(#channel) { self.#ident = value; } else { #merge }
            }
        },
        Written::Items => quote! {
            let value = update.#ident;
            if overwritten.contains(#channel) { self.#ident = value; } else { #merge }
        },
        Written::Messages => quote! {
            let value = update.#ident;
            if overwritten.contains(#channel) {
                self.#ident = ::core::iter::Iterator::collect(::core::iter::IntoIterator::into_iter(value));
            } else {
                #merge
            }
        },
        Written::Other(_) => {
            let overwrite = field.overwrite();
            quote! {
                if let ::core::option::Option::Some(value) = update.#overwrite {
                    self.#ident = value;
                } else if let #value {
                    #merge
                }
            }
        }
    };
    quote_spanned!(field.span()=> if written.contains(#channel) { #body })
}

/// Merges `value` into the field.
fn merge(field: &Field) -> TokenStream {
    let Field { ident, ty, kind, .. } = field;
    let some = quote!(::core::option::Option::Some);
    let inside = |merge: TokenStream| {
        if !kind.looks_inside(ty) {
            return quote! { let old = &mut self.#ident; #merge };
        }
        quote! {
            match (&mut self.#ident, value) {
                (#some(old), #some(value)) => { #merge }
                (empty, value @ #some(_)) => *empty = value,
                (_, ::core::option::Option::None) => {}
            }
        }
    };
    match kind {
        Kind::Last | Kind::Overwrite | Kind::Ephemeral | Kind::Untracked => quote!(self.#ident = value;),
        Kind::Append => quote_spanned!(field.span()=> ::core::iter::Extend::extend(&mut self.#ident, value);),
        // Not `merge`: one removal of a message that is not there would lose the whole batch.
        Kind::Messages => quote_spanned!(field.span()=> self.#ident.apply(value);),
        Kind::Sum => inside(quote_spanned!(field.span()=> ::core::ops::AddAssign::add_assign(old, value);)),
        Kind::Min => inside(quote_spanned!(field.span()=> if value < *old { *old = value; })),
        Kind::Max => inside(quote_spanned!(field.span()=> if value > *old { *old = value; })),
        Kind::With { path, update } => {
            let value = update.as_deref().unwrap_or(ty);
            quote! {
                let merge: fn(&mut #ty, #value) = #path;
                merge(&mut self.#ident, value);
            }
        }
    }
}

fn reset(field: &Field) -> TokenStream {
    let Field { channel, ident, .. } = field;
    let default = field.default_value();
    quote! { if channels.contains(#channel) { self.#ident = #default; } }
}

fn encode(field: &Field) -> TokenStream {
    let Field { channel, ident, .. } = field;
    quote_spanned! {field.span()=>
        #channel => ::duru::__private::serde_json::value::to_raw_value(&self.#ident),
    }
}

fn decode(field: &Field) -> TokenStream {
    let Field { name, .. } = field;
    let default = field.default_value();
    if field.kind.is_untracked() {
        return default;
    }
    quote_spanned! {field.span()=>
        match values.remove(#name) {
            ::core::option::Option::Some(value) => match ::duru::__private::serde_json::from_value(value) {
                ::core::result::Result::Ok(value) => value,
                ::core::result::Result::Err(source) => {
                    return ::core::result::Result::Err(::duru::FieldError { field: #name, source });
                }
            },
            ::core::option::Option::None => #default,
        }
    }
}
