//! What is left of a question after everything in it was read: nothing that
//! matters, or words that are not understood.

use regex::Captures;

use super::fillers;
use super::scan::re;

/// The words that were not understood.
pub(super) fn words(rest: &str) -> Vec<String> {
    // "크래시(FATAL)": what the brackets held was understood, so the words before them are.
    let explained =
        re!(r"((?:[가-힣a-z]+\s{0,8}){1,3})[(\s]\s+\)").replace_all(rest, |found: &Captures<'_>| {
            if re!(LEAVING_OUT).is_match(&found[1]) { found[0].to_owned() } else { " ".into() }
        });
    // What is in brackets explains what stands before them, unless it leaves something out.
    let explained = re!(r"\([^()]*\)").replace_all(&explained, |found: &Captures<'_>| {
        if re!(LEAVING_OUT).is_match(&found[0]) { found[0].to_owned() } else { " ".into() }
    });
    let tokens = explained.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let mut unknown: Vec<String> = Vec::new();
    for token in tokens.filter(|token| !token.is_empty()) {
        if !is_known(token) && !unknown.iter().any(|known| known == token) {
            unknown.push(token.to_owned());
        }
    }
    unknown
}

/// Words that turn a condition round: one that was not understood is not passed over.
const LEAVING_OUT: &str = r"뿐[인이]|제외|빼고|빼면|말고|아닌|아니|나머지|그\s*(?:외|밖)|\bexcept|\bexclud|\bwithout\b|\bnot\b|\brest\b|\bremaining\b|\bother\s+than\b";

/// Whether something is to be left out that was not read.
pub(super) fn leaves_out(rest: &str, comparing: bool) -> Option<String> {
    // "평균보다 긴": compared with what is no period.
    if !comparing && re!(r"[가-힣]?보다(?:\s|$)").is_match(rest) {
        return Some("보다".into());
    }
    let found = re!(LEAVING_OUT).find(rest)?;
    Some(found.as_str().trim().to_owned())
}

/// Words that were not understood, but that say when: "프로모션 기간 동안", "during the sale".
pub(super) fn event(rest: &str, unknown: &[String]) -> Vec<String> {
    let patterns = [
        re!(
            r"([가-힣a-z0-9]+?)(?:이|가|을|를|의)?\s*(?:기간(?:\s*(?:동안|중|에))?|시즌(?:에)?|(?:할|하던|했을|있던|있었던|열린|한)?\s*(?:때|당시|무렵|즈음)|전후|직후|직전|도중|진행\s*중)"
        ),
        re!(
            r"\b(?:during|around|after|before|since|at)\s+(?:the\s+|our\s+|that\s+|last\s+|yesterday's\s+)*([a-z]+(?:\s+[a-z]+)?)"
        ),
    ];
    let mut all = Vec::new();
    for pattern in patterns {
        for found in pattern.captures_iter(rest) {
            let said = found.get(0).map_or("", |all| all.as_str());
            all.extend(unknown.iter().filter(|word| said.contains(word.as_str())).cloned());
        }
    }
    all
}

/// Latin words that say nothing else, in a question that has Korean ones: a text that the lines
/// hold, as it stands. Only if nothing more is unknown.
pub(super) fn latin(rest: &str, unknown: &[String]) -> Option<String> {
    let texts = re!(r"[a-z]{4,}(?:\s[a-z]{3,}){0,3}");
    // "checkout-api" names something that is not there; it is no text.
    let part = |found: &regex::Match<'_>| {
        rest[..found.start()].ends_with(['-', '_']) || rest[found.end()..].starts_with(['-', '_'])
    };
    let whole = texts.find_iter(rest).filter(|found| !part(found));
    whole.map(|found| found.as_str()).find_map(|text| {
        let holds = |word: &String| text.split(' ').any(|one| one == word);
        (!unknown.is_empty() && unknown.iter().all(holds)).then(|| text.to_owned())
    })
}

fn is_known(token: &str) -> bool {
    if token.is_ascii() {
        // A number always says something: one that was not understood is not passed over.
        let number = token.bytes().all(|byte| byte.is_ascii_digit());
        return !number && (token.len() < 2 || fillers::english(token));
    }
    // One syllable is a particle or a remnant of an ending.
    if token.chars().count() < 2 {
        return true;
    }
    re!(KOREAN).is_match(token) || fillers::korean(token)
}

/// A filler or a verb of asking and happening, with any endings; or particles alone.
const KOREAN: &str = concat!(
    "^(?:(?:",
    // What the question is about, in general.
    "정렬|영향|반복|과정|단계|하루에|안에서|안에|내에서|내에|속에서|것|거|로그|요청|호출|응답|이벤트|기록|데이터|내역|내용|정보|상황|현황|상태|결과|목록|리스트|표|값|조합|구간|시도|건수|개수|횟수|전체|전부|모두|모든|총|각각|각|하나|단일|여러|일부|특정|해당|관련|대상|기준|순서|정도|경우|시간|기간|동안|사이|이후|이전|당시|중에서|중에|가운데|",
    // Verbs of asking.
    "보여|보고|보자|볼래|볼게|봐줘|봐|알려|알고|알수|뽑|찾|조회|확인|출력|나열|정리|구해|계산|가져|골라|추려|추출|말해|답해|부탁|줘|줄래|줄|주세요|주라|주실|싶|궁금|필요|",
    // Verbs of happening.
    "발생|만난|만났|마주친|들어서|들어|뜬|떴|뜨는|뜨|띄운|쏟아|튀어|벌어|생긴|생겨|생겼|일어|터진|터졌|찍힌|찍혀|찍혔|찍은|남은|남긴|남아|남겼|쌓인|쌓여|쌓였|들어온|들어와|들어왔|나온|나와|나왔|나오|나는|났|난|나|겪은|겪|걸린|걸렸|걸려|걸리|느꼈|당한|기록된|기록한|보인|보이|보낸|받은|시도한|사용한|사용|이용한|이용|접속한|접속|방문한|방문|거쳐|거친|지나|관측|감지|집중|몰린|몰려|시작|다녀|움직|처리|참여|떨어|올라|늘어|늘었|늘|줄어|줄었|증가|감소|급증|많아|적어|많이|많은|많았|많|적은|높은|높아|높|낮은|변했|변한|달라|바뀌|새로운|새로|등장|나타|없던|없는|없었|없|있는데|있는|있었|있으면|있|건드린|연관|포함|",
    // Question words and fillers.
    "몇이|몇인|몇일까|주로|대부분|보통|대체로|특히|실제로|일단|우선|대충|제일|전반|어때|어땠|어떻|어떤|어느|어디|얼마나|얼마|무엇|무슨|뭐야|뭐|뭔|뭘|누가|누구|언제|혹시|그럼|그러면|그리고|그런데|그래서|이제|이번에는|이번엔|이번|다시|다음은|계속|조금|대략|정확히|정확하게|한번|함께|같이|같은|똑같이|똑같은|동일한|동일|서로|다른|다르게|묶어|묶음|모아|따라|따른|대해|대한|관해|관한|통해|위한|위해|대신|말고|제외|빼고|만큼|처럼|로만|으로만|",
    "형태|형식|단위|별로|별|간격|기본|자세히|자세하게|간단히|빠르게|최대한|현재까지|현재|지금까지|지금|여태|우리|저희|내가|제가|나한테|하는지|했는지|인지|했던|했어|했나|했지|했|하는|하고|해서|해줘|해주|해|한|할|하|된|되는|되었|됐|되|될|돼|이야|이지|인가요|인가|인데|입니다|이에요|예요|이다|이었|였",
    ")[가-힣]*|",
    "(?:에서의|에서는|에서도|에서|에게서|에게|에는|에도|에만|에|으로는|으로|로는|로|의|은|는|이|가|을|를|도|만|와|과|랑|이랑|하고|이나|나|든지|든|까지|부터|보다|처럼|들|들이|들은|들의|들을|들만|별|씩|당|째|쯤|경|대|번째|라는|이라는|라고|이란|란|인|이며|이고|고|야|요|죠|지|니|냐|까|네|데)+)$",
);
