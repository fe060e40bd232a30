//! PDF. The library that reads it may panic on what it does not expect: that is caught here, and what can't be
//! caught is what the command line has a process of its own for.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Block, Error, Limits};

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Block>, Error> {
    let pages = catch_unwind(AssertUnwindSafe(|| pages(bytes, limits)))
        .map_err(|_| Error::Damaged("the PDF can't be understood".to_owned()))??;
    let mut blocks = Vec::new();
    let mut size = 0_u64;
    for (index, page) in pages.into_iter().enumerate() {
        size += page.len() as u64;
        if size > limits.text {
            return Err(Error::Expands { limit: limits.text });
        }
        blocks.push(Block::Page(index as u32 + 1));
        blocks.extend(paragraphs(&page));
    }
    // A file of scans alone is refused; where only some pages are, the others count.
    if !blocks.iter().any(|block| matches!(block, Block::Paragraph(_))) {
        return Err(Error::Empty);
    }
    Ok(blocks)
}

fn pages(bytes: &[u8], limits: &Limits) -> Result<Vec<String>, Error> {
    let damaged = |error: &dyn std::fmt::Display| Error::Damaged(error.to_string());
    let document = pdf_extract::Document::load_mem(bytes).map_err(|error| damaged(&error))?;
    if document.is_encrypted() {
        return Err(Error::Encrypted);
    }
    let count = document.get_pages().len();
    if count > limits.pages {
        return Err(Error::TooManyPages { pages: count, limit: limits.pages });
    }
    pdf_extract::extract_text_from_mem_by_pages(bytes).map_err(|error| damaged(&error))
}

/// Lines that follow each other are one paragraph.
fn paragraphs(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut text = String::new();
    for line in page.lines().map(str::trim_end).chain([""]) {
        if line.trim().is_empty() {
            if !text.is_empty() {
                blocks.push(Block::Paragraph(std::mem::take(&mut text)));
            }
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
    }
    blocks
}
