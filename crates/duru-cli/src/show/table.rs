//! Columns that line up, Hangul included.

use crate::text::{pad, width};

/// A table with a head. The last column is not filled up.
pub(crate) fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = std::iter::once(head.map(str::to_owned)).chain(rows).collect();
    let mut widths = [0; N];
    for row in &rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(cell).max(*widest);
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| pad(cell, width)).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
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
