//! Word documents: the text of a file in a zip archive.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

use super::docx_lists::Lists;
use super::xml::{self, Parts, Seen};
use super::{Block, Error, Limits};

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Block>, Error> {
    // A document with a password is an OLE container.
    if bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0]) {
        return Err(Error::Encrypted);
    }
    let mut parts = Parts::of(bytes, limits)?;
    let xml = parts.get("word/document.xml")?;
    let xml = xml.ok_or_else(|| Error::Damaged("it has no word/document.xml".to_owned()))?;
    let mut notes = HashMap::new();
    for (kind, name) in [(Note::Foot, "word/footnotes.xml"), (Note::End, "word/endnotes.xml")] {
        if let Some(xml) = parts.get(name)? {
            read_notes(&xml, kind, &mut notes)?;
        }
    }
    let numbering = parts.get("word/numbering.xml")?.unwrap_or_default();
    let styles = parts.get("word/styles.xml")?.unwrap_or_default();
    let mut body = Body { notes, lists: Lists::of(&numbering, &styles)?, ..Body::default() };
    xml::walk(&xml, |seen| match seen {
        Seen::Open(tag) => body.open(tag),
        Seen::Close(name) => body.close(name),
        Seen::Text(text) if body.in_text => body.push(text),
        Seen::Text(_) => {}
    })?;
    Ok(body.blocks)
}

/// Where a note stands on paper. Each kind has numbers of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Note {
    Foot,
    End,
}

/// Notes by their kind and number. What only separates them from the page is none.
fn read_notes(xml: &[u8], kind: Note, notes: &mut HashMap<(Note, String), String>) -> Result<(), Error> {
    let mut open: Option<(String, String)> = None;
    let mut in_text = false;
    xml::walk(xml, |seen| match seen {
        Seen::Open(tag) => match tag.local_name().as_ref() {
            b"footnote" | b"endnote" if xml::attribute(tag, "type").is_none() => {
                open = xml::attribute(tag, "id").map(|id| (id, String::new()));
            }
            b"t" => in_text = true,
            _ => {}
        },
        Seen::Close(name) => match name {
            b"t" => in_text = false,
            b"p" => open.iter_mut().for_each(|(_, text)| text.push(' ')),
            b"footnote" | b"endnote" => {
                let told = open.take().map(|(id, text)| ((kind, id), text.trim().to_owned()));
                notes.extend(told.filter(|(_, text)| !text.is_empty()));
            }
            _ => {}
        },
        Seen::Text(text) if in_text => open.iter_mut().for_each(|(_, note)| note.push_str(text)),
        Seen::Text(_) => {}
    })
}

#[derive(Default)]
struct Body {
    blocks: Vec<Block>,
    notes: HashMap<(Note, String), String>,
    lists: Lists,
    in_text: bool,
    paragraph: String,
    /// Of the paragraph: the notes that it refers to, its style, and its list with the level in it.
    noted: Vec<String>,
    style: Option<String>,
    list: (Option<String>, Option<u8>),
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
            b"pStyle" => {
                self.heading = style_level(tag);
                self.style = xml::attribute(tag, "val");
            }
            b"numId" => self.list.0 = xml::attribute(tag, "val"),
            b"ilvl" => self.list.1 = xml::attribute(tag, "val").and_then(|level| level.parse().ok()),
            b"footnoteReference" => self.note(Note::Foot, tag),
            b"endnoteReference" => self.note(Note::End, tag),
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

    /// A note is read behind the paragraph that it belongs to, and once: a file may refer to a long one without end.
    fn note(&mut self, kind: Note, tag: &BytesStart<'_>) {
        let text = xml::attribute(tag, "id").and_then(|id| self.notes.remove(&(kind, id)));
        self.noted.extend(text.map(|text| format!("※ {text}")));
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        let (heading, style, (list, level)) =
            (self.heading.take(), self.style.take(), std::mem::take(&mut self.list));
        let noted = std::mem::take(&mut self.noted);
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let number = self.lists.next(list.as_deref(), level, style.as_deref());
        self.add(heading, &number.map_or_else(|| text.to_owned(), |number| format!("{number} {text}")));
        for note in noted {
            self.add(None, &note);
        }
    }

    fn add(&mut self, heading: Option<u8>, text: &str) {
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
        archive(&[("word/document.xml", xml)])
    }

    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, xml) in files {
            archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(xml.as_bytes()).unwrap();
        }
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
    fn notes_stand_behind_their_paragraph_and_items_have_their_numbers() {
        let item = |level: u8, text: &str| {
            format!(
                r#"<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="4"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#
            )
        };
        let body = [item(0, "목적"), item(1, "첫째"), item(1, "둘째"), item(0, "갱신"), item(1, "다시 첫째")]
            .concat();
        let document = format!(
            r#"<w:document><w:body><w:p><w:r><w:t>보증금은 1억원이다.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>{body}</w:body></w:document>"#
        );
        let footnotes = r#"<w:footnotes><w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>-</w:t></w:r></w:p></w:footnote>
            <w:footnote w:id="2"><w:p><w:r><w:t>부가세 별도</w:t></w:r></w:p></w:footnote></w:footnotes>"#;
        let numbering = r#"<w:numbering><w:abstractNum w:abstractNumId="0">
            <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="제%1조"/></w:lvl>
            <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="ganada"/><w:lvlText w:val="%1-%2)"/></w:lvl>
            </w:abstractNum><w:num w:numId="4"><w:abstractNumId w:val="0"/></w:num></w:numbering>"#;
        let bytes = archive(&[
            ("word/document.xml", document.as_str()),
            ("word/footnotes.xml", footnotes),
            ("word/numbering.xml", numbering),
        ]);
        let blocks = read(&bytes, &Limits::default()).unwrap();
        let told: Vec<&str> = blocks
            .iter()
            .map(|block| match block {
                Block::Paragraph(text) => text.as_str(),
                other => panic!("{other:?}"),
            })
            .collect();
        let wanted = [
            "보증금은 1억원이다.",
            "※ 부가세 별도",
            "제1조 목적",
            "1-가) 첫째",
            "1-나) 둘째",
            "제2조 갱신",
            "2-가) 다시 첫째",
        ];
        assert_eq!(told, wanted);
    }

    #[test]
    fn a_note_that_is_referred_to_again_is_read_once() {
        let refers = r#"<w:p><w:r><w:t>글</w:t><w:footnoteReference w:id="2"/></w:r></w:p>"#.repeat(1000);
        let document = format!("<w:document><w:body>{refers}</w:body></w:document>");
        let note = "길다".repeat(1000);
        let footnotes = format!(
            r#"<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>{note}</w:t></w:r></w:p></w:footnote></w:footnotes>"#
        );
        let bytes = archive(&[("word/document.xml", &document), ("word/footnotes.xml", &footnotes)]);
        let blocks = read(&bytes, &Limits::default()).unwrap();
        assert_eq!(blocks.len(), 1001);
        assert_eq!(blocks[1], Block::Paragraph(format!("※ {note}")));
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
