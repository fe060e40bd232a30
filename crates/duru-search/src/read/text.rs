//! Bytes as text, in the encodings that people here have files in.

use encoding_rs::{EUC_KR, Encoding};

use super::Error;

/// Of the letters beyond ASCII, so many must be Hangul for bytes to be EUC-KR: almost any bytes could be read so.
const HANGUL: f32 = 0.6;

/// UTF-8; UTF-16 if its mark says so; EUC-KR, as older Korean programs write it, if what comes out is Korean.
pub(super) fn text(bytes: Vec<u8>) -> Result<String, Error> {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(other) => decoded(&other.into_bytes()).ok_or(Error::NotText)?,
    };
    // Text has no zeros; a program or an archive under a false name does.
    if text.contains('\0') { Err(Error::NotText) } else { Ok(text) }
}

fn decoded(bytes: &[u8]) -> Option<String> {
    if let Some((marked, length)) = Encoding::for_bom(bytes) {
        return Some(
            marked.decode_without_bom_handling_and_without_replacement(&bytes[length..])?.into_owned(),
        );
    }
    let text = EUC_KR.decode_without_bom_handling_and_without_replacement(bytes)?;
    let letters = text.chars().filter(|c| !c.is_ascii() && c.is_alphabetic());
    let (hangul, all) = letters
        .fold((0_u32, 0_u32), |(hangul, all), c| (hangul + u32::from(('가'..='힣').contains(&c)), all + 1));
    (all > 0 && hangul as f32 >= HANGUL * all as f32).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn korean_files_of_older_programs_are_read() {
        let (bytes, _, _) = EUC_KR.encode("제1조(목적) 이 규칙은 똠방각하의 연차를 정한다. (2023年)");
        assert_eq!(
            text(bytes.into_owned()).unwrap(),
            "제1조(목적) 이 규칙은 똠방각하의 연차를 정한다. (2023年)"
        );
        let utf16: Vec<u8> =
            [0xFF, 0xFE].into_iter().chain("연차".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(text(utf16).unwrap(), "연차");
        assert_eq!(text("\u{feff}글".into()).unwrap(), "\u{feff}글");
    }

    #[test]
    fn other_bytes_are_no_text() {
        // French in Latin-1, a piece of a picture, and text with a zero in it.
        for bytes in
            [b"caf\xE9 d\xE9j\xE0 vu".to_vec(), vec![0x89, b'P', b'N', b'G', 0xFF, 0xD8], b"a\0b".to_vec()]
        {
            assert!(matches!(text(bytes.clone()), Err(Error::NotText)), "{bytes:?}");
        }
    }
}
