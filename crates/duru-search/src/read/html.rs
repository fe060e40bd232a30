//! HTML as text. A tokeniser and no tree: nesting can't be too deep.

use html5gum::{Token, Tokenizer};

use super::Block;

/// What is between these tags is not for people.
const HIDDEN: &[&[u8]] =
    &[b"script", b"style", b"noscript", b"template", b"svg", b"head", b"iframe", b"object", b"nav"];

/// Lists in lists, beyond which items have no numbers.
const DEEPEST_LIST: usize = 20;

/// Tags that end a line.
const LINES: &[&[u8]] = &[
    b"p",
    b"div",
    b"br",
    b"li",
    b"ul",
    b"ol",
    b"section",
    b"article",
    b"header",
    b"footer",
    b"main",
    b"aside",
    b"blockquote",
    b"pre",
    b"dl",
    b"dt",
    b"dd",
    b"hr",
    b"form",
    b"figure",
    b"figcaption",
    b"table",
];

/// The title and the blocks of a page.
pub(super) fn read(text: &str) -> (Option<String>, Vec<Block>) {
    let mut page = Page::default();
    for token in Tokenizer::new(text) {
        match token {
            Ok(Token::StartTag(tag)) => {
                let of = |name: &[u8]| {
                    let value = tag.attributes.iter().find(|(known, _)| known.as_slice() == name)?.1;
                    Some(String::from_utf8_lossy(value).into_owned())
                };
                page.open(&tag.name, tag.self_closing, Counting::of(&tag.name, of));
            }
            Ok(Token::EndTag(tag)) => page.close(&tag.name),
            Ok(Token::String(text)) => page.text(&String::from_utf8_lossy(&text)),
            Ok(_) => {}
            // Reading from a string can't fail.
            Err(never) => match never {},
        }
    }
    page.end();
    let title = page.title.trim();
    ((!title.is_empty()).then(|| title.to_owned()), page.blocks)
}

/// What a list or an item says of its numbers.
#[derive(Debug, Clone, Copy, Default)]
struct Counting {
    /// The first, or the item's own.
    from: Option<i32>,
    /// Backwards, or not in digits: then we can't say what a browser shows.
    otherwise: bool,
}

impl Counting {
    fn of(tag: &[u8], attribute: impl Fn(&[u8]) -> Option<String>) -> Self {
        let number = |name: &[u8]| attribute(name).and_then(|value| value.trim().parse().ok());
        match tag {
            b"ol" => Self {
                from: number(b"start"),
                otherwise: attribute(b"reversed").is_some()
                    || attribute(b"type").is_some_and(|shape| shape.trim() != "1"),
            },
            b"li" => Self { from: number(b"value"), otherwise: false },
            _ => Self::default(),
        }
    }

    /// What a list has counted before its first item.
    fn begins(self) -> Option<i32> {
        (!self.otherwise).then(|| self.from.map_or(0, |first| first.saturating_sub(1)))
    }
}

#[derive(Default)]
struct Page {
    blocks: Vec<Block>,
    title: String,
    in_title: bool,
    /// The tag that hides what follows, and how often it is open.
    hidden: Option<(Vec<u8>, u32)>,
    heading: Option<u8>,
    /// How many tables are open.
    tables: u32,
    /// How far each open list has counted; nothing where it does not count.
    lists: Vec<Option<i32>>,
    text: String,
}

impl Page {
    fn open(&mut self, name: &[u8], closed: bool, counting: Counting) {
        if name == b"title" {
            self.in_title = true;
        }
        if let Some((tag, depth)) = &mut self.hidden {
            if tag == name && !closed {
                *depth += 1;
            }
            return;
        }
        if HIDDEN.contains(&name) && !closed {
            self.hidden = Some((name.to_vec(), 1));
        } else if let Some(level) = level(name) {
            self.end();
            self.heading = Some(level);
        } else if name == b"table" {
            if self.tables == 0 {
                self.end();
            }
            self.tables += 1;
        } else if name == b"tr" && self.tables > 0 {
            self.text.push_str("\n| ");
        } else if LINES.contains(&name) {
            self.line();
            self.item(name, counting);
        }
    }

    /// Browsers show the numbers of a list that are not in its text.
    fn item(&mut self, name: &[u8], counting: Counting) {
        let nested = self.lists.len() < DEEPEST_LIST;
        match (name, self.lists.last_mut()) {
            (b"ol", _) if nested => self.lists.push(counting.begins()),
            (b"ul", _) if nested => self.lists.push(None),
            (b"li", Some(Some(count))) => {
                *count = counting.from.unwrap_or_else(|| count.saturating_add(1));
                self.text.push_str(&format!("{count}. "));
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        if name == b"title" {
            self.in_title = false;
        }
        if let Some((tag, depth)) = &mut self.hidden {
            if tag == name {
                *depth -= 1;
            }
            // A body begins even where nobody closed the head.
            if *depth == 0 {
                self.hidden = None;
            }
            return;
        }
        if level(name).is_some() {
            self.end();
        } else if name == b"table" && self.tables > 0 {
            self.tables -= 1;
            if self.tables == 0 {
                let rows: Vec<String> =
                    std::mem::take(&mut self.text).lines().map(squash).filter(|row| row.len() > 1).collect();
                if !rows.is_empty() {
                    self.blocks.push(Block::Table(rows.join("\n")));
                }
            }
        } else if (name == b"td" || name == b"th") && self.tables > 0 {
            self.text.push_str(" | ");
        } else if LINES.contains(&name) {
            self.line();
            if matches!(name, b"ol" | b"ul") {
                self.lists.pop();
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_title {
            self.title.push_str(text);
        } else if self.hidden.is_none() {
            // Line ends of the source mean nothing on a page.
            self.text.extend(text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }));
        }
    }

    /// Lines within a cell stay in it.
    fn line(&mut self) {
        self.text.push(if self.tables > 0 { ' ' } else { '\n' });
    }

    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        let lines: Vec<String> = text.lines().map(squash).filter(|line| !line.is_empty()).collect();
        let heading = self.heading.take();
        if lines.is_empty() {
            return;
        }
        self.blocks.push(match heading {
            Some(level) => Block::Heading { level, text: lines.join(" ") },
            None => Block::Paragraph(lines.join("\n")),
        });
    }
}

fn level(name: &[u8]) -> Option<u8> {
    match name {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

fn squash(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_what_people_see_of_it() {
        let html = "<html><head><title>안내 </title><style>p{}</style></head><body><script>alert(1)</script>\
                    <h1>보수</h1><p>하나 &amp;\n둘<br>셋</p><table><tr><th>가</th><th>나</th></tr><tr><td>1</td><td>2</td></tr></table>\
                    <noscript><p>숨음</p></noscript>끝";
        let (title, blocks) = read(html);
        assert_eq!(title.as_deref(), Some("안내"));
        assert_eq!(
            blocks,
            [
                Block::Heading { level: 1, text: "보수".into() },
                Block::Paragraph("하나 & 둘\n셋".into()),
                Block::Table("| 가 | 나 |\n| 1 | 2 |".into()),
                Block::Paragraph("끝".into()),
            ]
        );
    }

    #[test]
    fn items_of_a_list_that_counts_have_their_numbers() {
        let html = "<ol><li>하나<ul><li>점</li></ul></li><li>둘</li></ol><ul><li>셋</li></ul><ol><li>넷</ol>";
        let (_, blocks) = read(html);
        assert_eq!(blocks, [Block::Paragraph("1. 하나\n점\n2. 둘\n셋\n1. 넷".into())]);
    }

    #[test]
    fn a_list_may_begin_elsewhere_and_one_that_counts_otherwise_has_no_numbers() {
        let html = "<ol start=5><li>다섯</li><li value='9'>아홉</li><li>열</li></ol><ol start=x><li>하나</li></ol>\
                    <ol type=a><li>가</li></ol><ol reversed><li>끝</li></ol>";
        let (_, blocks) = read(html);
        assert_eq!(blocks, [Block::Paragraph("5. 다섯\n9. 아홉\n10. 열\n1. 하나\n가\n끝".into())]);
    }

    #[test]
    fn nesting_and_open_ends_do_no_harm() {
        let (_, blocks) = read(&format!("{}안{}", "<div><table><tr><td>".repeat(50_000), "<h1>"));
        assert!(!blocks.is_empty());
        assert!(read("<script>never closed").1.is_empty());
    }
}
