//! Korean particles at the edges of words, for readers that look at what stands right beside a number.

/// Those that say what a sentence is about or what is done to it, and nothing of what that is.
const BARE: [char; 7] = ['은', '는', '이', '가', '을', '를', '도'];

/// Whether a letter is such a particle.
pub fn is_bare(letter: char) -> bool {
    BARE.contains(&letter)
}

/// Whether a word is nothing but one.
pub fn is_particle(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(is_bare) && letters.next().is_none()
}

/// A text without those that it begins with.
pub fn behind(text: &str) -> &str {
    text.trim_start_matches(is_bare)
}

/// A word without its particle. Short words may themselves end like one (차이, 나이), and lose only what hardly any ends with.
pub fn stem(word: &str) -> &str {
    let word = word.trim_end_matches(['은', '는', '을', '를', '도']);
    if word.chars().count() > 2 { word.trim_end_matches(['이', '가', '에', '로']) } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_go_and_words_stay() {
        for (word, bare) in [
            ("보증금은", "보증금"),
            ("관리비가", "관리비"),
            ("나이", "나이"),
            ("월세", "월세"),
            ("이사비도", "이사비"),
        ] {
            assert_eq!(stem(word), bare);
        }
        assert_eq!(behind("은 3억"), " 3억");
        assert!(is_particle("는") && !is_particle("는데") && !is_particle(""));
    }
}
