//! A workbook (`.xlsx`): every visible sheet is a table, whose first row has the names of its columns.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use calamine::{Data, Dimensions, Range, Reader as _, SheetType, SheetVisible, Xlsx, open_workbook};
use datafusion::arrow::array::{ArrayRef, StringArray};
use duru_sql::tables::{SheetNote, TableNote};

use super::read::{self, FileContents, FileRows, Wrong};

/// The sheets of a workbook. One that can't be a table is left out, and it is said why.
pub(super) fn read(path: &Path, stem: &str, largest: u64) -> Result<FileContents, Wrong> {
    let unpacked = unpacked_size(path)?;
    if unpacked > largest {
        return Err(read::too_large(unpacked));
    }
    let mut book: Xlsx<_> = open_workbook(path)?;
    let mut contents = FileContents::default();
    let mut empty = Vec::new();
    for sheet in book.sheets_metadata().to_vec() {
        if sheet.typ != SheetType::WorkSheet {
            continue;
        }
        let mut note = |note| contents.notes.push(TableNote::Sheet { table: sheet.name.clone(), note });
        if sheet.visible != SheetVisible::Visible {
            note(SheetNote::Hidden);
            continue;
        }
        let merged = book.merge_cells_by_sheet_name(&sheet.name)?;
        let grid = Grid { cells: book.worksheet_range(&sheet.name)?, merged };
        match grid.table() {
            Ok(Some(table)) => {
                table.notes.into_iter().for_each(note);
                let rows = read::of_texts(table.names, table.columns)?;
                let rows = read::askable(sheet.name.replace(['"', '\\'], ""), &rows)?;
                let longer_name = Some(format!("{stem}_{}", rows.name));
                contents.tables.push(FileRows { longer_name, ..rows });
            }
            Ok(None) => empty.push(sheet.name),
            Err(why) => note(why),
        }
    }
    if contents.tables.is_empty() && contents.notes.is_empty() {
        let notes = empty.into_iter().map(|table| TableNote::Sheet { table, note: SheetNote::Empty });
        contents.notes.extend(notes);
    }
    // `Sheet1` says nothing; the file's name does.
    if let [only] = contents.tables.as_mut_slice()
        && is_default_name(&only.name)
    {
        stem.clone_into(&mut only.name);
    }
    Ok(contents)
}

/// How many bytes the parts of a workbook have: it is a ZIP archive, and a small one can hold a lot.
fn unpacked_size(path: &Path) -> Result<u64, Wrong> {
    let file = File::open(path)?;
    let opened = zip::ZipArchive::new(file);
    let mut archive = opened.map_err(|error| format!("this is no workbook, or a damaged one ({error})"))?;
    let mut size = 0u64;
    for at in 0..archive.len() {
        size = size.saturating_add(archive.by_index_raw(at)?.size());
    }
    Ok(size)
}

/// Whether a spreadsheet program gave the sheet its name.
fn is_default_name(name: &str) -> bool {
    let number = ["Sheet", "시트"].iter().find_map(|word| name.strip_prefix(word));
    number.is_some_and(|number| number.trim().bytes().all(|byte| byte.is_ascii_digit()))
}

/// The cells of a sheet, by their places in it: rows and columns count from 0.
struct Grid {
    cells: Range<Data>,
    merged: Vec<Dimensions>,
}

struct SheetTable {
    names: Vec<String>,
    columns: Vec<ArrayRef>,
    notes: Vec<SheetNote>,
}

impl Grid {
    /// The table of a sheet; none if it is empty.
    fn table(&self) -> Result<Option<SheetTable>, SheetNote> {
        let (Some(start), Some(end)) = (self.cells.start(), self.cells.end()) else { return Ok(None) };
        let filled = |row: u32| (start.1..=end.1).filter(|column| !self.is_empty(row, *column)).count();
        let mut rows = (start.0..=end.0).filter(|row| filled(*row) > 0);
        let Some(first) = rows.next() else { return Ok(None) };
        let wide = (start.0..=end.0).any(|row| filled(row) > 1);
        // A lone text above is what the sheet is called.
        let header = if wide && filled(first) == 1 { rows.find(|row| filled(*row) > 1) } else { Some(first) };
        let Some(header) = header else { return Ok(None) };
        self.check_header(header, start.1, end.1)?;

        let mut notes = Vec::new();
        if header != first {
            notes.push(SheetNote::Title { row: first + 1, names: header + 1 });
        }
        let body: Vec<u32> = (header + 1..=end.0).filter(|row| filled(*row) > 0).collect();
        let (mut names, mut columns) = (Vec::new(), Vec::new());
        let (mut nameless, mut wrong) = (Vec::new(), 0);
        for column in start.1..=end.1 {
            let cells: Vec<&Data> = body.iter().map(|row| self.shown(*row, column)).collect();
            let name = text(self.at(header, column)).unwrap_or_default();
            if name.is_empty() {
                if cells.iter().all(|cell| is_empty(cell)) {
                    continue;
                }
                nameless.push(letters(column));
            }
            wrong += cells.iter().filter(|cell| matches!(cell, Data::Error(_))).count();
            names.push(name.split_whitespace().collect::<Vec<_>>().join(" "));
            columns.push(texts(&cells));
        }
        if !nameless.is_empty() {
            notes.push(SheetNote::NamelessColumns { columns: nameless });
        }
        if wrong > 0 {
            notes.push(SheetNote::Errors { count: wrong });
        }
        Ok(Some(SheetTable { names, columns, notes }))
    }

    /// Names of columns are texts, one in each cell.
    fn check_header(&self, row: u32, from: u32, to: u32) -> Result<(), SheetNote> {
        let over = self.merged.iter().find(|area| (area.start.0..=area.end.0).contains(&row));
        if let Some(area) = over {
            let place = |(row, column): (u32, u32)| format!("{}{}", letters(column), row + 1);
            let cells = format!("{}:{}", place(area.start), place(area.end));
            return Err(SheetNote::MergedHeader { cells });
        }
        let is_name = |column| matches!(self.at(row, column), Data::String(text) if !text.trim().is_empty());
        if (from..=to).any(is_name) { Ok(()) } else { Err(SheetNote::NoHeader { row: row + 1 }) }
    }

    fn at(&self, row: u32, column: u32) -> &Data {
        self.cells.get_value((row, column)).unwrap_or(&Data::Empty)
    }

    fn is_empty(&self, row: u32, column: u32) -> bool {
        is_empty(self.at(row, column))
    }

    /// The value that a person sees: cells that are merged downwards show their first one's.
    fn shown(&self, row: u32, column: u32) -> &Data {
        let inside = |area: &&Dimensions| {
            (area.start.1, area.end.1) == (column, column) && (area.start.0..=area.end.0).contains(&row)
        };
        let row = self.merged.iter().find(inside).map_or(row, |area| area.start.0);
        self.at(row, column)
    }
}

fn is_empty(cell: &Data) -> bool {
    match cell {
        Data::Empty => true,
        Data::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// The letters of a column: A, B, … Z, AA.
fn letters(column: u32) -> String {
    let (before, last) = (column / 26, column % 26);
    let last = char::from(b'A' + u8::try_from(last).unwrap_or_default());
    if before == 0 { last.to_string() } else { format!("{}{last}", letters(before - 1)) }
}

/// Cells as texts. Days stand alone where no cell of the column has an hour.
fn texts(cells: &[&Data]) -> ArrayRef {
    let has_hour = |cell: &&Data| match cell {
        Data::DateTime(at) => at.is_datetime() && at.as_f64().fract() != 0.0,
        _ => false,
    };
    let hours = cells.iter().any(has_hour);
    let one = |cell: &&Data| match cell {
        Data::DateTime(at) if at.is_datetime() && at.as_f64() >= 1.0 => {
            let (year, month, day, hour, minute, second, _) = at.to_ymd_hms_milli();
            let day = format!("{year:04}-{month:02}-{day:02}");
            Some(if hours { format!("{day} {hour:02}:{minute:02}:{second:02}") } else { day })
        }
        cell => text(cell),
    };
    Arc::new(cells.iter().map(one).collect::<StringArray>())
}

fn text(cell: &Data) -> Option<String> {
    match cell {
        Data::Empty | Data::Error(_) => None,
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => {
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        }
        Data::Int(number) => Some(number.to_string()),
        Data::Float(number) => Some(number.to_string()),
        Data::Bool(flag) => Some(flag.to_string()),
        // A time of day, or how long something took.
        Data::DateTime(at) => {
            let seconds = (at.as_f64() * 86_400.0).round().abs();
            let sign = if at.as_f64() < 0.0 { "-" } else { "" };
            let (hours, minutes) = ((seconds / 3_600.0).floor(), (seconds / 60.0).floor() % 60.0);
            Some(format!("{sign}{hours:02}:{minutes:02}:{:02}", seconds % 60.0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        let named: Vec<String> = [0, 25, 26, 51, 52, 701, 702].map(letters).to_vec();
        assert_eq!(named, ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }

    #[test]
    fn a_default_name_says_nothing() {
        assert!(
            is_default_name("Sheet1") && is_default_name("시트 2") && !is_default_name("Sheets of paper")
        );
    }
}
