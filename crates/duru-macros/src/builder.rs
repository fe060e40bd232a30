//! `ReviewUpdate::new().sure(true).notes([note]).overwrite_best(None)`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;

use crate::merge::{Written, is_taken_as_is, item_of};
use crate::parse::{Field, Model};
use crate::update::message_type;

pub(crate) fn expand(model: &Model) -> TokenStream {
    let generics = model.bounded();
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let update = &model.update;
    let methods = model.fields.iter().map(|field| {
        let write = write(field);
        let overwrite = overwrite(field);
        quote! { #write #overwrite }
    });
    quote! {
        #[automatically_derived]
        #[allow(dead_code, missing_docs, unreachable_pub, private_interfaces, clippy::should_implement_trait)]
        impl #impl_generics #update #ty_generics #where_clause {
            /// An update that changes nothing yet.
            #[must_use]
            pub fn new() -> Self {
                ::core::default::Default::default()
            }

            #(#methods)*
        }
    }
}

fn write(field: &Field) -> TokenStream {
    let ident = &field.ident;
    let (doc, argument, body) = match field.written() {
        Written::Items | Written::Messages => (
            format!("Adds to `{}`.", field.name),
            items(field),
            quote_spanned!(field.span()=> ::core::iter::Extend::extend(&mut self.#ident, value);),
        ),
        Written::Value | Written::Merged => set(field, &field.ty),
        Written::Other(ty) => set(field, ty),
    };
    method(ident, &doc, &argument, &body)
}

fn set(field: &Field, ty: &Type) -> (String, TokenStream, TokenStream) {
    let ident = &field.ident;
    let value = converted(ty);
    let doc = match field.written() {
        Written::Value => format!("Sets `{}`.", field.name),
        _ => format!("Merges a value into `{}`.", field.name),
    };
    (doc, argument(ty), quote!(self.#ident = ::core::option::Option::Some(#value);))
}

/// The method that bypasses the merge.
fn overwrite(field: &Field) -> Option<TokenStream> {
    let Field { channel, ident, ty, .. } = field;
    let name = field.overwrite();
    let value = converted(ty);
    let (argument, body) = match field.written() {
        Written::Value => return None,
        Written::Items | Written::Messages => (
            items(field),
            quote_spanned! {field.span()=>
                self.#ident = ::core::default::Default::default();
                ::core::iter::Extend::extend(&mut self.#ident, value);
            },
        ),
        Written::Merged => (argument(ty), quote!(self.#ident = ::core::option::Option::Some(#value);)),
        Written::Other(_) => (argument(ty), quote!(self.#name = ::core::option::Option::Some(#value);)),
    };
    let doc = format!("Replaces the whole of `{}`, whatever it is and however it merges.", field.name);
    Some(method(&name, &doc, &argument, &quote! { #body self.overwrites.mark(#channel); }))
}

fn method(name: &syn::Ident, doc: &str, argument: &TokenStream, body: &TokenStream) -> TokenStream {
    quote! {
        #[doc = #doc]
        #[must_use]
        pub fn #name(mut self, value: #argument) -> Self {
            #body
            self
        }
    }
}

fn items(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let item = match (field.written(), item_of(ty)) {
        (Written::Messages, _) => message_type(field),
        (_, Some(item)) => quote!(#item),
        (_, None) => quote_spanned!(field.span()=> <#ty as ::core::iter::IntoIterator>::Item),
    };
    quote!(impl ::core::iter::IntoIterator<Item = #item>)
}

fn argument(ty: &Type) -> TokenStream {
    if is_taken_as_is(ty) { quote!(#ty) } else { quote!(impl ::core::convert::Into<#ty>) }
}

fn converted(ty: &Type) -> TokenStream {
    if is_taken_as_is(ty) { quote!(value) } else { quote!(::core::convert::Into::into(value)) }
}
