//! Markdown, and plain text, which is Markdown without marks.

use super::Block;

const PAGE_END: char = '\u{c}';

/// Whether marks count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marks {
    Markdown,
    None,
}

pub(crate) fn read(text: &str, marks: Marks) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = Lines { blocks: &mut blocks, paragraph: String::new(), table: String::new() };
    let mut fence: Option<&str> = None;
    let text = text.trim_start_matches('\u{feff}');
    // A form feed is a page's end in text that was made of pages.
    let mut pages = text.contains(PAGE_END).then_some(1_u32);
    lines.blocks.extend(pages.map(Block::Page));
    for line in text.lines() {
        let ended = line.matches(PAGE_END).count();
        let bare;
        let line = if ended > 0 {
            bare = line.replace(PAGE_END, "");
            lines.end();
            pages = pages.map(|page| page.saturating_add(u32::try_from(ended).unwrap_or(u32::MAX)));
            lines.blocks.extend(pages.map(Block::Page));
            bare.as_str()
        } else {
            line
        };
        let trimmed = line.trim();
        if let Some(sign) = fence {
            lines.text(line);
            if trimmed.starts_with(sign) {
                fence = None;
            }
            continue;
        }
        if marks == Marks::None {
            if trimmed.is_empty() {
                lines.end()
            } else {
                lines.text(line)
            }
            continue;
        }
        if let Some(sign) = ["```", "~~~"].into_iter().find(|sign| trimmed.starts_with(sign)) {
            fence = Some(sign);
            lines.text(line);
        } else if let Some((level, heading)) = heading(trimmed) {
            lines.end();
            lines.blocks.push(Block::Heading { level, text: heading });
        } else if trimmed.starts_with('|') && trimmed.len() > 1 {
            lines.row(trimmed);
        } else if let Some(level) = underline(trimmed).filter(|_| lines.one_line()) {
            let text = std::mem::take(&mut lines.paragraph).trim().to_owned();
            lines.blocks.push(Block::Heading { level, text });
        } else if trimmed.is_empty() {
            lines.end();
        } else {
            lines.text(line);
        }
    }
    lines.end();
    // One at the end ends the last page, and begins none.
    let ended = text.trim_end_matches(|c: char| c.is_whitespace() && c != PAGE_END).ends_with(PAGE_END);
    if ended && matches!(blocks.last(), Some(Block::Page(_))) {
        blocks.pop();
    }
    blocks
}

struct Lines<'a> {
    blocks: &'a mut Vec<Block>,
    paragraph: String,
    table: String,
}

impl Lines<'_> {
    fn text(&mut self, line: &str) {
        self.end_table();
        self.paragraph.push_str(line);
        self.paragraph.push('\n');
    }

    fn row(&mut self, line: &str) {
        self.end_paragraph();
        self.table.push_str(line);
        self.table.push('\n');
    }

    /// Could the line below be an underline?
    fn one_line(&self) -> bool {
        self.paragraph.trim().lines().count() == 1
    }

    fn end(&mut self) {
        self.end_paragraph();
        self.end_table();
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        if !text.trim().is_empty() {
            self.blocks.push(Block::Paragraph(text.trim_end().to_owned()));
        }
    }

    fn end_table(&mut self) {
        let table = std::mem::take(&mut self.table);
        if !table.is_empty() {
            self.blocks.push(Block::Table(table.trim_end().to_owned()));
        }
    }
}

fn heading(line: &str) -> Option<(u8, String)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line[level..].strip_prefix(' ')?;
    (1..=6).contains(&level).then(|| (level as u8, rest.trim().trim_end_matches('#').trim().to_owned()))
}

fn underline(line: &str) -> Option<u8> {
    let all = |sign: u8| line.len() >= 3 && line.bytes().all(|byte| byte == sign);
    if all(b'=') {
        Some(1)
    } else if all(b'-') {
        Some(2)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_blocks() {
        let text =
            "# 제목\n글\n글\n\n## 절 ##\n| a | b |\n|---|---|\n| 1 | 2 |\n끝\n\n밑줄\n---\n```\n# 아님\n```";
        let blocks = read(text, Marks::Markdown);
        assert_eq!(
            blocks,
            [
                Block::Heading { level: 1, text: "제목".into() },
                Block::Paragraph("글\n글".into()),
                Block::Heading { level: 2, text: "절".into() },
                Block::Table("| a | b |\n|---|---|\n| 1 | 2 |".into()),
                Block::Paragraph("끝".into()),
                Block::Heading { level: 2, text: "밑줄".into() },
                Block::Paragraph("```\n# 아님\n```".into()),
            ]
        );
    }

    #[test]
    fn a_form_feed_ends_a_page() {
        let wanted = [
            Block::Page(1),
            Block::Paragraph("하나".into()),
            Block::Page(2),
            Block::Paragraph("둘".into()),
            Block::Page(4),
            Block::Paragraph("넷".into()),
        ];
        assert_eq!(read("하나\n\u{c}둘\n\u{c}\u{c}넷\n", Marks::None), wanted);
        assert_eq!(
            read("하나\n\u{c}둘\n\u{c}\u{c}넷\n\u{c}\n", Marks::None),
            wanted,
            "one ends the last page"
        );
    }

    #[test]
    fn plain_text_has_paragraphs_only() {
        assert_eq!(
            read("# 가\n나\n\n다", Marks::None),
            [Block::Paragraph("# 가\n나".into()), Block::Paragraph("다".into())]
        );
    }
}
