//! A line that is being edited, as the rows of a terminal.

use crate::text::{columns, width};

/// What is shown, and where the cursor stands in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct View {
    pub(super) rows: Vec<String>,
    pub(super) row: usize,
    pub(super) column: usize,
}

/// Lays a text out behind its prompt. A letter of two columns never stands in the last one alone; lines after a break
/// begin under the first.
pub(super) fn lay_out(prompt: &str, text: &str, cursor: usize, wide: usize) -> View {
    let indent = width(prompt).min(wide / 2);
    let mut rows = vec![prompt.to_owned()];
    let (mut at, mut place) = (width(prompt), (0, 0));
    let wide = wide.max(4);
    for (offset, c) in text.char_indices() {
        let takes = if c == '\n' { 0 } else { columns(c) };
        if at + takes > wide {
            rows.push(String::new());
            at = 0;
        }
        if offset == cursor {
            place = (rows.len() - 1, at);
        }
        if c == '\n' {
            rows.push(" ".repeat(indent));
            at = indent;
            continue;
        }
        if let Some(row) = rows.last_mut() {
            row.push(c);
        }
        at += takes;
    }
    if cursor >= text.len() {
        if at >= wide {
            rows.push(String::new());
            at = 0;
        }
        place = (rows.len() - 1, at);
    }
    View { rows, row: place.0, column: place.1 }
}

impl View {
    /// As many rows as fit, the cursor's among them.
    pub(super) fn within(mut self, high: usize) -> Self {
        let high = high.max(1);
        if self.rows.len() > high {
            let first = self.row.saturating_sub(high - 1);
            self.rows = self.rows.split_off(first);
            self.rows.truncate(high);
            self.row -= first;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hangul_wraps_before_the_last_column() {
        let view = lay_out("> ", "가나다라", "가나다라".len(), 7);
        assert_eq!(view.rows, ["> 가나", "다라"]);
        assert_eq!((view.row, view.column), (1, 4));
        // On the third syllable, which stands in the second row.
        let view = lay_out("> ", "가나다라", "가나".len(), 7);
        assert_eq!((view.row, view.column), (1, 0));
    }

    #[test]
    fn a_full_row_leaves_the_cursor_in_the_next() {
        let view = lay_out("> ", "abcd", 4, 6);
        assert_eq!((view.rows.len(), view.row, view.column), (2, 1, 0));
    }

    #[test]
    fn breaks_begin_under_the_first_letter() {
        let view = lay_out("> ", "하나\n둘", 7, 20);
        assert_eq!(view.rows, ["> 하나", "  둘"]);
        assert_eq!((view.row, view.column), (1, 2));
    }

    #[test]
    fn a_text_higher_than_the_screen_shows_where_the_cursor_is() {
        let text = "1\n2\n3\n4\n5";
        let end = lay_out("> ", text, text.len(), 20).within(2);
        assert_eq!((end.rows.as_slice(), end.row), (["  4".to_owned(), "  5".to_owned()].as_slice(), 1));
        let start = lay_out("> ", text, 0, 20).within(2);
        assert_eq!((start.rows[0].as_str(), start.row), ("> 1", 0));
    }
}
