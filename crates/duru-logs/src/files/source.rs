//! The files of a folder, as tables that can be asked.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use datafusion::arrow::array::{AsArray, BooleanArray, RecordBatch};
use datafusion::arrow::compute::{filter_record_batch, is_null};
use datafusion::catalog::TableProvider;
use datafusion::datasource::MemTable;
use duru_sql::domain::Description;
use duru_sql::guard::Checked;
use duru_sql::tables::{TableNote, likely_keys, looks_secret, soft_delete_rule};
use duru_sql::{
    Answer, Asking, Catalog, ColumnKnowledge, Error, ForeignKey, Kind, Knowledge, Table, TableColumn,
    TableKnowledge, TableSource,
};
use jiff::Timestamp;

use super::contents;
use super::read::{self, FileRows};
use super::types;
use crate::Options;
use crate::query::{Engine, Question};

/// CSV, TSV, JSON, JSON lines and Parquet files, each a table, and workbooks, whose sheets are tables. They are read when they are opened, and never changed.
pub struct FileTables {
    engine: Engine,
    providers: Vec<(String, Arc<dyn TableProvider>)>,
    catalog: Arc<Catalog>,
    knowledge: Arc<Knowledge>,
    names: BTreeMap<String, Vec<String>>,
    notes: Vec<TableNote>,
    /// What queries spill; removed at the end.
    _spill: tempfile::TempDir,
}

impl FileTables {
    /// Reads a file, or the files of a folder. A file that can't be read is noted and left out.
    ///
    /// # Errors
    /// If there is no such path, or nothing in it can be read.
    pub async fn open(path: &Path, description: &Description) -> Result<Self, Error> {
        let (path, description) = (path.to_owned(), description.clone());
        let opening = tokio::task::spawn_blocking(move || Self::read(&path, &description));
        opening.await.map_err(|error| Error::Unavailable { reason: error.to_string() })?
    }

    fn read(path: &Path, description: &Description) -> Result<Self, Error> {
        let unavailable =
            |error: std::io::Error| Error::Unavailable { reason: format!("{}: {error}", path.display()) };
        let mut notes = Vec::new();
        let mut found: Vec<FileRows> = Vec::new();
        for file in read::files(path).map_err(unavailable)? {
            let table = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match read::read(&file) {
                Ok(contents) => {
                    notes.extend(contents.notes);
                    for rows in contents.tables {
                        add(rows, &mut found, &mut notes);
                    }
                }
                Err(error) => notes.push(TableNote::Fails { table, reason: error.to_string() }),
            }
        }
        let names = found.iter().map(|file| (file.name.clone(), columns(&file.rows))).collect();
        let mut tables: Vec<Table> =
            found.iter_mut().map(|file| table(file, description, &mut notes)).collect();
        infer_keys(&mut tables, &found);
        let known = tables.iter().zip(&found).map(|(table, file)| knowledge(table.clone(), &file.rows));
        let knowledge = Arc::new(Knowledge { tables: known.collect() });
        let provider = |file: &FileRows| -> Result<(String, Arc<dyn TableProvider>), Error> {
            let table = MemTable::try_new(file.rows.schema(), vec![vec![file.rows.clone()]]);
            let table = table.map_err(|error| Error::Unavailable { reason: error.to_string() })?;
            Ok((file.name.clone(), Arc::new(table)))
        };
        let providers = found.iter().map(provider).collect::<Result<_, _>>()?;
        let spill = tempfile::tempdir().map_err(unavailable)?;
        let engine = Engine::new(&Options::default(), spill.path(), None)?;
        Ok(Self {
            engine,
            providers,
            catalog: Arc::new(Catalog { tables }),
            knowledge,
            names,
            notes,
            _spill: spill,
        })
    }

    /// What may be asked: for the guard.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    /// The columns of every table that was read, also those that may not be asked.
    pub fn column_names(&self) -> &BTreeMap<String, Vec<String>> {
        &self.names
    }

    /// What to know before asking.
    pub fn notes(&self) -> &[TableNote] {
        &self.notes
    }
}

#[async_trait]
impl TableSource for FileTables {
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error> {
        let question =
            Question { sql: query.sql().to_owned(), tables: self.providers.clone(), now: Timestamp::now() };
        self.engine.ask(question, asking).await
    }

    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        Ok(Arc::clone(&self.knowledge))
    }

    /// They were read once.
    async fn version(&self) -> Result<String, Error> {
        Ok("files".to_owned())
    }
}

fn columns(rows: &RecordBatch) -> Vec<String> {
    rows.schema().fields().iter().map(|field| field.name().clone()).collect()
}

/// Adds a table under a name that no other has.
fn add(mut rows: FileRows, found: &mut Vec<FileRows>, notes: &mut Vec<TableNote>) {
    let taken = |name: &str| found.iter().any(|other| other.name == name);
    if taken(&rows.name) {
        match rows.longer_name.take().filter(|name| !taken(name)) {
            Some(name) => rows.name = name,
            None => {
                notes.push(TableNote::SameName { table: rows.name });
                return;
            }
        }
    }
    found.push(rows);
}

/// A file as a table, without what nobody should see.
fn table(file: &mut FileRows, description: &Description, notes: &mut Vec<TableNote>) -> Table {
    let words = description.table.get(&file.name).cloned().unwrap_or_default();
    let mut secret = Vec::new();
    let mut columns = Vec::new();
    for field in file.rows.schema().fields() {
        let (name, kind) = (field.name().clone(), types::kind(field.data_type()));
        if looks_secret(&name, &kind) && !words.allowed.contains(&name) {
            secret.push(name);
        } else if !words.hidden.contains(&name) && !name.contains(['"', '\\']) {
            columns.push(TableColumn { name, kind, description: None, synonyms: Vec::new() });
        }
    }
    let named = file.name.clone();
    if !secret.is_empty() {
        notes.push(TableNote::Secret { table: named.clone(), columns: secret });
    }
    if !file.left_out.is_empty() {
        let reason = format!("lists and structures can't be asked: {}", file.left_out.join(", "));
        notes.push(TableNote::Fails { table: named.clone(), reason });
    }
    let found = soft_delete_rule(&columns);
    let soft_delete = match words.soft_delete {
        Some(rule) => Some(rule).filter(|rule| !rule.trim().is_empty()),
        None => found.inspect(|_| drop_deleted(file, &columns)),
    };
    if let Some(rule) = &soft_delete {
        notes.push(TableNote::SoftDelete { table: named.clone(), rule: rule.clone() });
    }
    Table {
        schema: "public".to_owned(),
        name: named,
        columns,
        soft_delete,
        description: None,
        synonyms: Vec::new(),
        primary_key: Vec::new(),
        unique: Vec::new(),
        foreign_keys: Vec::new(),
        rows: Some(file.rows.num_rows() as u64),
    }
}

/// Rows that are marked as deleted are not even kept, so that no value of theirs is told.
fn drop_deleted(file: &mut FileRows, columns: &[TableColumn]) {
    let marks = columns.iter().filter(|column| soft_delete_rule(std::slice::from_ref(*column)).is_some());
    let Some(column) = marks.min_by_key(|column| column.kind != Kind::Boolean) else { return };
    let Some(marks) = file.rows.column_by_name(&column.name) else { return };
    let visible = match marks.as_boolean_opt() {
        Some(flags) => Ok(flags.iter().map(|flag| Some(flag != Some(true))).collect::<BooleanArray>()),
        None => is_null(marks),
    };
    if let Ok(rows) = visible.and_then(|visible| filter_record_batch(&file.rows, &visible)) {
        file.rows = rows;
    }
}

fn infer_keys(tables: &mut [Table], found: &[FileRows]) {
    let before = tables.to_vec();
    let unique = |at: usize, column: &str| contents::is_unique(&found[at].rows, column);
    for key in likely_keys(&before, &unique) {
        let (from, to) = (&found[key.from].rows, &found[key.to].rows);
        if key.doubtful && !contents::values_agree((from, &key.column), (to, &key.to_column)) {
            continue;
        }
        tables[key.from].foreign_keys.push(ForeignKey {
            columns: vec![key.column],
            schema: "public".to_owned(),
            table: before[key.to].name.clone(),
            to: vec![key.to_column],
            inferred: true,
        });
    }
}

fn knowledge(table: Table, rows: &RecordBatch) -> TableKnowledge {
    let columns = table.columns.iter().map(|column| {
        let nulls = rows
            .column_by_name(&column.name)
            .is_none_or(|column| datafusion::arrow::array::Array::null_count(column) > 0);
        let kept = contents::values(rows, &column.name);
        ColumnKnowledge {
            name: column.name.clone(),
            data_type: data_type(&column.kind).to_owned(),
            nullable: nulls,
            default: None,
            values: kept.values,
            empty: false,
            samples: kept.samples,
        }
    });
    let newest = Answer { columns: Vec::new(), rows: Vec::new(), cut: None, took: Duration::ZERO };
    TableKnowledge {
        columns: columns.collect(),
        indexes: Vec::new(),
        estimated_rows: rows.num_rows() as u64,
        newest,
        table,
    }
}

fn data_type(kind: &Kind) -> &'static str {
    match kind {
        Kind::Bigint => "bigint",
        Kind::Double => "double precision",
        Kind::Numeric => "numeric",
        Kind::Boolean => "boolean",
        Kind::Date => "date",
        Kind::Timestamp => "timestamp with time zone",
        Kind::LocalTimestamp => "timestamp without time zone",
        _ => "text",
    }
}
