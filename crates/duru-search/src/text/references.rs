//! References to the articles of a statute: 제6조의3, 「주택법」 제2조.

use super::normalise;
use super::pack::STATUTES;

/// An article that a text names, with the statute if the text says it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArticleReference {
    /// 「…」 or a bare name before the article, or 법, 영, 규칙 as decrees call the act they belong to.
    pub law: Option<String>,
    /// In one form: 제6조의3.
    pub article: String,
}

/// Every article that a text names, once, in the order of the text.
///
/// ```
/// use duru_search::text::article_references;
///
/// let found = article_references("법 제20조제1항, 「주택법」 제2조 및 제6조의3 (7조도)");
/// let found: Vec<_> = found.iter().map(|r| (r.law.as_deref(), r.article.as_str())).collect();
/// assert_eq!(found, [
///     (Some("법"), "제20조"), (Some("주택법"), "제2조"), (Some("주택법"), "제6조의3"), (None, "제7조"),
/// ]);
/// ```
pub fn article_references(text: &str) -> Vec<ArticleReference> {
    let chars: Vec<char> = normalise(text).chars().collect();
    let mut found: Vec<ArticleReference> = Vec::new();
    // How far the last reference reaches, and its law: 「주택법」 제2조 및 제3조 are both of that law.
    let mut carried: Option<(usize, Option<String>)> = None;
    let mut at = 0;
    while at < chars.len() {
        let Some((article, end)) = article_at(&chars, at) else {
            at += 1;
            continue;
        };
        let law = law_before(&chars, at).or_else(|| {
            let (until, law) = carried.as_ref()?;
            let between: String = chars[*until..at].iter().collect();
            joins(&between).then(|| law.clone()).flatten()
        });
        let reference = ArticleReference { law: law.clone(), article };
        if !found.contains(&reference) {
            found.push(reference);
        }
        carried = Some((end, law));
        at = end;
    }
    found
}

/// The article's number in one form if the whole text is one: `6조의3` is 제6조의3.
pub(crate) fn article_number(text: &str) -> Option<String> {
    let chars: Vec<char> = normalise(text).chars().filter(|c| !c.is_whitespace()).collect();
    article_at(&chars, 0).filter(|(_, end)| *end == chars.len()).map(|(article, _)| article)
}

/// An article that begins here, and where it ends.
fn article_at(chars: &[char], at: usize) -> Option<(String, usize)> {
    let mut here = at;
    let marked = chars.get(here) == Some(&'제');
    if marked {
        here = skip_spaces(chars, here + 1);
    } else if here > 0 && (chars[here - 1].is_ascii_digit() || chars[here - 1] == '제') {
        return None;
    }
    let (number, end) = digits(chars, here)?;
    here = skip_spaces(chars, end);
    // 3조 원 is money.
    if chars.get(here) != Some(&'조') || (!marked && chars.get(skip_spaces(chars, here + 1)) == Some(&'원'))
    {
        return None;
    }
    here += 1;
    let mut article = format!("제{number}조");
    let branch = skip_spaces(chars, here);
    if chars.get(branch) == Some(&'의')
        && let Some((number, end)) = digits(chars, skip_spaces(chars, branch + 1))
    {
        article.push_str(&format!("의{number}"));
        here = end;
    }
    Some((article, here))
}

fn digits(chars: &[char], at: usize) -> Option<(u32, usize)> {
    let end = at + chars.get(at..)?.iter().take_while(|c| c.is_ascii_digit()).count();
    // No statute has more articles than this.
    if end == at || end - at > 5 {
        return None;
    }
    let number: String = chars[at..end].iter().collect();
    Some((number.parse().ok()?, end))
}

fn skip_spaces(chars: &[char], at: usize) -> usize {
    at + chars.get(at..).unwrap_or_default().iter().take_while(|c| c.is_whitespace()).count()
}

/// What is written before an article that says whose it is.
fn law_before(chars: &[char], at: usize) -> Option<String> {
    let mut end = at;
    while end > 0 && chars[end - 1].is_whitespace() {
        end -= 1;
    }
    // 「주택법」(이하 "법"이라 한다) 제2조
    if end > 0 && chars[end - 1] == ')' {
        let open = chars[..end].iter().rposition(|c| *c == '(')?;
        end = open;
    }
    if end > 0 && chars[end - 1] == '」' {
        let open = chars[..end].iter().rposition(|c| *c == '「')?;
        return Some(chars[open + 1..end - 1].iter().collect());
    }
    for name in STATUTES.words("own") {
        let name_chars: Vec<char> = name.chars().collect();
        let Some(begins) = end.checked_sub(name_chars.len()) else { continue };
        // ①법 제20조: the number before it is no part of the name.
        let alone = begins == 0 || !chars[begins - 1].is_alphabetic();
        if alone && chars[begins..end] == name_chars {
            return Some(name.to_owned());
        }
    }
    bare_law(&chars[..end])
}

/// A statute's name without brackets, as people write it: 주택임대차보호법 시행령 제8조.
fn bare_law(before: &[char]) -> Option<String> {
    let before: String = before.iter().collect();
    let words: Vec<&str> = before.split_whitespace().rev().map(in_full).collect();
    // Of two syllables, most such words are something else: 방법, 불법. 부동산 거래신고 등에 관한 법률 is called by its
    // last word here; the rest is in the text.
    let is_law = |at: usize| {
        let word = words.get(at).copied().unwrap_or_default();
        match word.chars().count() {
            2 if STATUTES.is("generic", word) => {
                words.get(at + 1).is_some_and(|word| STATUTES.is("of", word))
            }
            2 => STATUTES.is("whole", word),
            long => {
                let other = STATUTES.words("other").any(|other| word.ends_with(other));
                long > 2 && (word.ends_with('법') && !other || word.ends_with("관한법률"))
            }
        }
    };
    match *words.first()? {
        last if STATUTES.is("decree", last) => is_law(1).then(|| format!("{} {last}", words[1])),
        law => is_law(0).then(|| law.to_owned()),
    }
}

/// A statute's short name in full.
fn in_full(word: &str) -> &str {
    STATUTES.meaning("short", word).unwrap_or(word)
}

/// Do these characters between two articles only connect them?
fn joins(between: &str) -> bool {
    if between.chars().count() > 24 {
        return false;
    }
    between.split(|c: char| c.is_whitespace() || c == ',').all(|word| {
        let word: String = word
            .chars()
            .filter(|c| !c.is_ascii_digit() && !"제항호의각목가나다라마바사".contains(*c))
            .collect();
        word.is_empty() || STATUTES.is("joining", &word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statute_is_named_without_brackets_too() {
        for (text, law) in [
            ("민법 제3조", Some("민법")),
            ("주택임대차보호법 시행령 제8조 알려줘", Some("주택임대차보호법 시행령")),
            ("부동산 거래신고 등에 관한 법률 제3조", Some("법률")),
            ("부동산 거래신고 등에 관한 법률 시행령 제3조", Some("법률 시행령")),
            ("그 법률 제3조", None),
            ("주임법 3조의2 내용", Some("주택임대차보호법")),
            ("도정법 시행령 제10조", Some("도시및주거환경정비법 시행령")),
            ("신고 방법 제3조", None),
            ("불법 제3조", None),
        ] {
            assert_eq!(article_references(text)[0].law.as_deref(), law, "{text}");
        }
    }

    #[test]
    fn an_article_has_one_form() {
        for text in ["제6조의3", "6조의3", "제 6 조의 3", "제6조의 3"] {
            assert_eq!(article_number(text).as_deref(), Some("제6조의3"), "{text}");
        }
        assert_eq!(article_number("제25조의2").as_deref(), Some("제25조의2"));
        assert_eq!(article_number("조항"), None);
    }

    #[test]
    fn money_is_no_article() {
        assert!(article_references("예산은 3조원, 5조 원입니다").is_empty());
    }

    #[test]
    fn the_law_of_a_list_is_the_law_of_its_first() {
        let found =
            article_references("「공인중개사법」(이하 “법”이라 한다) 제5조제1항 및 제7조, 그 밖에 영 제8조");
        let found: Vec<_> =
            found.iter().map(|r| (r.law.as_deref().unwrap_or(""), r.article.as_str())).collect();
        assert_eq!(found, [("공인중개사법", "제5조"), ("공인중개사법", "제7조"), ("영", "제8조")]);
    }
}
