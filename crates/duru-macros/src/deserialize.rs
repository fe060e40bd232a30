//! The update read from JSON: absent is untouched, `null` sets a field back to
//! its default, `{"__overwrite__": v}` bypasses the merge.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Type, parse_quote};

use crate::merge::Written;
use crate::parse::{Field, Model};
use crate::update::message_type;

pub(crate) fn expand(model: &Model) -> TokenStream {
    let Model { name, update, .. } = model;
    let generics = model.bounded();
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let mut with_de = generics.clone();
    with_de.params.insert(0, parse_quote!('de));
    let (de_generics, _, _) = with_de.split_for_impl();
    let names = model.tracked().map(|field| &field.name);
    let expecting = format!("an object of fields of {name}");
    let arms = model.tracked().enumerate().map(|(at, field)| arm(model, at, field));
    let read = read_function();
    quote! {
        #[automatically_derived]
        impl #de_generics ::duru::__private::serde::Deserialize<'de> for #update #ty_generics #where_clause {
            fn deserialize<__D: ::duru::__private::serde::Deserializer<'de>>(
                deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                use ::duru::__private::serde::de::{Error as _, MapAccess, Visitor};
                use ::duru::__private::serde_json::{self, value::RawValue};

                const FIELDS: &[&str] = &[#(#names),*];

                struct Fields #generics (::core::marker::PhantomData<fn() -> #update #ty_generics>) #where_clause;

                impl #de_generics Visitor<'de> for Fields #ty_generics #where_clause {
                    type Value = #update #ty_generics;

                    fn expecting(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        f.write_str(#expecting)
                    }

                    fn visit_map<__A: MapAccess<'de>>(
                        self,
                        mut map: __A,
                    ) -> ::core::result::Result<Self::Value, __A::Error> {
                        let mut update = <Self::Value as ::core::default::Default>::default();
                        let mut seen = ::duru::ChannelSet::EMPTY;
                        while let ::core::option::Option::Some(name) = map.next_key::<::std::string::String>()? {
                            let ::core::option::Option::Some(at) = FIELDS.iter().position(|field| *field == name) else {
                                return ::core::result::Result::Err(__A::Error::unknown_field(&name, FIELDS));
                            };
                            if seen.contains(at) {
                                return ::core::result::Result::Err(__A::Error::duplicate_field(FIELDS[at]));
                            }
                            seen.insert(at);
                            // The text, to look for `null` and `__overwrite__` before the field's type reads it.
                            let json = map.next_value::<::std::boxed::Box<RawValue>>()?;
                            if let ::core::result::Result::Err(error) = Self::field(&mut update, at, &json) {
                                // The position within the field would stand before that within the whole.
                                let text = error.to_string();
                                let place = ::std::format!(" at line {} column {}", error.line(), error.column());
                                let reason = text.strip_suffix(&place).unwrap_or(&text);
                                let text = ::std::format!("field `{name}`: {reason}");
                                return ::core::result::Result::Err(__A::Error::custom(text));
                            }
                        }
                        ::core::result::Result::Ok(update)
                    }
                }

                impl #impl_generics Fields #ty_generics #where_clause {
                    fn field(
                        update: &mut #update #ty_generics,
                        at: usize,
                        json: &RawValue,
                    ) -> ::core::result::Result<(), serde_json::Error> {
                        match at {
                            #(#arms)*
                            _ => {}
                        }
                        ::core::result::Result::Ok(())
                    }
                }

                #read

                deserializer.deserialize_map(Fields(::core::marker::PhantomData))
            }
        }
    }
}

/// How one field is read.
fn arm(model: &Model, at: usize, field: &Field) -> TokenStream {
    let Field { channel, ident, ty, .. } = field;
    let state = &model.name;
    let (_, ty_generics, _) = model.generics.split_for_impl();
    let typed = |ty: &Type| quote!(|text| serde_json::from_str::<#ty>(text));
    let (reads_write, reads_replacing) = match field.written() {
        Written::Value | Written::Merged | Written::Items => (typed(ty), typed(ty)),
        Written::Other(other) => (typed(other), typed(ty)),
        // A list, or a single message in any of the forms that clients send.
        Written::Messages => {
            let message = message_type(field);
            let list = quote! {
                |text| <#message>::list_from_value(serde_json::from_str(text)?).map_err(serde_json::Error::custom)
            };
            (list.clone(), list)
        }
    };
    // Through the state: names in the default resolve as in an item of the state.
    let default =
        quote!(::core::clone::Clone::clone(&<#state #ty_generics as ::duru::State>::initial().#ident));
    let default = match field.written() {
        Written::Messages => quote!(#default.into_iter().collect()),
        _ => default,
    };
    let overwrite = field.overwrite();
    let mark = quote!(update.overwrites.mark(#channel));
    let (write, replace) = match field.written() {
        Written::Value => {
            let set = quote!(update.#ident = ::core::option::Option::Some(value));
            (set.clone(), set)
        }
        Written::Merged => {
            let set = quote!(update.#ident = ::core::option::Option::Some(value));
            (set.clone(), quote!(#set; #mark))
        }
        Written::Items | Written::Messages => {
            (quote!(update.#ident = value), quote!(update.#ident = value; #mark))
        }
        Written::Other(_) => (
            quote!(update.#ident = ::core::option::Option::Some(value)),
            quote!(update.#overwrite = ::core::option::Option::Some(value); #mark),
        ),
    };
    // An empty option is no write of a sum: its `null` is a clear like that of a number.
    let clears = field.kind.looks_inside(ty);
    quote_spanned! {field.span()=>
        #at => match read(json, #clears, #reads_write, #reads_replacing)? {
            Read::Write(value) => { #write; }
            Read::Replace(value) => { #replace; }
            Read::Clear => { let value = #default; #replace; }
        },
    }
}

/// What a field's JSON asks for. Emitted with each update because it is needed
/// nowhere else.
fn read_function() -> TokenStream {
    quote! {
        enum Read<W, R> {
            Write(W),
            Replace(R),
            Clear,
        }

        fn read<W, R>(
            json: &RawValue,
            null_clears: bool,
            write: impl Fn(&str) -> ::core::result::Result<W, serde_json::Error>,
            replace: impl Fn(&str) -> ::core::result::Result<R, serde_json::Error>,
        ) -> ::core::result::Result<Read<W, R>, serde_json::Error> {
            let text = json.get();
            let wrapped = text.strip_prefix('{').is_some_and(|t| t.trim_start().starts_with("\"__overwrite__\""));
            if wrapped {
                let mut members: ::std::collections::BTreeMap<::std::string::String, ::std::boxed::Box<RawValue>> =
                    serde_json::from_str(text)?;
                if members.len() == 1 {
                    if let ::core::option::Option::Some(json) = members.remove("__overwrite__") {
                        return match replace(json.get()) {
                            ::core::result::Result::Err(_) if json.get() == "null" => {
                                ::core::result::Result::Ok(Read::Clear)
                            }
                            read => read.map(Read::Replace),
                        };
                    }
                }
            }
            if null_clears && text == "null" {
                return ::core::result::Result::Ok(Read::Clear);
            }
            match write(text) {
                // A null that the type has no value for.
                ::core::result::Result::Err(_) if text == "null" => ::core::result::Result::Ok(Read::Clear),
                read => read.map(Read::Write),
            }
        }
    }
}
