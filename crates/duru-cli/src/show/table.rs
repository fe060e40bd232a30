//! Columns that line up, Hangul included.

use crate::text::width;

/// A table with a head. The last column is not filled up.
pub(crate) fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = std::iter::once(head.map(str::to_owned)).chain(rows).collect();
    lined_up(&rows, &[Align::Left; N])
}

/// At which end of its column a cell stands.
#[derive(Clone, Copy)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows of cells, a line each, two spaces between columns, and nothing behind the last cell.
pub(crate) fn lined_up<R: AsRef<[String]>>(rows: &[R], aligns: &[Align]) -> String {
    let widths: Vec<usize> = (0..aligns.len()).map(|column| widest(rows, column)).collect();
    let filled = |(cell, (width_of_column, align)): (&String, (&usize, &Align))| {
        let space = " ".repeat(width_of_column.saturating_sub(width(cell)));
        match align {
            Align::Left => format!("{cell}{space}"),
            Align::Right => format!("{space}{cell}"),
        }
    };
    let line = |row: &R| {
        let cells: Vec<String> = row.as_ref().iter().zip(widths.iter().zip(aligns)).map(filled).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// How wide a column is.
pub(crate) fn widest<R: AsRef<[String]>>(rows: &[R], column: usize) -> usize {
    rows.iter().filter_map(|row| row.as_ref().get(column)).map(|cell| width(cell)).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let text =
            table(["이름", "n"], [["두루".to_owned(), "1".to_owned()], ["a".to_owned(), "2".to_owned()]]);
        assert_eq!(text, "이름  n\n두루  1\na     2\n");
    }
}
