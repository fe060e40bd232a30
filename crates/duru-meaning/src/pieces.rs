//! Text as pieces of words: the most likely way to cut it, of all that the vocabulary allows.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;

/// What stands in the place of a space; a word's first piece begins with it.
const SPACE: char = '\u{2581}';

/// The numbers of what is unknown, and of the beginning and the end of a text.
const UNKNOWN: usize = 0;
const BEGIN: usize = 1;
const END: usize = 2;

/// The pieces that words are made of.
pub(crate) struct Pieces {
    /// By its text: a piece's number and how likely it is.
    known: HashMap<String, (usize, f32)>,
    /// So many characters has the longest.
    longest: usize,
    /// Less likely than every piece.
    unlikely: f32,
}

impl Pieces {
    pub(crate) fn new(pieces: &[(String, f32)]) -> Self {
        let longest = pieces.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0);
        let unlikely = pieces.iter().map(|(_, score)| *score).fold(0.0, f32::min) - 10.0;
        let known =
            pieces.iter().enumerate().map(|(at, (text, score))| (text.clone(), (at, *score))).collect();
        Self { known, longest, unlikely }
    }

    /// The pieces' numbers, at most so many of them, with the marks of the beginning and the end.
    pub(crate) fn cut(&self, text: &str, most: usize) -> Vec<usize> {
        // No piece is shorter than a character: what comes later can't be among them.
        let text = normal(text, most * self.longest.min(8));
        let mut cut = vec![BEGIN];
        cut.extend(self.most_likely(&text));
        cut.truncate(most.max(2) - 1);
        cut.push(END);
        cut
    }

    /// The pieces of a stretch that other text may stand before, with no space between.
    pub(crate) fn stretch(&self, text: &str, spaced: bool) -> Vec<usize> {
        let text = normal(text, text.len());
        let own = if spaced { &text } else { text.strip_prefix(SPACE).unwrap_or(&text) };
        self.most_likely(own)
    }

    fn most_likely(&self, text: &str) -> Vec<usize> {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let count = starts.len() - 1;
        // For each place: how likely the best way there is, and its last piece.
        let mut best = vec![(f32::NEG_INFINITY, 0, UNKNOWN); count + 1];
        best[0].0 = 0.0;
        for from in 0..count {
            let here = best[from].0;
            let mut single = false;
            for to in from + 1..=(from + self.longest).min(count) {
                let Some((number, score)) = self.known.get(&text[starts[from]..starts[to]]) else { continue };
                single |= to == from + 1;
                if here + score > best[to].0 {
                    best[to] = (here + score, from, *number);
                }
            }
            if !single && here + self.unlikely > best[from + 1].0 {
                best[from + 1] = (here + self.unlikely, from, UNKNOWN);
            }
        }
        let mut pieces = Vec::new();
        let mut at = count;
        while at > 0 {
            pieces.push(best[at].2);
            at = best[at].1;
        }
        pieces.reverse();
        pieces
    }
}

/// In the one form that the pieces are written in.
fn normal(text: &str, most: usize) -> String {
    let mut normal = String::with_capacity(text.len().min(4 * most));
    for word in text.split_whitespace() {
        if normal.len() >= 4 * most {
            break;
        }
        normal.push(SPACE);
        normal.extend(
            word.nfkc().filter(|c| !c.is_control()).map(|c| if c.is_whitespace() { SPACE } else { c }),
        );
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces() -> Pieces {
        let all = [
            ("<unk>", 0.0),
            ("<s>", 0.0),
            ("</s>", 0.0),
            ("▁전세", -5.0),
            ("▁전", -4.0),
            ("세", -4.0),
            ("금", -3.0),
        ];
        Pieces::new(&all.map(|(text, score)| (text.to_owned(), score)))
    }

    #[test]
    fn the_most_likely_way_to_cut_a_word_is_taken() {
        assert_eq!(pieces().cut("전세금", 10), [BEGIN, 3, 6, END]);
        assert_eq!(pieces().cut("  전  ", 10), [BEGIN, 4, END]);
    }

    #[test]
    fn what_no_piece_holds_is_unknown_and_not_lost() {
        assert_eq!(pieces().cut("전X", 10), [BEGIN, 4, UNKNOWN, END]);
        assert_eq!(pieces().cut("", 10), [BEGIN, END]);
    }

    #[test]
    fn a_long_text_is_cut_off() {
        let cut = pieces().cut(&"전세 ".repeat(10_000), 6);
        assert_eq!(cut, [BEGIN, 3, 3, 3, 3, END]);
    }
}
