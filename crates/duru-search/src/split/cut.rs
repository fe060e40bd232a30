//! Long texts in pieces that overlap.

use std::ops::Range;

/// How long pieces are, in characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// A piece ends when it has so many.
    pub(super) usual: usize,
    /// What is no longer than this stays whole.
    pub(super) whole: usize,
    /// So much of a piece's end begins the next one.
    pub(super) overlap: usize,
}

/// Cuts at lines, else behind sentences, else wherever it must; tells where in the text each piece stands, without the
/// space around it.
pub(super) fn cut(text: &str, sizes: Sizes) -> Vec<Range<usize>> {
    let all = trimmed(text, 0..text.len());
    if text[all.clone()].chars().count() <= sizes.whole {
        return if all.is_empty() { Vec::new() } else { vec![all] };
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut piece = all.start..all.start;
    let mut length = 0;
    for unit in units(&text[all], sizes.usual) {
        let count = unit.chars().count();
        if length > 0 && length + count > sizes.usual {
            let tail = tail(&text[piece.clone()], sizes.overlap);
            length = tail.chars().count();
            let next = piece.end - tail.len()..piece.end;
            pieces.push(trimmed(text, std::mem::replace(&mut piece, next)));
        }
        piece.end += unit.len();
        length += count;
    }
    pieces.push(trimmed(text, piece));
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let begins = range.start + (part.len() - part.trim_start().len());
    begins..begins + part.trim().len()
}

/// A table that is too long, in pieces of whole rows, each below the table's first row. `None` if a piece may have it whole.
pub(super) fn cut_table(table: &str, sizes: Sizes) -> Option<Vec<String>> {
    if table.chars().count() <= sizes.whole {
        return None;
    }
    let mut rows = table.lines().peekable();
    let mut head = rows.next()?.to_owned();
    let is_line = |row: &&str| row.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    if let Some(line) = rows.next_if(is_line) {
        head = format!("{head}\n{line}");
    }
    if head.chars().count() > sizes.usual / 2 {
        return None;
    }
    let mut pieces: Vec<String> = Vec::new();
    for row in rows {
        let fits = |piece: &&mut String| piece.chars().count() + row.chars().count() < sizes.usual;
        match pieces.last_mut().filter(fits) {
            Some(piece) => *piece += &format!("\n{row}"),
            None => pieces.push(format!("{head}\n{row}")),
        }
    }
    Some(pieces)
}

/// Lines; of lines that are too long sentences; of those pieces of the usual length.
fn units(text: &str, usual: usize) -> Vec<&str> {
    let mut units = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.chars().count() <= usual {
            units.push(line);
            continue;
        }
        for sentence in sentences(line) {
            let mut rest = sentence;
            while let Some((at, _)) = rest.char_indices().nth(usual) {
                units.push(&rest[..at]);
                rest = &rest[at..];
            }
            units.push(rest);
        }
    }
    units
}

/// Behind a full stop that a space follows: 2024. 7. 10. has a digit before each of them.
fn sentences(line: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    let mut last = ' ';
    for (at, c) in line.char_indices() {
        if c.is_whitespace() && matches!(last, '.' | '?' | '!' | '。') && !before.is_ascii_digit() {
            let end = at + c.len_utf8();
            sentences.push(&line[start..end]);
            start = end;
        }
        (before, last) = (last, c);
    }
    if start < line.len() {
        sentences.push(&line[start..]);
    }
    sentences
}

/// The last characters, from the beginning of a word on.
fn tail(text: &str, overlap: usize) -> &str {
    let count = text.chars().count();
    let start = text.char_indices().nth(count.saturating_sub(overlap)).map_or(0, |(at, _)| at);
    let tail = &text[start..];
    tail.find(char::is_whitespace).map_or(tail, |at| &tail[at..]).trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: Sizes = Sizes { usual: 40, whole: 60, overlap: 12 };

    fn cut(text: &str, sizes: Sizes) -> Vec<&str> {
        super::cut(text, sizes).into_iter().map(|piece| &text[piece]).collect()
    }

    #[test]
    fn pieces_overlap_and_lose_nothing() {
        let text: String = (0..30).map(|n| format!("문장 번호 {n} 입니다. ")).collect();
        let pieces = cut(&text, SIZES);
        assert!(pieces.len() > 5);
        for n in 0..30 {
            assert!(pieces.iter().any(|piece| piece.contains(&format!("번호 {n} 입니다"))), "{n}");
        }
        assert!(pieces.iter().all(|piece| piece.chars().count() <= 60), "{pieces:?}");
        let shared = pieces[1].chars().take(4).collect::<String>();
        assert!(pieces[0].contains(&shared));
    }

    #[test]
    fn short_text_is_whole_and_a_text_without_ends_is_cut_anyway() {
        assert_eq!(cut("짧다", SIZES), ["짧다"]);
        assert!(cut(" \n ", SIZES).is_empty());
        assert!(cut(&"가".repeat(500), SIZES).len() > 5);
    }

    #[test]
    fn a_long_table_is_cut_between_rows_below_its_first_row() {
        let rows: String = (0..6).map(|n| format!("| 품목 {n} | {n}00원 |\n")).collect();
        let pieces = cut_table(&format!("| 이름 | 값 |\n|---|---|\n{rows}"), SIZES).unwrap();
        assert!(pieces.len() > 1);
        for piece in &pieces {
            assert!(piece.starts_with("| 이름 | 값 |\n|---|---|\n| 품목 "), "{piece}");
        }
        for n in 0..6 {
            assert_eq!(pieces.iter().filter(|piece| piece.contains(&format!("품목 {n}"))).count(), 1);
        }
        assert_eq!(cut_table("| 가 |\n| 나 |", SIZES), None);
    }

    #[test]
    fn a_date_is_no_end_of_a_sentence() {
        assert_eq!(sentences("2024. 7. 10. 시행. 끝"), ["2024. 7. 10. 시행. ", "끝"]);
    }
}
