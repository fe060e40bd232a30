//! The forms in which a Korean verb or adjective meets its endings.

use crate::hangul::{Syllable, jamo};

// Numbers of letters within Unicode's tables.
const A: u32 = 0;
const AE: u32 = 1;
const EO: u32 = 4;
const YEO: u32 = 6;
const O: u32 = 8;
const WA: u32 = 9;
const WAE: u32 = 10;
const OE: u32 = 11;
const U: u32 = 13;
const WO: u32 = 14;
const EU: u32 = 18;
const I: u32 = 20;
const IEUNG: u32 = 11;
const T_D: u32 = 7;
const T_R: u32 = 8;
const T_B: u32 = 17;
const T_S: u32 = 19;
const T_H: u32 = 27;

/// As conjoining jamo, so that an ending can be a consonant of the last syllable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forms {
    /// Before consonants and 으: 느리(고), 어렵(고), 어려우(면), 느(는) of 늘다.
    pub bases: Vec<String>,
    /// Before 서, 요, ㅆ or nothing: 느려, 많아, 해.
    pub infinitives: Vec<String>,
}

/// The forms of a verb given without 다. Irregular ones are made beside the regular ones: that a form exists which
/// nobody uses does no harm.
pub fn forms(stem: &str) -> Forms {
    let syllables: Vec<Syllable> = stem.chars().filter_map(Syllable::of).collect();
    let Some((last, before)) = syllables.split_last() else { return Forms::default() };
    let last = *last;
    let prefix = |count: usize| -> String { stem.chars().take(stem.chars().count() - count).collect() };
    let with = |syllable: Syllable| format!("{}{}", prefix(1), syllable.letter());
    let open = Syllable { tail: 0, ..last };
    let mut bases = vec![stem.to_owned()];
    let mut infinitives = Vec::new();
    let bright = matches!(last.vowel, A | O);
    let vowel = if bright { '아' } else { '어' };
    match last.tail {
        0 => contract(stem, last, before, &mut infinitives),
        T_B => {
            bases.push(with(open) + "우");
            infinitives.extend([with(open) + "워", with(open) + "와"]);
        }
        T_D => {
            let soft = with(Syllable { tail: T_R, ..last });
            infinitives.push(format!("{soft}{vowel}"));
            bases.push(soft);
        }
        T_S => {
            infinitives.push(format!("{}{vowel}", with(open)));
            bases.push(with(open));
        }
        T_H => {
            bases.push(with(open));
            infinitives.push(with(Syllable { vowel: AE, tail: 0, ..last }));
        }
        T_R => bases.push(with(open)),
        _ => {}
    }
    if last.tail != 0 {
        infinitives.push(format!("{stem}{vowel}"));
    }
    let letters = |all: Vec<String>| all.iter().map(|form| jamo(form)).collect();
    Forms { bases: letters(bases), infinitives: letters(infinitives) }
}

/// Stems that end in a vowel melt together with 어 or 아.
fn contract(stem: &str, last: Syllable, before: &[Syllable], infinitives: &mut Vec<String>) {
    let count = stem.chars().count();
    let prefix = |less: usize| -> String { stem.chars().take(count - less).collect() };
    let melted = |vowel: u32| format!("{}{}", prefix(1), Syllable { vowel, ..last }.letter());
    if stem.ends_with('하') {
        infinitives.extend([melted(AE), format!("{stem}여")]);
        return;
    }
    match last.vowel {
        O => infinitives.extend([melted(WA), format!("{stem}아")]),
        U => infinitives.extend([melted(WO), format!("{stem}어")]),
        I => infinitives.extend([melted(YEO), format!("{stem}어")]),
        OE => infinitives.extend([melted(WAE), format!("{stem}어")]),
        EU => {
            let bright = before.last().is_some_and(|one| matches!(one.vowel, A | O));
            let vowel = if bright { A } else { EO };
            infinitives.push(melted(vowel));
            // 빠르다: 빨라.
            if stem.ends_with('르')
                && let Some(one) = before.last()
            {
                let doubled = Syllable { tail: T_R, ..*one }.letter();
                let rest = Syllable { vowel, ..last }.letter();
                infinitives.push(format!("{}{doubled}{rest}", prefix(2)));
            }
        }
        _ => infinitives.extend([
            stem.to_owned(),
            stem.to_owned() + &Syllable { lead: IEUNG, vowel: EO, tail: 0 }.letter().to_string(),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn infinitive(stem: &str, form: &str) {
        assert!(forms(stem).infinitives.contains(&jamo(form)), "{stem}: {form}");
    }

    #[test]
    fn stems_melt_with_the_vowel_of_their_ending() {
        for (stem, form) in [
            ("느리", "느려"),
            ("보", "봐"),
            ("주", "줘"),
            ("크", "커"),
            ("모으", "모아"),
            ("빠르", "빨라"),
            ("흐르", "흘러"),
            ("되", "돼"),
            ("비교하", "비교해"),
            ("많", "많아"),
            ("적", "적어"),
            ("어렵", "어려워"),
            ("묻", "물어"),
            ("낫", "나아"),
            ("그렇", "그래"),
            ("가", "가"),
            ("보내", "보내"),
        ] {
            infinitive(stem, form);
        }
    }

    #[test]
    fn bases_are_irregular_where_the_verb_is() {
        for (stem, base) in [("늘", "느"), ("어렵", "어려우"), ("듣", "들"), ("낫", "나"), ("그렇", "그러")]
        {
            assert!(forms(stem).bases.contains(&jamo(base)), "{stem}: {base}");
        }
        assert_eq!(forms("abc"), Forms::default());
    }
}
