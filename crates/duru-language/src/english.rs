//! The forms of an English word.

/// A word with its plural or the forms of a verb. What is irregular has a row of its own in the lexicon.
pub fn forms(word: &str) -> Vec<String> {
    let mut all = vec![word.to_owned()];
    if word.chars().count() == 2 && word.chars().all(|letter| letter.is_ascii_alphabetic()) {
        all.push(format!("{word}s"));
        return all;
    }
    if word.chars().count() < 3 || !word.chars().all(|letter| letter.is_ascii_alphabetic()) {
        return all;
    }
    let ends = |tail: &str| word.ends_with(tail);
    let cut = |count: usize| &word[..word.len() - count];
    let vowel_before_y =
        word.len() > 1 && matches!(word.as_bytes()[word.len() - 2], b'a' | b'e' | b'o' | b'u');
    if ends("s") || ends("x") || ends("ch") || ends("sh") || ends("z") {
        all.push(format!("{word}es"));
    } else if ends("y") && !vowel_before_y {
        all.push(format!("{}ies", cut(1)));
    } else {
        all.push(format!("{word}s"));
    }
    if ends("e") {
        all.extend([format!("{word}d"), format!("{}ing", cut(1))]);
    } else if ends("y") && !vowel_before_y {
        all.extend([format!("{}ied", cut(1)), format!("{word}ing")]);
    } else {
        all.extend([format!("{word}ed"), format!("{word}ing")]);
        if let Some(last) = doubled(word) {
            all.extend([format!("{word}{last}ed"), format!("{word}{last}ing")]);
        }
    }
    all
}

/// The consonant that is written twice: drop, dropped.
fn doubled(word: &str) -> Option<char> {
    let letters: Vec<char> = word.chars().collect();
    let is_vowel = |letter: char| matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u');
    match letters.as_slice() {
        [.., first, vowel, last]
            if !is_vowel(*first)
                && is_vowel(*vowel)
                && !is_vowel(*last)
                && !matches!(last, 'w' | 'x' | 'y') =>
        {
            Some(*last)
        }
        _ => None,
    }
}

/// What a word may be a form of, itself first: names of columns are in the plural as often as not.
pub fn lemmas(word: &str) -> Vec<String> {
    let mut all = vec![word.to_owned()];
    let mut add = |stem: String| {
        if stem.len() > 1 && forms(&stem).iter().any(|form| form == word) && !all.contains(&stem) {
            all.push(stem);
        }
    };
    for (tail, rest) in [
        ("ies", "y"),
        ("es", ""),
        ("es", "e"),
        ("s", ""),
        ("ied", "y"),
        ("ed", ""),
        ("ed", "e"),
        ("ing", ""),
        ("ing", "e"),
    ] {
        if let Some(stem) = word.strip_suffix(tail) {
            add(format!("{stem}{rest}"));
            let mut letters = stem.chars().rev();
            if rest.is_empty() && letters.next() == letters.next() && !stem.is_empty() {
                add(stem[..stem.len() - 1].to_owned());
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_forms_find_each_other() {
        for (word, form) in [
            ("query", "queries"),
            ("day", "days"),
            ("box", "boxes"),
            ("drop", "dropped"),
            ("grow", "growing"),
            ("use", "using"),
            ("fail", "failed"),
            ("retry", "retried"),
        ] {
            assert!(forms(word).iter().any(|one| one == form), "{word}: {form}");
            assert!(lemmas(form).iter().any(|one| one == word), "{form}: {word}");
        }
        assert_eq!(forms("ip"), ["ip", "ips"]);
        assert_eq!(lemmas("status"), ["status", "statu"], "a word of its own comes first");
    }
}
