//! `#[derive(State)]` for the states of Duru's graphs.

mod attr;
mod builder;
mod check;
mod deserialize;
mod merge;
mod parse;
mod schema;
mod serialize;
mod state;
mod update;
mod words;

use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_macro_input};

use parse::Model;

/// Makes a struct the state of a graph: implements `duru::State`, and defines
/// `<Name>Update`, the type that nodes return.
///
/// ```text
/// #[derive(State, Clone)]
/// struct Review {
///     /// Two writers in one step are an error.
///     sure: bool,
///     #[merge(append)]
///     notes: Vec<Note>,
///     #[merge(messages)]
///     messages: Messages,
///     #[merge(max)]
///     best: Option<f64>,
///     #[merge(with = Ledger::enter, update = Booking)]
///     ledger: Ledger,
///     #[state(default = 3)]
///     tries: u32,
/// }
///
/// ReviewUpdate { notes: vec![note], ..Default::default() }
/// ReviewUpdate::new().sure(true).notes([note]).overwrite_best(None)
/// ```
///
/// How a field merges (`#[merge(…)]`):
///
/// | word | the next value | written as |
/// |---|---|---|
/// | none | the written one; one writer per step | `Option<T>` |
/// | `overwrite` | the written one; the last in task order wins | `Option<T>` |
/// | `ephemeral` | the written one, gone after the next step | `Option<T>` |
/// | `untracked` | the written one, never stored | `Option<T>` |
/// | `append` | the old one, extended | the collection; empty is untouched |
/// | `messages` | merged by message id | `Vec<Message>`; empty is untouched |
/// | `sum`, `min`, `max` | computed; `None` in an `Option` is no value yet | `Option<T>` |
/// | `with = f` | what `f(&mut T, T)` makes of it | `Option<T>` |
/// | `with = f, update = U` | what `f(&mut T, U)` makes of it | `Option<U>` |
///
/// `append` is stored as the appended items when the field is a `Vec`, `VecDeque`,
/// `LinkedList` or `Vector`. Other collections (sets, maps, an alias of `Vec`)
/// have no such JSON form: their whole value is stored with each step that writes them.
///
/// A field starts as `Default::default()`, or as `#[state(default = …)]` says.
/// Its type is `Clone + Serialize + DeserializeOwned + JsonSchema`, an untracked
/// one only `Clone + Send + Sync`.
#[proc_macro_derive(State, attributes(merge, state))]
pub fn derive_state(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    match Model::parse(&input) {
        Ok(model) => {
            let update = update::expand(&model);
            let serialize = serialize::expand(&model);
            let deserialize = deserialize::expand(&model);
            let schema = schema::expand(&model);
            let state = state::expand(&model);
            quote! { #update #serialize #deserialize #schema #state }.into()
        }
        Err(error) => error.into_compile_error().into(),
    }
}
