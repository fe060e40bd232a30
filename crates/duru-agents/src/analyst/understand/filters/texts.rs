//! Words that a line must hold: quoted, or said to be in its text.

use crate::analyst::understand::lexicon;
use crate::analyst::understand::query::{Field, Test};
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{Scan, re};
use crate::analyst::understand::vocabulary::Vocabulary;

/// "containing timeout but not gateway": one text, and not the other.
fn one_without_other(scan: &mut Scan, reading: &mut Reading) {
    if let Some(found) = scan.take(re!(
        r"\b(?:messages?\s+)?(?:contain(?:s|ing)?|mention(?:s|ing)?|includ(?:es|ing))\s+([a-z0-9_-]+)\s+but\s+(?:not|without)\s+([a-z0-9_-]+)"
    )) {
        reading.subject = true;
        reading.push(Field::column("message"), Test::Contains(vec![found.get(1).into()]));
        reading.push(Field::column("message"), Test::Lacks(found.get(2).into()));
    }
}

/// Texts that the message holds.
pub(in crate::analyst::understand) fn texts(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    one_without_other(scan, reading);
    let mut texts: Vec<String> = Vec::new();
    let mut span: Option<(usize, usize)> = None;
    let mut from = 0;
    let searched = scan.said(re!(r"포함|들어\s*간|들어\s*있|\bcontain|\bmention|스택|\bstack"));
    let quoted = re!(
        r#"(?:^|[\s(,/]|와|과|나)(?:("([^"]{1,120})")|('([^']{1,120})')|(“([^”]{1,120})”)|(‘([^’]{1,120})’)|(`([^`]{1,120})`)|(「([^」]{1,120})」))"#
    );
    while let Some(captures) = quoted.captures_at(&scan.rest.clone(), from) {
        let group = (1..12).step_by(2).find(|group| captures.get(*group).is_some()).unwrap_or(1);
        let (Some(mark), Some(text)) = (captures.get(group), captures.get(group + 1)) else { break };
        from = captures.get(0).map_or(text.end(), |all| all.end());
        if !searched && is_value(text.as_str().trim(), vocabulary) {
            // The name of something: only the marks go.
            scan.blank(mark.start(), text.start());
            scan.blank(text.end(), from);
            continue;
        }
        texts.push(text.as_str().trim().to_owned());
        scan.blank(mark.start(), from);
        span = Some((span.map_or(mark.start(), |(start, _)| start), from));
    }
    if texts.is_empty() {
        let unquoted = [
            re!(
                r"(?:^|\s)([a-z0-9][a-z0-9 _./:%-]*?|[가-힣]+)(?:이?라고)\s*(?:찍|적[힌혀]|쓰[인여]|쓴|나[온오와]|뜬|뜨는|떠|남[은긴]|기록|표시|출력|되어|된|하는)"
            ),
            re!(
                r"(?:^|\s)([a-z0-9][a-z0-9 _./:%-]*?)(?:이|가|을|를)?\s*(?:라는\s*)?(?:문자열|텍스트|단어|문구|키워드|글자|말)(?:이|가|을|를|도)?\s*(?:포함|들어|있는|담긴|언급)"
            ),
            re!(r"(?:메시지|내용|본문)(?:에|에서|가|중에?)\s*([^\s].{0,40}?)\s*(?:이?라는|이?라고|이?란)\s"),
            re!(
                r"(?:메시지|내용|본문)(?:에|에서)\s*([^\s].{0,40}?)(?:이|가|을|를)?\s*(?:들어\s*간|들어\s*있|들어가|포함|담긴|있는|나오는|언급)"
            ),
            re!(
                r"(?:^|\s)([a-z0-9가-힣][a-z0-9 _./:-]*?|[가-힣]+)(?:이?라는|이?란)\s*(?:말|단어|문구|텍스트|표현|글자|문자열|키워드|내용)"
            ),
            re!(
                r"(?:^|\s)([a-z][a-z0-9 _./:%-]*?)(?:이|가|을|를)\s*(?:포함(?:하는|된|한|되는|되어)|들어\s*(?:간|있는|가는)|언급(?:된|되는|하는)|담긴|적힌)"
            ),
            re!(
                r"\bwith\s+the\s+(?:words?|phrase|text|string|term|keyword)\s+([a-z0-9][a-z0-9 _./:-]*?)(?:\s+(?:in|over|during|for|from|since|yesterday|today|last|this|by|per)\b|[?.,!()]|$)"
            ),
            re!(
                r"\b(?:contain(?:s|ing)?|mention(?:s|ing|ed)?|includ(?:es|ing))\s+(?:the\s+(?:words?|phrase|text|string|term)\s+)?([a-z0-9][a-z0-9 _./:-]*?)(?:\s+(?:in\s|over\s|during\s|for\s|from\s|since\s|yesterday|today|last\s|by\s|per\s|were|are|did|do|is|was|happened|occurred|grouped|and\s+how|this\s)|[?.,!()]|$)"
            ),
            re!(
                r"\bwith\s+(?:the\s+(?:words?|phrase|text|string)\s+)?([a-z0-9][a-z0-9 _./:-]*?)\s+in\s+(?:the\s+|their\s+|its\s+)?(?:message|text)"
            ),
        ];
        for pattern in unquoted {
            let Some(captures) = pattern.captures(&scan.rest) else { continue };
            let Some(text) = captures.get(1) else { continue };
            // Names of services and the like that stand before the text are not part of it.
            let mut start = text.start();
            let mut value = text.as_str().trim().to_owned();
            if let Some(noun) = re!(r"^(?:an?|any|the)\s+").find(&value)
                && is_value(&value[noun.end()..], vocabulary)
            {
                continue;
            }
            while let Some((first, rest)) =
                value.split_once(' ').filter(|(first, _)| is_value(first, vocabulary))
            {
                start += text.as_str().len().min(first.len() + 1);
                value = rest.trim_start().to_owned();
            }
            if value.is_empty() || is_value(&value, vocabulary) {
                continue;
            }
            let text_end = text.end();
            span = Some((start, text_end));
            scan.blank(start, text_end);
            // "memory랑 usage가 둘 다": each of them.
            let both = re!(r"(?:이|가|을|를)?\s*(?:둘\s*다|모두|전부|같이|함께|\bboth)$");
            let value = both.replace(&value, "").into_owned();
            let between = re!(r"\s+(?:또는|혹은|or)\s+|(?:이랑|랑|와|과|하고)\s+|\s+및\s+|이나\s+");
            texts.extend(between.split(&value).map(|one| one.trim().to_owned()));
            break;
        }
    }
    let Some((_, end)) = span else { return };
    let after = scan.rest.get(end..).unwrap_or_default().to_owned();
    let lacks = re!(r"포함(?:하지|되지)\s*않|없는|빠진|not\s+contain|without|들어가지\s*않")
        .is_match(&scan.rest)
        && re!(r"^[^.]{0,30}(?:않|없|빠진)").is_match(&after)
        || scan.said(re!(r"not\s+contain|without\s+the\s+word"));
    let stack = scan.drop_all(re!(r"스택\s*트레이스|스택트레이스|stack[\s_]*traces?"));
    scan.drop_all(re!(
        r"(?:이|가|을|를)?\s*(?:이?라는|이?라고|이?란)?\s*(?:말|단어|문구|텍스트|표현|글자|문자열|키워드)(?:이|가|을|를|도)?\s*(?:모두\s*)?(?:들어\s*간|들어\s*있는|들어가(?:는|지\s*않은)?|포함\s*(?:된|한|하는|되는|되어\s*있는|하지\s*않(?:은|는)|되지\s*않은)?|담긴|있는|없는|나오는|언급된)?"
    ));
    scan.drop_all(re!(
        r"(?:에|에서)?\s*(?:이?라는|이?라고)?\s*(?:들어\s*간|들어\s*있는|들어가(?:는|지\s*않은)?|포함(?:된|한|하는|되는|되어\s*있는|하지\s*않(?:은|는)|되지\s*않은)|담긴|나오는|언급(?:된|한|하는))"
    ));
    scan.drop_all(re!(r"(?:^|\s)(?:이?라는|이?라고|이?란)(?:\s|$)|(?:메시지|내용|본문)(?:에는|에서|에|가|중에?|를|는)?|(?:이|가)?\s*있는|\b(?:messages?|contain(?:s|ing)?|mention(?:s|ing|ed)?|includ(?:es|ing)|with|the\s+(?:words?|phrase|text|string|term)|in\s+the\s+message|not)\b"));
    reading.subject = true;
    let field = Field::column(if stack { "stack_trace" } else { "message" });
    let any = scan.said(re!(r"또는|이나\s|['’”]\s*나\s|혹은|\bor\b|중\s*하나"));
    if let [one] = texts.as_slice()
        && scan.drop_all(re!(
            r"(?:^|\s)?(?:으?로)\s*시작(?:하는|되는|한)|\b(?:starts?|starting|beginning|begins?)\s+with\b"
        ))
    {
        reading.push(field, Test::StartsWith(one.clone()));
        return;
    }
    match texts.as_slice() {
        [one] if lacks => reading.push(field, Test::Lacks(one.clone())),
        _ if texts.len() > 1 && !any => reading.push(field, Test::ContainsAll(texts)),
        _ => reading.push(field, Test::Contains(texts)),
    }
}

fn is_value(text: &str, vocabulary: &Vocabulary) -> bool {
    lexicon::level(text).is_some()
        || text.starts_with('/')
        || vocabulary.services().iter().any(|service| service.eq_ignore_ascii_case(text))
        || vocabulary.named_values().any(|(_, value)| value.eq_ignore_ascii_case(text))
}
