//! Korean names in Latin letters, by the Revised Romanization of 2000: as they are spoken, so 종로 is Jongno and 신림
//! is Sillim. What a part of a name is (구, 동, 시) stands behind a hyphen and changes nothing before it.

const INITIALS: [&str; 19] =
    ["g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h"];
const VOWELS: [&str; 21] = [
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi",
    "yu", "eu", "ui", "i",
];
/// As the sound at the end of a word, of the 28 that a syllable may end in.
const FINALS: [&str; 28] = [
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t", "t",
    "ng", "t", "t", "k", "t", "p", "t",
];
/// Where the next syllable begins with a vowel, the last consonant moves there.
const LINKED: [&str; 28] = [
    "", "g", "kk", "ks", "n", "nj", "n", "d", "r", "lg", "lm", "lb", "ls", "lt", "lp", "r", "m", "b", "ps",
    "s", "ss", "ng", "j", "ch", "k", "t", "p", "",
];

/// The parts that stand behind a hyphen.
const PARTS: [(char, &str); 8] = [
    ('도', "do"),
    ('시', "si"),
    ('군', "gun"),
    ('구', "gu"),
    ('읍', "eup"),
    ('면', "myeon"),
    ('동', "dong"),
    ('리', "ri"),
];

/// A place of one word: 신림동 is Sillim-dong.
pub(super) fn place(name: &str) -> String {
    let part = PARTS.iter().find(|(part, _)| name.ends_with(*part) && name.chars().count() > 1);
    // 왕십리 and 청량리 stand before 동; where they end a name of the table, 리 is a part of its sound.
    match part.filter(|(part, _)| !matches!(part, '리' | '도')) {
        Some((part, ending)) => format!("{}-{ending}", word(name.trim_end_matches(*part))),
        None => word(name),
    }
}

/// One word, with a capital letter.
pub(super) fn word(text: &str) -> String {
    let syllables: Vec<(usize, usize, usize)> = text.chars().filter_map(parts).collect();
    let mut out = String::new();
    let mut moved: Option<&str> = None;
    for (at, (initial, vowel, last)) in syllables.iter().enumerate() {
        out.push_str(moved.take().unwrap_or(INITIALS[*initial]));
        out.push_str(VOWELS[*vowel]);
        let Some((next, ..)) = syllables.get(at + 1) else {
            out.push_str(FINALS[*last]);
            continue;
        };
        let (end, begin) = meet(*last, *next);
        out.push_str(end);
        moved = Some(begin);
    }
    let mut letters = out.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// How the end of a syllable and the beginning of the next are spoken together.
fn meet(last: usize, next: usize) -> (&'static str, &'static str) {
    let (end, begin) = (FINALS[last], INITIALS[next]);
    match (end, begin) {
        // 길음: Gireum; 강 keeps its ng.
        (_, "") if end != "ng" => (LINKED[last], ""),
        // 신림: Sillim; 별내: Byeollae.
        ("n" | "l", "r") | ("l", "n") => ("l", "l"),
        // 종로: Jongno; 독립: Dongnip; 왕십리: Wangsimni.
        ("ng" | "k", "r") => ("ng", "n"),
        ("m" | "p", "r") => ("m", "n"),
        ("t", "r") => ("n", "n"),
        ("k", "n" | "m") => ("ng", begin),
        ("p", "n" | "m") => ("m", begin),
        ("t", "n" | "m") => ("n", begin),
        _ => (end, begin),
    }
}

fn parts(syllable: char) -> Option<(usize, usize, usize)> {
    let at = (syllable as usize).checked_sub('가' as usize).filter(|at| *at < 11_172)?;
    Some((at / 588, at % 588 / 28, at % 28))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_they_are_spoken() {
        for (korean, latin) in [
            ("강남구", "Gangnam-gu"),
            ("종로구", "Jongno-gu"),
            ("중랑구", "Jungnang-gu"),
            ("관악구", "Gwanak-gu"),
            ("서초구", "Seocho-gu"),
            ("신림동", "Sillim-dong"),
            ("왕십리동", "Wangsimni-dong"),
            ("청량리동", "Cheongnyangni-dong"),
            ("압구정동", "Apgujeong-dong"),
            ("길음동", "Gireum-dong"),
            ("일원동", "Irwon-dong"),
            ("목동", "Mok-dong"),
            ("역삼동", "Yeoksam-dong"),
            ("을지로", "Euljiro"),
            ("성남시", "Seongnam-si"),
            ("여의도동", "Yeouido-dong"),
            ("논현동", "Nonhyeon-dong"),
        ] {
            assert_eq!(place(korean), latin, "{korean}");
        }
    }
}
