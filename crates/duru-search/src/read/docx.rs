//! Word documents: the text of a file in a zip archive.

use quick_xml::events::BytesStart;

use super::xml::{self, Parts, Seen};
use super::{Block, Error, Limits};

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Block>, Error> {
    // A document with a password is an OLE container.
    if bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0]) {
        return Err(Error::Encrypted);
    }
    let xml = Parts::of(bytes, limits)?.get("word/document.xml")?;
    let xml = xml.ok_or_else(|| Error::Damaged("it has no word/document.xml".to_owned()))?;
    let mut body = Body::default();
    xml::walk(&xml, |seen| match seen {
        Seen::Open(tag) => body.open(tag),
        Seen::Close(name) => body.close(name),
        Seen::Text(text) if body.in_text => body.push(text),
        Seen::Text(_) => {}
    })?;
    Ok(body.blocks)
}

#[derive(Default)]
struct Body {
    blocks: Vec<Block>,
    in_text: bool,
    paragraph: String,
    heading: Option<u8>,
    /// How many tables are open, and the rows of the outermost.
    tables: u32,
    table: String,
    cell: String,
}

impl Body {
    fn open(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().as_ref() {
            b"t" => self.in_text = true,
            b"tab" => self.push(" "),
            b"br" | b"cr" => self.push("\n"),
            b"pStyle" => self.heading = style_level(tag),
            b"tbl" => self.tables += 1,
            b"tr" if self.tables == 1 => self.table.push('|'),
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        match name {
            b"t" => self.in_text = false,
            b"p" => self.end_paragraph(),
            b"tc" if self.tables == 1 => {
                self.table.push_str(&format!(" {} |", std::mem::take(&mut self.cell).trim()));
            }
            b"tr" if self.tables == 1 => self.table.push('\n'),
            b"tbl" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    let table = std::mem::take(&mut self.table);
                    self.blocks.push(Block::Table(table.trim_end().to_owned()));
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        self.paragraph.push_str(text);
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        let heading = self.heading.take();
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if self.tables > 0 {
            self.cell.push_str(&text.replace('\n', " "));
            self.cell.push(' ');
        } else if let Some(level) = heading {
            self.blocks.push(Block::Heading { level, text: text.to_owned() });
        } else {
            self.blocks.push(Block::Paragraph(text.to_owned()));
        }
    }
}

/// Heading1, 제목1, or a number alone, as Word names the styles of headings; Title is the outermost.
fn style_level(tag: &BytesStart<'_>) -> Option<u8> {
    let style = xml::attribute(tag, "val")?.to_lowercase();
    if style == "title" {
        return Some(1);
    }
    let number =
        ["heading", "제목", ""].iter().find_map(|prefix| style.strip_prefix(prefix)?.trim().parse().ok())?;
    (1..=6).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write as _};

    fn docx(xml: &str) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        archive.start_file("word/document.xml", zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(xml.as_bytes()).unwrap();
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn paragraphs_headings_and_tables_are_read() {
        let xml = r#"<w:document><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>계약서</w:t></w:r></w:p>
            <w:p><w:r><w:t>임대인 &amp; </w:t></w:r><w:r><w:t>임차인</w:t></w:r></w:p>
            <w:tbl><w:tr><w:tc><w:p><w:r><w:t>가</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>나</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
            </w:body></w:document>"#;
        assert_eq!(
            read(&docx(xml), &Limits::default()).unwrap(),
            [
                Block::Heading { level: 1, text: "계약서".into() },
                Block::Paragraph("임대인 & 임차인".into()),
                Block::Table("| 가 | 나 |".into()),
            ]
        );
    }

    #[test]
    fn hostile_archives_are_refused() {
        let bomb = docx(&" ".repeat(3 << 20));
        assert!(bomb.len() < 100_000);
        let limits = Limits { text: 1 << 20, ..Limits::default() };
        assert!(matches!(read(&bomb, &limits), Err(Error::Expands { .. })));
        let laughs = docx("<!DOCTYPE x [<!ENTITY a \"aaaa\">]><w:document/>");
        assert!(matches!(read(&laughs, &limits), Err(Error::Damaged(_))));
        assert!(matches!(read(&docx(&"<w:p>".repeat(2000)), &limits), Err(Error::Damaged(_))));
        assert!(matches!(read(&[0xD0, 0xCF, 0x11, 0xE0, 0], &limits), Err(Error::Encrypted)));
        assert!(matches!(read(b"PK nothing", &limits), Err(Error::Damaged(_))));
        let cut = docx("<w:document><w:body><w:p><w:r><w:t>임대인은");
        assert!(matches!(read(&cut, &limits), Err(Error::Damaged(why)) if why.contains("too early")));
    }
}
