//! From the derive's input to a [`Model`] that the generators can trust.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Attribute, DeriveInput, Error, Expr, ExprLit, GenericParam, Generics, Lit, Meta, Result, Type,
    Visibility, parse_quote,
};

use crate::attr::{Attrs, Errors};
use crate::check;
use crate::merge::{Kind, Written};

/// As many as `duru::ChannelSet` holds.
const MOST_FIELDS: usize = 128;

/// A state, checked.
pub(crate) struct Model {
    pub(crate) vis: Visibility,
    pub(crate) name: Ident,
    pub(crate) update: Ident,
    pub(crate) generics: Generics,
    pub(crate) doc: Option<String>,
    pub(crate) fields: Vec<Field>,
}

/// A field, checked.
pub(crate) struct Field {
    /// Its position, which is its channel.
    pub(crate) channel: usize,
    pub(crate) ident: Ident,
    /// Its name in JSON: that of the field, whatever serde attributes say.
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
    pub(crate) default: Option<Expr>,
    pub(crate) docs: Vec<Attribute>,
}

impl Model {
    pub(crate) fn parse(input: &DeriveInput) -> Result<Self> {
        let fields = check::named_fields(input)?;
        let mut errors = Errors::default();
        if let Some(lifetime) = input.generics.lifetimes().next() {
            errors.push::<()>(Err(Error::new_spanned(
                lifetime,
                "a state owns its data: it can't have lifetimes",
            )));
        }
        if let Some(field) = fields.iter().nth(MOST_FIELDS) {
            let text = format!("a state has at most {MOST_FIELDS} fields, this one has {}", fields.len());
            errors.push::<()>(Err(Error::new_spanned(field, text)));
        }
        let fields: Vec<_> = fields
            .iter()
            .enumerate()
            .filter_map(|(channel, field)| errors.push(Field::parse(channel, field)))
            .collect();
        check::names(&fields, &mut errors);
        errors.finish()?;
        Ok(Self {
            vis: input.vis.clone(),
            name: input.ident.clone(),
            update: format_ident!("{}Update", input.ident),
            generics: input.generics.clone(),
            doc: doc_text(&input.attrs),
            fields,
        })
    }

    /// The fields that are stored and have a JSON form.
    pub(crate) fn tracked(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.kind.is_untracked())
    }

    /// The generics with what every field's type needs asked of every parameter.
    pub(crate) fn bounded(&self) -> Generics {
        let mut generics = self.generics.clone();
        let parameters: Vec<Ident> = generics.type_params().map(|p| p.ident.clone()).collect();
        if !parameters.is_empty() {
            let where_clause = generics.make_where_clause();
            for parameter in parameters {
                where_clause.predicates.push(parse_quote! {
                    #parameter: ::core::clone::Clone + ::core::default::Default
                        + ::core::marker::Send + ::core::marker::Sync
                        + ::duru::__private::serde::Serialize
                        + ::duru::__private::serde::de::DeserializeOwned
                        + ::duru::__private::schemars::JsonSchema
                        + 'static
                });
            }
        }
        generics
    }
}

impl Field {
    fn parse(channel: usize, field: &syn::Field) -> Result<Self> {
        let Some(ident) = field.ident.clone() else {
            return Err(Error::new_spanned(field, "a state's fields have names"));
        };
        let attrs = Attrs::parse(&field.attrs)?;
        check::field_type(&attrs.kind, &field.ty)?;
        Ok(Self {
            channel,
            name: ident.unraw().to_string(),
            ident,
            ty: field.ty.clone(),
            kind: attrs.kind,
            default: attrs.default,
            docs: field.attrs.iter().filter(|a| a.path().is_ident("doc")).cloned().collect(),
        })
    }

    /// Where errors about the generated code should point: at the field's type,
    /// while names resolve as everywhere in generated code.
    pub(crate) fn span(&self) -> Span {
        self.ty.span().resolved_at(Span::call_site())
    }

    pub(crate) fn written(&self) -> Written<'_> {
        self.kind.written(&self.ty)
    }

    /// The method that replaces the value, and the hidden field that holds one.
    pub(crate) fn overwrite(&self) -> Ident {
        format_ident!("overwrite_{}", self.ident.unraw(), span = self.ident.span())
    }

    /// An expression of the field's default. Names in it resolve as in an item of the state.
    pub(crate) fn default_value(&self) -> TokenStream {
        let ty = &self.ty;
        match &self.default {
            Some(value) => quote!({ let value: #ty = #value; value }),
            None => quote_spanned!(self.span()=> <#ty as ::core::default::Default>::default()),
        }
    }

    pub(crate) fn doc(&self) -> Option<String> {
        doc_text(&self.docs)
    }
}

/// Doc comments as one text.
fn doc_text(attributes: &[Attribute]) -> Option<String> {
    let lines: Vec<String> = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let text = lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The type parameters of a generic state.
pub(crate) fn parameters(generics: &Generics) -> impl Iterator<Item = &Ident> {
    generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Type(parameter) => Some(&parameter.ident),
        _ => None,
    })
}
