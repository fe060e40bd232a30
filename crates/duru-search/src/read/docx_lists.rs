//! The numbers of a Word document's paragraphs: a program counts them when it shows the document, so that they stand
//! nowhere in its text.

use std::collections::HashMap;

use super::Error;
use super::xml::{self, Seen};

/// No list is nested deeper.
const LEVELS: usize = 9;

/// More letters than this are no number of an item.
const LONGEST_LETTERS: usize = 10;

/// How one level of a list is numbered.
#[derive(Debug, Clone, Default)]
struct Level {
    start: u32,
    format: String,
    /// With %1 for the number of the first level, %2 for that of the second, …
    text: String,
}

/// The lists of a document, and how far each has counted.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The levels of each list, by its number.
    levels: HashMap<String, Vec<Level>>,
    /// Lists that paragraphs of a style belong to, with the level.
    styles: HashMap<String, (String, u8)>,
    counted: HashMap<String, [u32; LEVELS]>,
}

impl Lists {
    pub(super) fn of(numbering: &[u8], styles: &[u8]) -> Result<Self, Error> {
        let mut lists = Self::default();
        if !numbering.is_empty() {
            lists.levels = levels(numbering)?;
        }
        if !styles.is_empty() {
            lists.styles = of_styles(styles)?;
        }
        Ok(lists)
    }

    /// What stands before the next paragraph of a list; nothing where it is in none, or has a sign that is no number.
    pub(super) fn next(
        &mut self,
        list: Option<&str>,
        level: Option<u8>,
        style: Option<&str>,
    ) -> Option<String> {
        let of_style = style.and_then(|style| self.styles.get(style));
        let list = list.or(of_style.map(|(list, _)| list.as_str()))?.to_owned();
        let level = usize::from(level.or(of_style.map(|(_, level)| *level)).unwrap_or(0)).min(LEVELS - 1);
        let levels = self.levels.get(&list)?;
        let this = levels.get(level)?;
        let counted = self.counted.entry(list).or_insert([0; LEVELS]);
        for (at, count) in counted.iter_mut().enumerate() {
            let start = levels.get(at).map_or(1, |level| level.start);
            match at.cmp(&level) {
                // Whoever begins below has passed the levels above.
                std::cmp::Ordering::Less if *count == 0 => *count = start,
                std::cmp::Ordering::Equal => {
                    *count = if *count == 0 { start } else { count.saturating_add(1) }
                }
                std::cmp::Ordering::Greater => *count = 0,
                std::cmp::Ordering::Less => {}
            }
        }
        if matches!(this.format.as_str(), "bullet" | "none") {
            return None;
        }
        let mut text = this.text.clone();
        for (at, count) in counted.iter().enumerate() {
            let format = levels.get(at).map_or("decimal", |level| level.format.as_str());
            text = text.replace(&format!("%{}", at + 1), &written(*count, format));
        }
        let text = text.trim().to_owned();
        (!text.is_empty()).then_some(text)
    }
}

/// The levels of every list: lists share descriptions, and may begin elsewhere.
fn levels(numbering: &[u8]) -> Result<HashMap<String, Vec<Level>>, Error> {
    let mut described: HashMap<String, Vec<Level>> = HashMap::new();
    let mut lists: HashMap<String, Vec<Level>> = HashMap::new();
    let (mut description, mut list, mut level) = (None::<String>, None::<String>, 0_usize);
    xml::walk(numbering, |seen| match seen {
        Seen::Open(tag) => {
            let value = |name| xml::attribute(tag, name);
            let place = || value("ilvl").and_then(|level| level.parse::<usize>().ok()).unwrap_or(0);
            match tag.local_name().as_ref() {
                b"abstractNum" => description = value("abstractNumId"),
                b"num" => list = value("numId"),
                b"abstractNumId" => {
                    let levels = value("val").and_then(|id| described.get(&id).cloned());
                    lists.extend(list.clone().zip(levels));
                }
                b"lvl" | b"lvlOverride" => level = place().min(LEVELS - 1),
                b"start" | b"startOverride" | b"numFmt" | b"lvlText" => {
                    let levels = match (&list, &description) {
                        (Some(list), _) => lists.get_mut(list),
                        (None, Some(id)) => Some(described.entry(id.clone()).or_default()),
                        (None, None) => None,
                    };
                    let Some(levels) = levels else { return };
                    levels.resize(levels.len().max(level + 1), Level { start: 1, ..Level::default() });
                    let (one, value) = (&mut levels[level], value("val").unwrap_or_default());
                    match tag.local_name().as_ref() {
                        b"numFmt" => one.format = value,
                        b"lvlText" => one.text = value,
                        _ => one.start = value.parse().unwrap_or(1),
                    }
                }
                _ => {}
            }
        }
        Seen::Close(b"abstractNum") => description = None,
        Seen::Close(b"num") => list = None,
        _ => {}
    })?;
    Ok(lists)
}

/// Styles whose paragraphs are numbered.
fn of_styles(styles: &[u8]) -> Result<HashMap<String, (String, u8)>, Error> {
    let mut found = HashMap::new();
    let (mut style, mut list, mut level) = (None::<String>, None::<String>, 0_u8);
    xml::walk(styles, |seen| match seen {
        Seen::Open(tag) => match tag.local_name().as_ref() {
            b"style" => (style, list, level) = (xml::attribute(tag, "styleId"), None, 0),
            b"numId" => list = xml::attribute(tag, "val"),
            b"ilvl" => {
                level = xml::attribute(tag, "val").and_then(|level| level.parse().ok()).unwrap_or(0);
            }
            _ => {}
        },
        Seen::Close(b"style") => {
            found.extend(style.take().zip(list.take().map(|list| (list, level))));
        }
        _ => {}
    })?;
    Ok(found)
}

/// A number as a list writes it.
fn written(number: u32, format: &str) -> String {
    let place = usize::try_from(number.saturating_sub(1)).unwrap_or(0);
    let letter = |letters: &str| letters.chars().nth(place).map(String::from);
    // Behind z come aa, bb, cc.
    let doubled = |letters: &str| {
        letter(letters).or_else(|| {
            let one = letters.chars().nth(place % letters.len())?;
            let often = place / letters.len() + 1;
            (often <= LONGEST_LETTERS).then(|| one.to_string().repeat(often))
        })
    };
    let special = match format {
        "ganada" => letter("가나다라마바사아자차카타파하"),
        "chosung" => letter("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"),
        "lowerLetter" => doubled("abcdefghijklmnopqrstuvwxyz"),
        "upperLetter" => doubled("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => letter("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"),
        "lowerRoman" => Some(roman(number).to_lowercase()),
        "upperRoman" => Some(roman(number)),
        _ => None,
    };
    special.unwrap_or_else(|| number.to_string())
}

fn roman(mut number: u32) -> String {
    const SIGNS: [(u32, &str); 9] =
        [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")];
    if number > 399 {
        return number.to_string();
    }
    let mut text = String::new();
    for (value, sign) in SIGNS {
        while number >= value {
            text.push_str(sign);
            number -= value;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_lists_write_them() {
        assert_eq!(
            ["decimal", "ganada", "upperRoman", "lowerLetter"].map(|format| written(4, format)),
            ["4", "라", "IV", "d"]
        );
        assert_eq!(written(40, "ganada"), "40");
        assert_eq!([26, 27, 53].map(|number| written(number, "lowerLetter")), ["z", "aa", "aaa"]);
        assert_eq!(
            (written(28, "upperLetter"), written(u32::MAX, "upperLetter")),
            ("BB".into(), u32::MAX.to_string())
        );
        assert_eq!(written(2, "decimalEnclosedCircle"), "②");
    }

    #[test]
    fn a_style_may_number_its_paragraphs_and_a_list_may_begin_elsewhere() {
        let numbering = br#"<n><abstractNum abstractNumId="7"><lvl ilvl="0"><start val="1"/><numFmt val="decimal"/><lvlText val="%1."/></lvl></abstractNum>
            <num numId="1"><abstractNumId val="7"/></num>
            <num numId="2"><abstractNumId val="7"/><lvlOverride ilvl="0"><startOverride val="5"/></lvlOverride></num></n>"#;
        let styles = br#"<s><style styleId="Clause"><pPr><numPr><numId val="1"/></numPr></pPr></style><style styleId="Plain"/></s>"#;
        let mut lists = Lists::of(numbering, styles).unwrap();
        let mut next = |list, style| lists.next(list, None, style);
        assert_eq!(next(None, Some("Clause")).as_deref(), Some("1."));
        assert_eq!(next(Some("2"), None).as_deref(), Some("5."));
        assert_eq!(next(None, Some("Clause")).as_deref(), Some("2."));
        assert_eq!((next(None, Some("Plain")), next(Some("9"), None), next(None, None)), (None, None, None));
    }
}
