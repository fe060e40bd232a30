//! XML in a zip archive, as word processors write it, within limits.

use std::io::{Cursor, Read as _};

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};
use zip::ZipArchive;
use zip::result::ZipError;

use super::{Error, Limits};

/// A document's elements are never nested deeper, but a hostile one's may be.
const DEEPEST: usize = 512;

/// What is come across on the way through a file.
pub(super) enum Seen<'a> {
    Open(&'a BytesStart<'a>),
    /// By its name without the prefix.
    Close(&'a [u8]),
    Text(&'a str),
}

/// The files of an archive, with what is left of the room for their text.
pub(super) struct Parts<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    limit: u64,
    left: u64,
}

impl<'a> Parts<'a> {
    pub(super) fn of(bytes: &'a [u8], limits: &Limits) -> Result<Self, Error> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        Ok(Self { archive, limit: limits.text, left: limits.text })
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.archive.file_names()
    }

    /// A file of the archive; nothing if there is none of this name.
    pub(super) fn get(&mut self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let entry = match self.archive.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(damaged(error)),
        };
        let mut bytes = Vec::new();
        // The size that an archive states is not believed.
        entry.take(self.left + 1).read_to_end(&mut bytes).map_err(damaged)?;
        let size = bytes.len() as u64;
        self.left = self.left.checked_sub(size).ok_or(Error::Expands { limit: self.limit })?;
        Ok(Some(bytes))
    }
}

fn damaged(error: impl std::fmt::Display) -> Error {
    Error::Damaged(error.to_string())
}

/// Goes through a file from its beginning to its end.
pub(super) fn walk(xml: &[u8], mut see: impl FnMut(Seen<'_>)) -> Result<(), Error> {
    let mut reader = Reader::from_reader(xml);
    reader.config_mut().check_end_names = false;
    let mut depth = 0_usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(Error::Damaged("nested too deep".to_owned()));
                }
                see(Seen::Open(&tag));
            }
            Ok(Event::Empty(tag)) => {
                see(Seen::Open(&tag));
                see(Seen::Close(tag.local_name().as_ref()));
            }
            Ok(Event::End(tag)) => {
                depth = depth.saturating_sub(1);
                see(Seen::Close(tag.local_name().as_ref()));
            }
            Ok(Event::Text(text)) => see(Seen::Text(&text.decode().map_err(damaged)?)),
            Ok(Event::CData(text)) => see(Seen::Text(&text.decode().map_err(damaged)?)),
            Ok(Event::GeneralRef(name)) => see(Seen::Text(&entity(&name))),
            // Entities of its own are what makes small files huge; word processors write none.
            Ok(Event::DocType(_)) => return Err(Error::Damaged("it declares entities".to_owned())),
            Ok(Event::Eof) if depth > 0 => return Err(Error::Damaged("it ends too early".to_owned())),
            Ok(Event::Eof) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(damaged(error)),
        }
    }
}

fn entity(name: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = name.resolve_char_ref() {
        return character.to_string();
    }
    let plain = match name.as_ref() {
        b"amp" => "&",
        b"lt" => "<",
        b"gt" => ">",
        b"quot" => "\"",
        b"apos" => "'",
        _ => " ",
    };
    plain.to_owned()
}

/// An attribute, by its name without the prefix.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|one| one.key.local_name().as_ref() == name.as_bytes())?;
    Some(String::from_utf8_lossy(&found.value).into_owned())
}
