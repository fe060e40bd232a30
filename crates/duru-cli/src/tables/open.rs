//! The tables that were named, ready to be asked.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use duru_agents::analyst::LiveDescription;
use duru_logs::FileTables;
use duru_sql::domain::Description;
use duru_sql::postgres::{PostgresTables, TableOptions};
use duru_sql::tables::TableNote;
use duru_sql::{Catalog, TableSource};

use serde::Serialize;

use super::password;
use super::problem::TablesProblem;
use super::registry;
use crate::args::TablesPlace;
use crate::logs;
use crate::output::Output;
use crate::store::Place;
use crate::text::clean;

/// What a question can be about: tables, what the guard lets through, and what people call them.
#[derive(Clone)]
pub(crate) struct AskedTables {
    pub(crate) source: Arc<dyn TableSource>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) description: Arc<LiveDescription>,
    /// What the whole is called, for who is granted all of it.
    pub(crate) name: Option<String>,
    pub(crate) kind: TablesKind,
    /// The columns of every table, also those that may not be asked.
    pub(crate) columns: Arc<BTreeMap<String, Vec<String>>>,
}

/// Where tables are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TablesKind {
    /// The product's own log store.
    Logs,
    Database,
    Files,
}

impl From<logs::Opened> for AskedTables {
    fn from(logs: logs::Opened) -> Self {
        Self {
            source: logs.store,
            catalog: logs.catalog,
            description: Arc::new(LiveDescription::new(Description::logs())),
            name: Some("logs".to_owned()),
            kind: TablesKind::Logs,
            columns: Arc::default(),
        }
    }
}

/// Tables of others: of a database, or of files.
pub(crate) enum OpenTables {
    Database(PostgresTables),
    Files(FileTables),
}

impl OpenTables {
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        match self {
            Self::Database(tables) => tables.catalog(),
            Self::Files(tables) => tables.catalog(),
        }
    }

    pub(super) fn notes(&self) -> &[TableNote] {
        match self {
            Self::Database(tables) => tables.notes(),
            Self::Files(tables) => tables.notes(),
        }
    }

    pub(super) fn column_names(&self) -> &BTreeMap<String, Vec<String>> {
        match self {
            Self::Database(tables) => tables.column_names(),
            Self::Files(tables) => tables.column_names(),
        }
    }

    pub(super) fn source(&self) -> &dyn TableSource {
        match self {
            Self::Database(tables) => tables,
            Self::Files(tables) => tables,
        }
    }

    pub(super) fn asked(self, description: Description) -> AskedTables {
        let catalog = self.catalog();
        let columns = Arc::new(self.column_names().clone());
        let (source, kind): (Arc<dyn TableSource>, _) = match self {
            Self::Database(tables) => (Arc::new(tables), TablesKind::Database),
            Self::Files(tables) => (Arc::new(tables), TablesKind::Files),
        };
        let description = Arc::new(LiveDescription::new(description));
        AskedTables { source, catalog, description, name: None, kind, columns }
    }
}

/// Opens what was named: an address, a file or a folder, or a name that was given to one. Says what to know of it.
pub(crate) async fn open(
    named: &str,
    place: &TablesPlace,
    output: &Output,
) -> Result<AskedTables, TablesProblem> {
    let (name, description, tables, files) = match registry::find(named)? {
        Some(source) => {
            let file = place.password_file.clone().or(source.password_file);
            let place = TablesPlace { named: None, password_file: file };
            let tables = connect(&source.url, &place, &source.description, output).await?;
            (Some(named.to_owned()), source.description, tables, are_files(&source.url))
        }
        None => {
            let description = Description::default();
            let tables = connect(named, place, &description, output).await?;
            (None, description, tables, are_files(named))
        }
    };
    for note in tables.notes() {
        output.progress(&format!("! {}", clean(&note.text(logs::lang(output.lang)))));
    }
    // After the notes: they say why nothing is there.
    if tables.catalog().tables.is_empty() {
        return Err(TablesProblem::Empty { files });
    }
    Ok(AskedTables { name, ..tables.asked(description) })
}

/// Opens an address or a path.
pub(crate) async fn connect(
    named: &str,
    place: &TablesPlace,
    description: &Description,
    output: &Output,
) -> Result<OpenTables, TablesProblem> {
    match Place::named(named.to_owned()) {
        Place::Url(url) => {
            let tables = database(&url, place, description, output).await?;
            Ok(OpenTables::Database(tables))
        }
        Place::File(path) if path.exists() => {
            let tables = FileTables::open(&path, description).await.map_err(TablesProblem::Source)?;
            Ok(OpenTables::Files(tables))
        }
        Place::File(_) | Place::Bucket(_) => Err(TablesProblem::Unknown { given: named.to_owned() }),
    }
}

/// Whether a name is that of files.
pub(super) fn are_files(named: &str) -> bool {
    matches!(Place::named(named.to_owned()), Place::File(path) if Path::exists(&path))
}

/// Connects, and asks the person for a password where the server wants one.
pub(crate) async fn database(
    named: &str,
    place: &TablesPlace,
    description: &Description,
    output: &Output,
) -> Result<PostgresTables, TablesProblem> {
    let url = password::complete(named, place.password_file.as_deref())?;
    let connected = PostgresTables::connect(&url, description, TableOptions::default()).await;
    let error = match connected {
        Ok(tables) => return Ok(tables),
        Err(error) => error,
    };
    if url == named && output.may_ask() && password::is_wanted(&error) {
        let shown = Place::named(named.to_owned());
        let prompt = output.lang.pick(format!("{shown}의 비밀번호: "), format!("Password for {shown}: "));
        if let Some(typed) = password::typed(prompt).await {
            let url = password::with(named, &typed);
            let again = PostgresTables::connect(&url, description, TableOptions::default()).await;
            return again.map_err(TablesProblem::Source);
        }
    }
    Err(TablesProblem::Source(error))
}
