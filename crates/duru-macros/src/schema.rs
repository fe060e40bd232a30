//! JSON schemas: of the update, and of the state.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::merge::Written;
use crate::parse::{Field, Model, parameters};
use crate::update::{message_type, messages_type};

/// `JsonSchema` of the update.
pub(crate) fn expand(model: &Model) -> TokenStream {
    let update = &model.update;
    let generics = model.bounded();
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let mut schema_name = quote!(::std::string::String::from(::core::stringify!(#update)));
    for (i, parameter) in parameters(&generics).enumerate() {
        let link = if i == 0 { "_for_" } else { "_and_" };
        schema_name = quote!(#schema_name + #link + &<#parameter as ::duru::__private::schemars::JsonSchema>::schema_name());
    }
    let properties = model.tracked().map(|field| property(field, &of_update(field)));
    let doc = doc(Some(&format!("Changes of {}; a field left out is untouched.", model.name)));
    quote! {
        #[automatically_derived]
        impl #impl_generics ::duru::__private::schemars::JsonSchema for #update #ty_generics #where_clause {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Owned(#schema_name)
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
            }

            fn json_schema(
                generator: &mut ::duru::__private::schemars::SchemaGenerator,
            ) -> ::duru::__private::schemars::Schema {
                let mut properties = ::duru::__private::serde_json::Map::new();
                #(#properties)*
                let mut schema = ::duru::__private::schemars::json_schema!({
                    "type": "object",
                    "properties": properties,
                    "additionalProperties": false,
                });
                #doc
                schema
            }
        }
    }
}

/// The body of `State::schema`. No field is required: one that was never
/// written has no stored value.
pub(crate) fn of_state(model: &Model) -> TokenStream {
    let title = model.name.to_string();
    let properties = model.tracked().map(|field| {
        let ty = &field.ty;
        property(field, &quote_spanned!(field.span()=> generator.subschema_for::<#ty>()))
    });
    let doc = doc(model.doc.as_deref());
    quote! {
        let mut properties = ::duru::__private::serde_json::Map::new();
        #(#properties)*
        #[allow(unused_mut)]
        let mut schema = ::duru::__private::schemars::json_schema!({
            "type": "object",
            "title": #title,
            "properties": properties,
        });
        #doc
        schema
    }
}

/// What an update may hold for a field.
fn of_update(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let written = match field.written() {
        // A replacing value is what is written anyway: the short form is enough.
        Written::Value => {
            return quote_spanned!(field.span()=> generator.subschema_for::<::core::option::Option<#ty>>());
        }
        Written::Merged | Written::Items => quote!(#ty),
        Written::Messages => messages_type(field),
        Written::Other(other) => quote!(#other),
    };
    let single = matches!(field.written(), Written::Messages).then(|| {
        let message = message_type(field);
        quote!(generator.subschema_for::<#message>(),)
    });
    quote_spanned! {field.span()=> {
        let write = generator.subschema_for::<#written>();
        let replace = generator.subschema_for::<#ty>();
        ::duru::__private::schemars::json_schema!({
            "anyOf": [
                write,
                #single
                {
                    "type": "object",
                    "properties": { "__overwrite__": replace },
                    "required": ["__overwrite__"],
                    "additionalProperties": false,
                },
                { "type": "null" },
            ],
        })
    }}
}

fn property(field: &Field, schema: &TokenStream) -> TokenStream {
    let name = &field.name;
    let doc = doc(field.doc().as_deref());
    quote! {{
        #[allow(unused_mut)]
        let mut schema: ::duru::__private::schemars::Schema = #schema;
        #doc
        properties.insert(::std::string::String::from(#name), ::core::convert::Into::into(schema));
    }}
}

fn doc(text: Option<&str>) -> Option<TokenStream> {
    text.map(|text| {
        quote! {
            schema.insert(::std::string::String::from("description"), ::core::convert::Into::into(#text));
        }
    })
}
