//! The frames of the write-ahead log: a mark, a length, a checksum, the content.

use std::io::Cursor;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::ipc::reader::StreamReader;
use datafusion::arrow::ipc::writer::StreamWriter;
use xxhash_rust::xxh3::xxh3_64;

use crate::columns::SCHEMA;

const MARK: [u8; 4] = *b"\xD0\x0DLW";
const HEAD: usize = 16;
const ROWS: u8 = 1;
const DELETED: u8 = 2;

/// What one frame says.
#[derive(Debug)]
pub(super) enum Content {
    Rows { key: Option<String>, batch: RecordBatch },
    Deleted(Vec<i64>),
}

/// Why a log ends where it does.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    Whole,
    /// A last frame that was never finished, and so never acknowledged.
    Torn,
    /// Whole frames follow what can't be read.
    Damaged,
}

pub(super) fn rows(key: Option<&str>, batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let mut frame = opened(ROWS, batch.get_array_memory_size() / 2);
    let length = key.map_or(u32::MAX, |key| u32::try_from(key.len()).unwrap_or(u32::MAX - 1));
    frame.extend(length.to_le_bytes());
    frame.extend(key.unwrap_or_default().as_bytes());
    let mut writer = StreamWriter::try_new(&mut frame, &SCHEMA)?;
    writer.write(batch)?;
    writer.finish()?;
    drop(writer);
    Ok(closed(frame))
}

pub(super) fn deleted(ids: &[i64]) -> Vec<u8> {
    let mut frame = opened(DELETED, ids.len() * 8);
    ids.iter().for_each(|id| frame.extend(id.to_le_bytes()));
    closed(frame)
}

fn opened(kind: u8, room: usize) -> Vec<u8> {
    let mut frame = Vec::with_capacity(HEAD + 5 + room);
    frame.extend(MARK);
    frame.extend([0; HEAD - 4]);
    frame.push(kind);
    frame
}

fn closed(mut frame: Vec<u8>) -> Vec<u8> {
    let length = u32::try_from(frame.len() - HEAD).unwrap_or(u32::MAX);
    let sum = xxh3_64(&frame[HEAD..]);
    frame[4..8].copy_from_slice(&length.to_le_bytes());
    frame[8..16].copy_from_slice(&sum.to_le_bytes());
    frame
}

/// The checksum of a whole frame.
pub(super) fn sum(frame: &[u8]) -> u64 {
    frame.get(8..16).and_then(|sum| sum.try_into().ok()).map_or(0, u64::from_le_bytes)
}

/// The frame at the beginning of the bytes, if a whole and sound one is there.
fn first(bytes: &[u8]) -> Option<&[u8]> {
    let head = bytes.get(..HEAD)?;
    let length = u32::from_le_bytes(head[4..8].try_into().ok()?);
    let frame = bytes.get(..HEAD + usize::try_from(length).ok()?)?;
    (head[..4] == MARK && length > 0 && xxh3_64(&frame[HEAD..]) == sum(frame)).then_some(frame)
}

/// Reads frames until the end. How many bytes of them are sound, and why it ended.
pub(super) fn read(
    bytes: &[u8],
    mut each: impl FnMut(u64, Content) -> Result<(), ArrowError>,
) -> Result<(usize, End), ArrowError> {
    let mut at = 0;
    while let Some(frame) = first(&bytes[at..]) {
        each(sum(frame), content(&frame[HEAD..])?)?;
        at += frame.len();
    }
    let rest = &bytes[at..];
    let end = if rest.is_empty() {
        End::Whole
    } else if (1..rest.len()).any(|i| rest[i..].starts_with(&MARK) && first(&rest[i..]).is_some()) {
        End::Damaged
    } else {
        End::Torn
    };
    Ok((at, end))
}

/// What the whole frames at the beginning of a part of a log hold, and how many bytes they are. None if one can't be read.
pub(crate) fn tail_content(
    bytes: &[u8],
    mut rows: impl FnMut(Option<String>, RecordBatch),
    mut deleted: impl FnMut(Vec<i64>),
) -> Option<usize> {
    let read = read(bytes, |_, content| {
        match content {
            Content::Rows { key, batch } => rows(key, batch),
            Content::Deleted(ids) => deleted(ids),
        }
        Ok(())
    });
    read.ok().map(|(sound, _)| sound)
}

fn content(body: &[u8]) -> Result<Content, ArrowError> {
    let damaged = || ArrowError::IpcError("a sound frame holds nothing that is known".into());
    let (kind, body) = body.split_first().ok_or_else(damaged)?;
    match *kind {
        ROWS => {
            let (length, body) = body.split_first_chunk::<4>().ok_or_else(damaged)?;
            let (key, body) = match u32::from_le_bytes(*length) {
                u32::MAX => (None, body),
                length => {
                    let (key, body) = body.split_at_checked(length as usize).ok_or_else(damaged)?;
                    (Some(str::from_utf8(key).map_err(|_| damaged())?.to_owned()), body)
                }
            };
            let mut batches = StreamReader::try_new(Cursor::new(body), None)?;
            let batch = batches.next().ok_or_else(damaged)??;
            if batch.schema_ref().fields() != SCHEMA.fields() {
                return Err(damaged());
            }
            Ok(Content::Rows { key, batch })
        }
        DELETED => {
            let (ids, rest) = body.as_chunks::<8>();
            if !rest.is_empty() {
                return Err(damaged());
            }
            Ok(Content::Deleted(ids.iter().map(|id| i64::from_le_bytes(*id)).collect()))
        }
        _ => Err(damaged()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(bytes: &[u8]) -> (Vec<i64>, usize, End) {
        let mut found = Vec::new();
        let (at, end) = read(bytes, |_, content| {
            if let Content::Deleted(ids) = content {
                found.extend(ids);
            }
            Ok(())
        })
        .unwrap();
        (found, at, end)
    }

    #[test]
    fn a_log_cut_anywhere_gives_whole_frames_and_says_that_it_is_torn() {
        let frames = [deleted(&[1, 2]), deleted(&[3]), deleted(&[4, 5, 6])];
        let log = frames.concat();
        for cut in 0..=log.len() {
            let (found, at, end) = ids(&log[..cut]);
            let whole = frames.iter().scan(0, |sum, f| {
                *sum += f.len();
                (*sum <= cut).then_some(f)
            });
            assert_eq!(found.len(), whole.map(|f| (f.len() - HEAD - 1) / 8).sum::<usize>());
            assert_eq!(end, if at == cut { End::Whole } else { End::Torn });
        }
    }

    #[test]
    fn a_changed_byte_before_the_last_frame_is_damage() {
        let log = [deleted(&[1, 2]), deleted(&[3]), deleted(&[4])].concat();
        let last = log.len() - deleted(&[4]).len();
        for i in 0..log.len() {
            let mut changed = log.clone();
            changed[i] ^= 0x40;
            let (_, _, end) = ids(&changed);
            assert_eq!(end, if i < last { End::Damaged } else { End::Torn }, "byte {i}");
        }
    }
}
