//! The draft as a Word document: a zip archive of a few XML files.

use std::io::{Cursor, Write as _};

use quick_xml::escape::escape;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::blocks::{Block, blocks};
use super::check::Flaw;
use super::form::LeaseForm;

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The form can't be right; what is wrong is said in both languages.
    #[error("the form can't be right: {}", said(.0))]
    Flawed(Vec<Flaw>),
    #[error("the document can't be written: {0}")]
    Archive(#[from] zip::result::ZipError),
    #[error("the document can't be written: {0}")]
    Write(#[from] std::io::Error),
}

fn said(flaws: &[Flaw]) -> String {
    flaws.iter().map(|flaw| flaw.text().1).collect::<Vec<_>>().join(" ")
}

const TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>"#;
const RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;
const DOCUMENT_RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#;
const STYLES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Malgun Gothic" w:hAnsi="Malgun Gothic" w:eastAsia="맑은 고딕"/><w:sz w:val="21"/><w:lang w:val="ko-KR" w:eastAsia="ko-KR"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="300" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:pPr><w:jc w:val="center"/><w:spacing w:after="240"/></w:pPr><w:rPr><w:b/><w:sz w:val="36"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="200" w:after="60"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="23"/></w:rPr></w:style></w:styles>"#;
const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>"#;
const END: &str = r#"<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>"#;

/// The draft as the bytes of a `.docx` file, the same for the same form. A
/// form with a grave flaw has none; one with blanks has.
pub fn docx(form: &LeaseForm) -> Result<Vec<u8>, Error> {
    let grave: Vec<Flaw> = form.flaws().into_iter().filter(Flaw::is_grave).collect();
    if !grave.is_empty() {
        return Err(Error::Flawed(grave));
    }
    let mut body = String::from(HEAD);
    for block in blocks(form) {
        match block {
            Block::Title(text) => body.push_str(&paragraph(Some("Title"), &text)),
            Block::Heading(text) => body.push_str(&paragraph(Some("Heading1"), &text)),
            Block::Text(text) => body.push_str(&paragraph(None, &text)),
            Block::Table(rows) => body.push_str(&table(&rows)),
        }
    }
    body.push_str(END);
    // Without the time of day in it, so that the same form gives the same file.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let files = [
        ("[Content_Types].xml", TYPES),
        ("_rels/.rels", RELATIONS),
        ("word/document.xml", &body),
        ("word/_rels/document.xml.rels", DOCUMENT_RELATIONS),
        ("word/styles.xml", STYLES),
    ];
    for (name, text) in files {
        archive.start_file(name, options)?;
        archive.write_all(text.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

fn paragraph(style: Option<&str>, text: &str) -> String {
    let style =
        style.map(|style| format!(r#"<w:pPr><w:pStyle w:val="{style}"/></w:pPr>"#)).unwrap_or_default();
    let text = plain(text);
    format!(r#"<w:p>{style}<w:r><w:t xml:space="preserve">{}</w:t></w:r></w:p>"#, escape(&text))
}

fn table(rows: &[Vec<String>]) -> String {
    const BORDERS: [&str; 6] = ["top", "left", "bottom", "right", "insideH", "insideV"];
    let borders: String = BORDERS
        .map(|side| format!(r#"<w:{side} w:val="single" w:sz="4" w:space="0" w:color="808080"/>"#))
        .concat();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let grid: String = "<w:gridCol/>".repeat(columns);
    let mut text = format!(
        r#"<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders>{borders}</w:tblBorders></w:tblPr><w:tblGrid>{grid}</w:tblGrid>"#
    );
    for row in rows {
        text.push_str("<w:tr>");
        for cell in row {
            text.push_str(&format!("<w:tc><w:tcPr/>{}</w:tc>", paragraph(None, cell)));
        }
        text.push_str("</w:tr>");
    }
    // Word wants a paragraph behind a table.
    text.push_str("</w:tbl><w:p/>");
    text
}

/// Without the characters that XML does not know.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && *c != '\u{fffe}' && *c != '\u{ffff}').collect()
}
