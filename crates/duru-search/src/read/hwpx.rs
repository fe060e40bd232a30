//! Hangul documents as XML (HWPX): sections in a zip archive. What is older (HWP) is refused with what to do about it.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

use super::xml::{self, Parts, Seen};
use super::{Block, Error, Limits};

/// A longer paragraph is no heading, whatever its style says.
const LONGEST_HEADING: usize = 100;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Block>, Error> {
    // HWP 5 is an OLE container; HWP 3 says what it is.
    if bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0]) || bytes.starts_with(b"HWP Document File") {
        return Err(Error::Hwp);
    }
    let mut parts = Parts::of(bytes, limits)?;
    let manifest = parts.get("META-INF/manifest.xml")?.unwrap_or_default();
    if String::from_utf8_lossy(&manifest).contains("encryption-data") {
        return Err(Error::Encrypted);
    }
    let mut sections: Vec<(u32, String)> =
        parts.names().filter_map(|name| Some((section(name)?, name.to_owned()))).collect();
    if sections.is_empty() {
        return Err(Error::Damaged("it has no Contents/section0.xml".to_owned()));
    }
    // The tenth comes behind the second.
    sections.sort();
    let mut body =
        Body { levels: levels(&parts.get("Contents/header.xml")?.unwrap_or_default())?, ..Body::default() };
    for (_, name) in sections {
        let xml = parts.get(&name)?.unwrap_or_default();
        xml::walk(&xml, |seen| match seen {
            Seen::Open(tag) => body.open(tag),
            Seen::Close(name) => body.close(name),
            Seen::Text(text) if body.in_text && body.deleted == 0 => body.push(text),
            Seen::Text(_) => {}
        })?;
    }
    Ok(body.blocks)
}

/// Which section a file of the archive is.
fn section(name: &str) -> Option<u32> {
    name.strip_prefix("Contents/section")?.strip_suffix(".xml")?.parse().ok()
}

/// Which paragraph shapes are headings, and of which level: those of the outline.
fn levels(header: &[u8]) -> Result<HashMap<String, u8>, Error> {
    let mut levels = HashMap::new();
    let mut shape = None;
    xml::walk(header, |seen| {
        let Seen::Open(tag) = seen else { return };
        match tag.local_name().as_ref() {
            b"paraPr" => shape = xml::attribute(tag, "id"),
            b"heading" if xml::attribute(tag, "type").as_deref() == Some("OUTLINE") => {
                let level =
                    xml::attribute(tag, "level").and_then(|level| level.parse::<u8>().ok()).unwrap_or(0);
                levels.extend(shape.clone().map(|shape| (shape, level.min(5) + 1)));
            }
            _ => {}
        }
    })?;
    Ok(levels)
}

/// A paragraph that is open. Tables, text boxes and footnotes stand inside of paragraphs and have their own.
struct Paragraph {
    text: String,
    level: Option<u8>,
}

#[derive(Default)]
struct Body {
    levels: HashMap<String, u8>,
    blocks: Vec<Block>,
    open: Vec<Paragraph>,
    in_text: bool,
    /// How many marks of deleted text are open.
    deleted: u32,
    /// How many tables are open, and the rows of the outermost.
    tables: u32,
    table: String,
    cell: String,
}

impl Body {
    fn open(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().as_ref() {
            b"t" => self.in_text = true,
            b"p" => {
                let level =
                    xml::attribute(tag, "paraPrIDRef").and_then(|shape| self.levels.get(&shape).copied());
                self.open.push(Paragraph { text: String::new(), level });
            }
            b"tab" | b"nbSpace" | b"fwSpace" if self.in_text => self.push(" "),
            b"lineBreak" if self.in_text => self.push("\n"),
            b"deleteBegin" => self.deleted += 1,
            b"deleteEnd" => self.deleted = self.deleted.saturating_sub(1),
            b"tbl" => {
                if self.tables == 0 {
                    // What is said before a table stands before it.
                    self.end_paragraph();
                }
                self.tables += 1;
            }
            b"tr" if self.tables == 1 => self.table.push('|'),
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        match name {
            b"t" => self.in_text = false,
            b"p" => {
                self.end_paragraph();
                self.open.pop();
            }
            b"tc" if self.tables == 1 => {
                self.table.push_str(&format!(" {} |", std::mem::take(&mut self.cell).trim()));
            }
            b"tr" if self.tables == 1 => self.table.push('\n'),
            b"tbl" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    let table = std::mem::take(&mut self.table);
                    if table.chars().any(char::is_alphanumeric) {
                        self.blocks.push(Block::Table(table.trim_end().to_owned()));
                    }
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(paragraph) = self.open.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    /// Says what the innermost paragraph has so far.
    fn end_paragraph(&mut self) {
        let Some(paragraph) = self.open.last_mut() else { return };
        let (text, level) = (std::mem::take(&mut paragraph.text), paragraph.level);
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if self.tables > 0 {
            self.cell.push_str(&text.replace(['\n', '|'], " "));
            self.cell.push(' ');
            return;
        }
        let text = text.to_owned();
        self.blocks.push(match level {
            Some(level) if text.chars().count() <= LONGEST_HEADING => Block::Heading { level, text },
            _ => Block::Paragraph(text),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use super::*;

    const HEADER: &str = r#"<hh:head><hh:paraPr id="3"><hh:heading type="OUTLINE" idRef="0" level="0"/></hh:paraPr>
        <hh:paraPr id="4"><hh:heading type="NONE" idRef="0" level="0"/></hh:paraPr></hh:head>"#;

    fn hwpx(files: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(content.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn section(content: &str) -> String {
        format!("<?xml version=\"1.0\"?><hs:sec>{content}</hs:sec>")
    }

    fn paragraph(shape: u8, text: &str) -> String {
        format!("<hp:p paraPrIDRef=\"{shape}\"><hp:run><hp:t>{text}</hp:t></hp:run></hp:p>")
    }

    #[test]
    fn headings_paragraphs_and_tables_are_read_in_the_order_of_the_sections() {
        let cell = |text: &str| format!("<hp:tc><hp:subList>{}</hp:subList></hp:tc>", paragraph(4, text));
        let table = format!(
            "<hp:p paraPrIDRef=\"4\"><hp:run><hp:t>표 앞</hp:t><hp:tbl><hp:tr>{}{}</hp:tr><hp:tr>{}{}</hp:tr></hp:tbl><hp:t>표 뒤</hp:t></hp:run></hp:p>",
            cell("구분"),
            cell("일수"),
            cell("연차 &amp; 휴가"),
            cell("15"),
        );
        let first = section(&format!("{}{table}", paragraph(3, "취업규칙")));
        let deleted = "남은<hp:deleteBegin/>지운<hp:deleteEnd/> 글<hp:lineBreak/>둘째&#44; 줄";
        let (second, tenth) = (section(&paragraph(4, deleted)), section(&paragraph(4, "끝")));
        let file = hwpx(&[
            ("Contents/section10.xml", &tenth),
            ("Contents/section2.xml", &second),
            ("Contents/section0.xml", &first),
            ("Contents/header.xml", HEADER),
        ]);
        assert_eq!(
            read(&file, &Limits::default()).unwrap(),
            [
                Block::Heading { level: 1, text: "취업규칙".into() },
                Block::Paragraph("표 앞".into()),
                Block::Table("| 구분 | 일수 |\n| 연차 & 휴가 | 15 |".into()),
                Block::Paragraph("표 뒤".into()),
                Block::Paragraph("남은 글\n둘째, 줄".into()),
                Block::Paragraph("끝".into()),
            ]
        );
    }

    #[test]
    fn what_is_no_whole_hwpx_is_refused_by_what_is_wrong() {
        let limits = Limits { text: 1 << 20, ..Limits::default() };
        assert!(matches!(read(&[0xD0, 0xCF, 0x11, 0xE0, 0], &limits), Err(Error::Hwp)));
        assert!(matches!(read(b"HWP Document File V3.00", &limits), Err(Error::Hwp)));
        assert!(matches!(read(b"PK nothing", &limits), Err(Error::Damaged(_))));
        assert!(matches!(
            read(&hwpx(&[("mimetype", "application/hwp+zip")]), &limits),
            Err(Error::Damaged(_))
        ));
        let cut = hwpx(&[("Contents/section0.xml", "<hs:sec><hp:p><hp:run><hp:t>글")]);
        assert!(matches!(read(&cut, &limits), Err(Error::Damaged(why)) if why.contains("too early")));
        let locked = [("META-INF/manifest.xml", "<odf:encryption-data/>"), ("Contents/section0.xml", "<x/>")];
        assert!(matches!(read(&hwpx(&locked), &limits), Err(Error::Encrypted)));
        // Each is small enough, both are not.
        let half = " ".repeat(700 << 10);
        let bomb = hwpx(&[("Contents/section0.xml", &half), ("Contents/section1.xml", &half)]);
        assert!(matches!(read(&bomb, &limits), Err(Error::Expands { .. })));
    }
}
