//! One file, by its kind.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use super::markdown::{self, Marks};
use super::text::text;
use super::{Block, Content, Error, Limits, Parsed, docx, html, hwpx, json, pdf};

/// What a file is, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Markdown,
    Text,
    Html,
    Pdf,
    Docx,
    /// HWPX, and HWP, of which the reader says what to do about it.
    Hwpx,
    Json,
}

impl Kind {
    /// By the name's ending; nothing if it is of no kind that is read.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        match ending.as_str() {
            "md" | "markdown" => Some(Self::Markdown),
            "txt" | "text" => Some(Self::Text),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "pdf" => Some(Self::Pdf),
            "docx" => Some(Self::Docx),
            "hwpx" | "hwp" => Some(Self::Hwpx),
            "json" | "jsonl" | "ndjson" => Some(Self::Json),
            _ => None,
        }
    }

    /// Is its reader one that hostile files may take down or keep busy?
    pub fn is_risky(self) -> bool {
        matches!(self, Self::Pdf | Self::Docx | Self::Hwpx)
    }
}

/// Reads a file within limits of size, unpacked size and pages. How long it takes is for the caller to limit.
pub fn read(path: &Path, limits: &Limits) -> Result<Parsed, Error> {
    let kind = Kind::of(path).ok_or_else(|| Error::UnknownKind(path.display().to_string()))?;
    let bytes = bytes(path, limits)?;
    let blocks = |blocks| Content::Blocks(blocks);
    let (title, content) = match kind {
        Kind::Markdown => (None, blocks(markdown::read(&text(bytes)?, Marks::Markdown))),
        Kind::Text => (None, blocks(markdown::read(&text(bytes)?, Marks::None))),
        Kind::Html => {
            let (title, found) = html::read(&text(bytes)?);
            (title, blocks(found))
        }
        Kind::Pdf => (None, blocks(pdf::read(&bytes, limits)?)),
        Kind::Docx => (None, blocks(docx::read(&bytes, limits)?)),
        Kind::Hwpx => (None, blocks(hwpx::read(&bytes, limits)?)),
        Kind::Json => return json::read(&text(bytes)?).map(Parsed::without_nul),
    };
    if matches!(&content, Content::Blocks(blocks) if blocks.is_empty()) {
        return Err(Error::Empty);
    }
    let blank_pages = blank_pages(&content);
    Ok(Parsed { title, content, blank_pages }.without_nul())
}

/// Pages that another one, or the end, follows at once.
fn blank_pages(content: &Content) -> Vec<u32> {
    let Content::Blocks(blocks) = content else { return Vec::new() };
    let next = blocks.iter().skip(1).map(Some).chain([None]);
    let blank = blocks.iter().zip(next).filter_map(|(block, next)| match (block, next) {
        (Block::Page(page), None | Some(Block::Page(_))) => Some(*page),
        _ => None,
    });
    blank.collect()
}

fn bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>, Error> {
    let open = |source| Error::Open { path: path.to_owned(), source };
    let file = fs::File::open(path).map_err(open)?;
    let size = file.metadata().map_err(open)?.len();
    if size > limits.size {
        return Err(Error::TooLarge { size, limit: limits.size });
    }
    let mut bytes = Vec::new();
    // It may grow while it is read, or be no real file at all.
    file.take(limits.size + 1).read_to_end(&mut bytes).map_err(open)?;
    if bytes.len() as u64 > limits.size {
        return Err(Error::TooLarge { size: bytes.len() as u64, limit: limits.size });
    }
    Ok(bytes)
}
