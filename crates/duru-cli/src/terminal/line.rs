//! The text of a line that is being edited, and where in it the cursor is.

use crate::text::columns;

/// One line as the person sees it; it may contain line breaks. The cursor never stands within a syllable.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Line {
    text: String,
    cursor: usize,
    /// What was cut last.
    cut: String,
}

/// Where to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Left,
    Right,
    WordLeft,
    WordRight,
    Home,
    End,
}

impl Line {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Another text, with the cursor at its end.
    pub(super) fn replace(&mut self, text: String) {
        self.cursor = text.len();
        self.text = text;
    }

    /// Puts text in, without what a terminal would obey.
    pub(super) fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\t', "    ");
        let text: String = text.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
    }

    pub(super) fn go(&mut self, way: Way) {
        self.cursor = self.place(way);
    }

    /// Deletes from the cursor that way. What is longer than a letter can be put back.
    pub(super) fn delete(&mut self, way: Way) {
        let to = self.place(way);
        let (from, to) = (self.cursor.min(to), self.cursor.max(to));
        let gone: String = self.text.drain(from..to).collect();
        self.cursor = from;
        if !matches!(way, Way::Left | Way::Right) && !gone.is_empty() {
            self.cut = gone;
        }
    }

    /// Puts back what was cut last.
    pub(super) fn put_back(&mut self) {
        let cut = self.cut.clone();
        self.insert(&cut);
    }

    /// Up or down within a text of several lines; whether there was such a line.
    pub(super) fn go_line(&mut self, down: bool) -> bool {
        let start = self.place(Way::Home);
        let column = self.text[start..self.cursor].chars().count();
        let target = if down {
            match self.text[self.cursor..].find('\n') {
                Some(end) => self.cursor + end + 1,
                None => return false,
            }
        } else if start == 0 {
            return false;
        } else {
            self.text[..start - 1].rfind('\n').map_or(0, |at| at + 1)
        };
        let line = self.text[target..].split('\n').next().unwrap_or_default();
        self.cursor = target + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
        true
    }

    fn place(&self, way: Way) -> usize {
        match way {
            Way::Left => self.before(self.cursor),
            Way::Right => self.after(self.cursor),
            Way::WordLeft => {
                let mut at = self.cursor;
                while at > 0 && !self.is_word_at(self.before(at)) {
                    at = self.before(at);
                }
                while at > 0 && self.is_word_at(self.before(at)) {
                    at = self.before(at);
                }
                at
            }
            Way::WordRight => {
                let mut at = self.cursor;
                while at < self.text.len() && !self.is_word_at(at) {
                    at = self.after(at);
                }
                while at < self.text.len() && self.is_word_at(at) {
                    at = self.after(at);
                }
                at
            }
            Way::Home => self.text[..self.cursor].rfind('\n').map_or(0, |at| at + 1),
            Way::End => self.text[self.cursor..].find('\n').map_or(self.text.len(), |at| self.cursor + at),
        }
    }

    fn is_word_at(&self, at: usize) -> bool {
        self.text[at..].chars().next().is_some_and(char::is_alphanumeric)
    }

    fn before(&self, at: usize) -> usize {
        let mut place = at;
        for (start, c) in self.text[..at].char_indices().rev() {
            place = start;
            if !joins(c) {
                break;
            }
        }
        place
    }

    fn after(&self, at: usize) -> usize {
        let mut letters = self.text[at..].char_indices();
        letters.next();
        letters.find(|(_, c)| !joins(*c)).map_or(self.text.len(), |(offset, _)| at + offset)
    }
}

/// Whether a character belongs to the one before it: marks, and the vowels and finals of a syllable that is written in
/// its parts.
fn joins(c: char) -> bool {
    c != '\n' && columns(c) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        let mut line = Line::default();
        line.insert(text);
        line
    }

    #[test]
    fn a_syllable_is_one_letter_however_it_is_written() {
        // 각, composed and as its three parts.
        for syllable in ["각", "\u{1100}\u{1161}\u{11a8}"] {
            let mut line = line(&format!("a{syllable}b"));
            line.go(Way::Left);
            line.go(Way::Left);
            assert_eq!(line.cursor(), 1, "{syllable}");
            line.delete(Way::Right);
            assert_eq!(line.text(), "ab", "{syllable}");
        }
    }

    #[test]
    fn words_are_cut_and_put_back() {
        let mut line = line("강남구 아파트, 시세");
        line.delete(Way::WordLeft);
        assert_eq!(line.text(), "강남구 아파트, ");
        line.go(Way::Home);
        line.put_back();
        assert_eq!(line.text(), "시세강남구 아파트, ");
        line.go(Way::WordRight);
        line.delete(Way::End);
        assert_eq!(line.text(), "시세강남구");
    }

    #[test]
    fn several_lines_are_one_text() {
        let mut line = line("하나\r\n둘셋넷\r다섯\u{1b}[31m");
        assert_eq!(line.text(), "하나\n둘셋넷\n다섯[31m");
        assert!(line.go_line(false), "there is a line above");
        assert_eq!(&line.text()[line.cursor()..], "\n다섯[31m", "the line above is shorter");
        assert!(line.go_line(false) && !line.go_line(false));
        line.go(Way::Home);
        assert!(line.go_line(true));
        assert_eq!(&line.text()[..line.cursor()], "하나\n");
        line.delete(Way::End);
        assert_eq!(line.text(), "하나\n\n다섯[31m");
    }
}
