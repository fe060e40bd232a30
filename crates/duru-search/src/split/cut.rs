//! Long texts in pieces that overlap.

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

/// Cuts at lines, else behind sentences, else wherever it must.
pub(super) fn cut(text: &str, sizes: Sizes) -> Vec<String> {
    let text = text.trim();
    if text.chars().count() <= sizes.whole {
        return if text.is_empty() { Vec::new() } else { vec![text.to_owned()] };
    }
    let mut pieces: Vec<String> = Vec::new();
    let mut piece = String::new();
    let mut length = 0;
    for unit in units(text, sizes.usual) {
        let count = unit.chars().count();
        if length > 0 && length + count > sizes.usual {
            let tail = tail(&piece, sizes.overlap);
            pieces.push(std::mem::take(&mut piece).trim().to_owned());
            length = tail.chars().count();
            piece = tail;
        }
        piece.push_str(unit);
        length += count;
    }
    let rest = piece.trim();
    if !rest.is_empty() {
        pieces.push(rest.to_owned());
    }
    pieces
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
fn tail(text: &str, overlap: usize) -> String {
    let count = text.chars().count();
    let start = text.char_indices().nth(count.saturating_sub(overlap)).map_or(0, |(at, _)| at);
    let tail = &text[start..];
    tail.find(char::is_whitespace).map_or(tail, |at| &tail[at..]).trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: Sizes = Sizes { usual: 40, whole: 60, overlap: 12 };

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
    fn a_date_is_no_end_of_a_sentence() {
        assert_eq!(sentences("2024. 7. 10. 시행. 끝"), ["2024. 7. 10. 시행. ", "끝"]);
    }
}
