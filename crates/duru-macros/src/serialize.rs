//! The update written as JSON: an object of the written fields, an overwritten
//! one as `{"__overwrite__": v}`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::merge::Written;
use crate::parse::{Field, Model};

pub(crate) fn expand(model: &Model) -> TokenStream {
    let update = &model.update;
    let generics = model.bounded();
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let tracked = model.tracked().map(|field| field.channel);
    let entries = model.tracked().map(|field| {
        let Field { channel, ident, name, .. } = field;
        let replacing = match field.written() {
            Written::Other(_) => field.overwrite(),
            _ => ident.clone(),
        };
        quote_spanned! {field.span()=>
            if overwritten.contains(#channel) {
                let value = ::std::collections::BTreeMap::from([("__overwrite__", &self.#replacing)]);
                map.serialize_entry(#name, &value)?;
            } else if written.contains(#channel) {
                map.serialize_entry(#name, &self.#ident)?;
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics ::duru::__private::serde::Serialize for #update #ty_generics #where_clause {
            fn serialize<__S: ::duru::__private::serde::Serializer>(
                &self,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                use ::duru::__private::serde::ser::SerializeMap as _;
                let tracked = ::duru::ChannelSet::EMPTY #(.with(#tracked, true))*;
                let written = ::duru::Update::written(self).intersection(tracked);
                let overwritten = ::duru::Update::overwritten(self);
                let mut map = serializer.serialize_map(::core::option::Option::Some(written.iter().count()))?;
                #(#entries)*
                map.end()
            }
        }

        // By way of JSON: fields need not be `Debug`.
        #[automatically_derived]
        impl #impl_generics ::core::fmt::Debug for #update #ty_generics #where_clause {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let json = ::duru::__private::serde_json::to_string(self).map_err(|_| ::core::fmt::Error)?;
                ::core::write!(f, "{} {json}", ::core::stringify!(#update))
            }
        }
    }
}
