//! The update: its struct, `Default`, `Clone` and `duru::Update`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::builder;
use crate::merge::Written;
use crate::parse::{Field, Model};

pub(crate) fn expand(model: &Model) -> TokenStream {
    let definition = definition(model);
    let builders = builder::expand(model);
    let Model { update, fields, .. } = model;
    let generics = model.bounded();
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let slots: Vec<_> = fields.iter().flat_map(slots).collect();
    let names: Vec<_> = slots.iter().map(|slot| &slot.name).collect();
    let clones = slots.iter().map(
        |Slot { name, field, .. }| quote_spanned!(field.span()=> ::core::clone::Clone::clone(&self.#name)),
    );
    let written = fields.iter().map(written);
    let overwritten = fields.iter().filter_map(overwritten);
    let encoded = model.tracked().map(encoded);
    let assigned = fields.iter().filter_map(assigned);
    let forgotten = slots.iter().map(|Slot { name, field, .. }| {
        let channel = field.channel;
        quote! {
            if channels.contains(#channel) {
                self.#name = ::core::default::Default::default();
            }
        }
    });
    quote! {
        #definition
        #builders

        #[automatically_derived]
        impl #impl_generics ::core::default::Default for #update #ty_generics #where_clause {
            fn default() -> Self {
                Self {
                    #(#names: ::core::default::Default::default(),)*
                    overwrites: ::core::default::Default::default(),
                }
            }
        }

        #[automatically_derived]
        impl #impl_generics ::core::clone::Clone for #update #ty_generics #where_clause {
            fn clone(&self) -> Self {
                Self { #(#names: #clones,)* overwrites: self.overwrites }
            }
        }

        #[automatically_derived]
        impl #impl_generics ::duru::Update for #update #ty_generics #where_clause {
            fn written(&self) -> ::duru::ChannelSet {
                let overwritten = ::duru::Update::overwritten(self);
                ::duru::ChannelSet::EMPTY #(#written)*.union(overwritten)
            }

            fn overwritten(&self) -> ::duru::ChannelSet {
                let marked = self.overwrites.channels();
                ::duru::ChannelSet::EMPTY #(#overwritten)*.intersection(marked)
            }

            #[allow(unused_variables)]
            fn assign_ids(&mut self, new_id: &mut dyn ::core::ops::FnMut() -> ::std::string::String) {
                #(#assigned)*
            }

            fn forget(&mut self, channels: ::duru::ChannelSet) {
                self.overwrites.forget(channels);
                #(#forgotten)*
            }

            fn encode(
                &self,
                channel: usize,
            ) -> ::core::result::Result<::duru::Json, ::duru::__private::serde_json::Error> {
                match channel {
                    #(#encoded)*
                    // An untracked field has no JSON form, other numbers no field.
                    _ => ::duru::__private::serde_json::value::to_raw_value(&()),
                }
            }
        }
    }
}

/// A field of the update.
struct Slot<'a> {
    field: &'a Field,
    name: syn::Ident,
    ty: TokenStream,
    hidden: bool,
}

fn slots(field: &Field) -> impl Iterator<Item = Slot<'_>> {
    let ty = &field.ty;
    let (written, hidden) = match field.written() {
        Written::Value | Written::Merged => (quote!(::core::option::Option<#ty>), None),
        Written::Items => (quote!(#ty), None),
        Written::Messages => (messages_type(field), None),
        Written::Other(other) => {
            (quote!(::core::option::Option<#other>), Some(quote!(::core::option::Option<#ty>)))
        }
    };
    let slot = |name, ty, hidden| Slot { field, name, ty, hidden };
    let shown = slot(field.ident.clone(), written, false);
    std::iter::once(shown).chain(hidden.map(|ty| slot(field.overwrite(), ty, true)))
}

/// `Vec<Message>`.
pub(crate) fn messages_type(field: &Field) -> TokenStream {
    let message = message_type(field);
    quote!(::std::vec::Vec<#message>)
}

/// `Message`, by way of the list: this crate need not know the path.
pub(crate) fn message_type(field: &Field) -> TokenStream {
    let ty = &field.ty;
    quote_spanned!(field.span()=> <#ty as ::core::iter::IntoIterator>::Item)
}

fn definition(model: &Model) -> TokenStream {
    let Model { vis, name, update, generics, fields, .. } = model;
    let where_clause = &generics.where_clause;
    let doc = format!("What a node changes of [`{name}`]; what it leaves out is untouched.");
    let slots = fields.iter().flat_map(slots).map(|Slot { field, name, ty, hidden }| {
        let docs = &field.docs;
        if hidden {
            quote! { #[doc(hidden)] pub #name: #ty, }
        } else {
            quote! { #(#docs)* pub #name: #ty, }
        }
    });
    quote! {
        #[doc = #doc]
        #[allow(dead_code, missing_docs, private_interfaces, clippy::option_option)]
        #vis struct #update #generics #where_clause {
            #(#slots)*
            #[doc(hidden)]
            pub overwrites: ::duru::Overwrites,
        }
    }
}

/// `.with(channel, whether it is written)`; overwritten ones are added for all.
fn written(field: &Field) -> TokenStream {
    let Field { channel, ident, ty, .. } = field;
    match field.written() {
        // An empty option merges to nothing, unless it replaces.
        Written::Merged if field.kind.looks_inside(ty) => {
            quote!(.with(#channel, ::core::matches!(self.#ident, ::core::option::Option::Some(::core::option::Option::Some(_)))))
        }
        Written::Value | Written::Merged | Written::Other(_) => {
            quote!(.with(#channel, self.#ident.is_some()))
        }
        Written::Items | Written::Messages => {
            quote_spanned!(field.span()=> .with(#channel, !self.#ident.is_empty()))
        }
    }
}

/// `.with(channel, whether there is a value to replace the old one)`, given that it is marked.
fn overwritten(field: &Field) -> Option<TokenStream> {
    let Field { channel, ident, .. } = field;
    let overwrite = field.overwrite();
    match field.written() {
        Written::Value => None,
        Written::Merged => Some(quote!(.with(#channel, self.#ident.is_some()))),
        Written::Items | Written::Messages => Some(quote!(.with(#channel, true))),
        Written::Other(_) => Some(quote!(.with(#channel, self.#overwrite.is_some()))),
    }
}

/// Gives ids to the messages that have none.
fn assigned(field: &Field) -> Option<TokenStream> {
    let Field { ident, ty, .. } = field;
    matches!(field.written(), Written::Messages)
        .then(|| quote_spanned!(field.span()=> <#ty>::assign_ids(&mut self.#ident, &mut *new_id);))
}

fn encoded(field: &Field) -> TokenStream {
    let channel = field.channel;
    let ident = &field.ident;
    let overwrite = field.overwrite();
    let to_raw_value = quote_spanned!(field.span()=> ::duru::__private::serde_json::value::to_raw_value);
    match field.written() {
        Written::Other(_) => quote! {
            #channel => match &self.#overwrite {
                ::core::option::Option::Some(value) => #to_raw_value(value),
                ::core::option::Option::None => #to_raw_value(&self.#ident),
            },
        },
        _ => quote! { #channel => #to_raw_value(&self.#ident), },
    }
}
