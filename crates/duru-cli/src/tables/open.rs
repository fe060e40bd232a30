//! The tables that were named, ready to be asked.

use std::sync::Arc;

use duru_sql::domain::Description;
use duru_sql::postgres::{PostgresTables, TableOptions};
use duru_sql::{Catalog, TableSource};

use super::password;
use super::problem::TablesProblem;
use super::registry;
use crate::args::TablesPlace;
use crate::logs;
use crate::output::Output;
use crate::store::Place;

/// What a question can be about: tables, what the guard lets through, and what people call them.
pub(crate) struct AskedTables {
    pub(crate) source: Arc<dyn TableSource>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) description: Arc<Description>,
}

impl From<logs::Opened> for AskedTables {
    fn from(logs: logs::Opened) -> Self {
        Self { source: logs.store, catalog: logs.catalog, description: Arc::new(Description::logs()) }
    }
}

/// Opens what was named, and says what to know of it.
pub(crate) async fn open(
    named: &str,
    place: &TablesPlace,
    output: &Output,
) -> Result<AskedTables, TablesProblem> {
    let (description, tables) = match Place::named(named.to_owned()) {
        Place::Url(_) => {
            let description = Description::default();
            let tables = connect(named, place, &description, output).await?;
            (description, tables)
        }
        Place::File(_) => {
            let source = registry::get(named)?;
            let file = place.password_file.clone().or(source.password_file);
            let place = TablesPlace { named: None, password_file: file };
            let tables = connect(&source.url, &place, &source.description, output).await?;
            (source.description, tables)
        }
    };
    if tables.catalog().tables.is_empty() {
        return Err(TablesProblem::Empty);
    }
    for note in tables.notes() {
        output.progress(&format!("! {}", note.text(logs::lang(output.lang))));
    }
    Ok(AskedTables {
        catalog: tables.catalog(),
        source: Arc::new(tables),
        description: Arc::new(description),
    })
}

/// Connects, and asks the person for a password where the server wants one.
pub(crate) async fn connect(
    named: &str,
    place: &TablesPlace,
    description: &Description,
    output: &Output,
) -> Result<PostgresTables, TablesProblem> {
    let shown = Place::named(named.to_owned());
    if !matches!(shown, Place::Url(_)) {
        return Err(TablesProblem::Unknown { given: named.to_owned() });
    }
    let url = password::complete(named, place.password_file.as_deref())?;
    let connected = PostgresTables::connect(&url, description, TableOptions::default()).await;
    let error = match connected {
        Ok(tables) => return Ok(tables),
        Err(error) => error,
    };
    if url == named && output.may_ask() && password::is_wanted(&error) {
        let prompt = output.lang.pick(format!("{shown}의 비밀번호: "), format!("Password for {shown}: "));
        if let Some(typed) = password::typed(prompt).await {
            let url = password::with(named, &typed);
            let again = PostgresTables::connect(&url, description, TableOptions::default()).await;
            return again.map_err(TablesProblem::Source);
        }
    }
    Err(TablesProblem::Source(error))
}
