//! A file's rows as one table in memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::csv::ReaderBuilder;
use datafusion::arrow::csv::reader::Format;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Map, Value};

use duru_sql::tables::TableNote;

use super::{types, workbook};

/// A larger file is not read into memory.
const LARGEST: u64 = 1 << 30;

/// What a file holds: one table, or one for each sheet of a workbook.
#[derive(Default)]
pub(super) struct FileContents {
    pub(super) tables: Vec<FileRows>,
    pub(super) notes: Vec<TableNote>,
}

/// Rows of a file as a table.
pub(super) struct FileRows {
    pub(super) name: String,
    /// Its name where another table has the first one: of a sheet, together with its workbook's.
    pub(super) longer_name: Option<String>,
    pub(super) rows: RecordBatch,
    /// Columns that can't be asked: lists, structures, bytes.
    pub(super) left_out: Vec<String>,
}

pub(super) type Wrong = Box<dyn std::error::Error + Send + Sync>;

/// The files of a path that can be tables, in the order of their names.
pub(super) fn files(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if path.is_file() && form(&path).is_some() {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

#[derive(Clone, Copy)]
enum Form {
    Separated,
    Json,
    Parquet,
    Workbook,
}

fn form(path: &Path) -> Option<Form> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "csv" | "tsv" => Some(Form::Separated),
        "json" | "jsonl" | "ndjson" => Some(Form::Json),
        "parquet" => Some(Form::Parquet),
        "xlsx" | "xlsm" => Some(Form::Workbook),
        _ => None,
    }
}

pub(super) fn read(path: &Path) -> Result<FileContents, Wrong> {
    let size = path.metadata()?.len();
    if size > LARGEST {
        return Err(too_large(size));
    }
    let rows = match form(path) {
        Some(Form::Separated) => separated(path)?,
        Some(Form::Json) => json(path)?,
        Some(Form::Parquet) => parquet(path)?,
        Some(Form::Workbook) => return workbook::read(path, &stem(path), LARGEST),
        None => return Err("this is no .csv, .tsv, .json, .jsonl, .parquet or .xlsx file".into()),
    };
    Ok(FileContents { tables: vec![askable(stem(path), &rows)?], notes: Vec::new() })
}

pub(super) fn too_large(size: u64) -> Wrong {
    format!("the file has {size} bytes, and {LARGEST} are read at most").into()
}

fn stem(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("table").to_owned()
}

/// Rows with the columns that can be asked.
pub(super) fn askable(name: String, rows: &RecordBatch) -> Result<FileRows, Wrong> {
    let (mut fields, mut columns, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for (field, column) in rows.schema().fields().iter().zip(rows.columns()) {
        match types::usual(column)? {
            Some(column) => {
                fields.push(Field::new(field.name(), column.data_type().clone(), true));
                columns.push(column);
            }
            None => left_out.push(field.name().clone()),
        }
    }
    if columns.is_empty() {
        return Err("it has no column that can be asked".into());
    }
    let rows = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?;
    Ok(FileRows { name, longer_name: None, rows, left_out })
}

/// Texts with a header; what stands between them is found in it.
fn separated(path: &Path) -> Result<RecordBatch, Wrong> {
    let mut file = File::open(path)?;
    let mut start = [0; 3];
    // Spreadsheets mark their files at the beginning.
    let marked = file.read(&mut start)? == 3 && start == [0xef, 0xbb, 0xbf];
    let begin = if marked { 3 } else { 0 };
    file.seek(std::io::SeekFrom::Start(begin))?;
    let mut header = String::new();
    BufReader::new(&file).read_line(&mut header)?;
    let between = [b',', b';', b'\t', b'|'];
    let count = |byte: &u8| header.bytes().filter(|is| is == byte).count();
    let between = between.into_iter().rev().max_by_key(count).filter(|byte| count(byte) > 0).unwrap_or(b',');
    let format = Format::default().with_header(true).with_delimiter(between);
    file.seek(std::io::SeekFrom::Start(begin))?;
    let (found, _) = format.infer_schema(BufReader::new(&file), Some(1))?;
    let fields: Vec<Field> =
        found.fields().iter().map(|field| Field::new(field.name().trim(), DataType::Utf8, true)).collect();
    let schema = Arc::new(Schema::new(unnamed(fields)));
    file.seek(std::io::SeekFrom::Start(begin))?;
    let reader = ReaderBuilder::new(Arc::clone(&schema)).with_format(format).build(BufReader::new(&file))?;
    let batches = reader.collect::<Result<Vec<_>, _>>()?;
    typed(&concat_batches(&schema, &batches)?)
}

/// Columns without a name, or with one that another has, get one of their own.
fn unnamed(fields: Vec<Field>) -> Vec<Field> {
    let mut named: Vec<Field> = Vec::new();
    for (at, field) in fields.into_iter().enumerate() {
        let taken = field.name().is_empty() || named.iter().any(|other| other.name() == field.name());
        let name = if taken { format!("column_{}", at + 1) } else { field.name().clone() };
        named.push(field.with_name(name));
    }
    named
}

fn typed(texts: &RecordBatch) -> Result<RecordBatch, Wrong> {
    let columns = texts.columns().iter().map(types::of_texts).collect::<Result<Vec<_>, _>>()?;
    let schema = texts.schema();
    let fields = schema.fields().iter().zip(&columns);
    let fields: Vec<Field> =
        fields.map(|(field, column)| Field::new(field.name(), column.data_type().clone(), true)).collect();
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
}

/// An array of objects, or an object on every line. What is inside of an object is a column of its own: `a.b` is `a_b`.
fn json(path: &Path) -> Result<RecordBatch, Wrong> {
    let text = std::fs::read_to_string(path)?;
    let objects: Vec<Map<String, Value>> = match text.trim_start().starts_with('[') {
        true => serde_json::from_str(&text)?,
        false => {
            let rows = serde_json::Deserializer::from_str(&text).into_iter();
            rows.collect::<Result<_, _>>()?
        }
    };
    let mut names: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for object in objects {
        let mut row = Map::new();
        flatten("", object, &mut row);
        for name in row.keys() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        rows.push(row);
    }
    let column = |name: &String| -> ArrayRef {
        let texts = rows.iter().map(|row| match row.get(name) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => Some(other.to_string()),
        });
        Arc::new(texts.collect::<StringArray>())
    };
    let columns: Vec<ArrayRef> = names.iter().map(column).collect();
    of_texts(names, columns)
}

/// Columns of texts under their names, as what their values are.
pub(super) fn of_texts(names: Vec<String>, columns: Vec<ArrayRef>) -> Result<RecordBatch, Wrong> {
    let fields = names.into_iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    typed(&RecordBatch::try_new(Arc::new(Schema::new(unnamed(fields))), columns)?)
}

fn flatten(before: &str, object: Map<String, Value>, row: &mut Map<String, Value>) {
    for (name, value) in object {
        let name = if before.is_empty() { name } else { format!("{before}_{name}") };
        match value {
            Value::Object(inner) => flatten(&name, inner, row),
            value => {
                row.insert(name, value);
            }
        }
    }
}

fn parquet(path: &Path) -> Result<RecordBatch, Wrong> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?)?;
    let schema = Arc::clone(reader.schema());
    let batches = reader.build()?.collect::<Result<Vec<_>, _>>()?;
    Ok(concat_batches(&schema, &batches)?)
}
