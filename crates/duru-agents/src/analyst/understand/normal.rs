//! One spelling for what people write in several: numbers in words, wide
//! letters, common misspellings. What stands in quotation marks is left alone.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::scan::{compile, re};

/// The question in the spelling that the patterns know.
pub(super) fn normal(question: &str) -> String {
    let narrow: String = question.chars().map(narrow).collect();
    let quoted = re!(r#""[^"]*"|'[^']*'|“[^”]*”|‘[^’]*’|`[^`]*`|「[^」]*」"#);
    let mut all = String::new();
    let mut from = 0;
    for mark in quoted.find_iter(&narrow) {
        all.push_str(&plain(&narrow[from..mark.start()]));
        all.push_str(mark.as_str());
        from = mark.end();
    }
    all.push_str(&plain(&narrow[from..]));
    all
}

/// Full-width signs and letters as ASCII has them.
fn narrow(letter: char) -> char {
    match letter {
        '\u{3000}' | '\u{a0}' => ' ',
        '！'..='～' => char::from_u32(letter as u32 - 0xFEE0).unwrap_or(letter),
        '〜' | '∼' => '~',
        other => other,
    }
}

fn plain(text: &str) -> String {
    static SPELLINGS: LazyLock<Vec<(Regex, &str)>> =
        LazyLock::new(|| SPELLED.iter().map(|(pattern, one)| (compile(pattern), *one)).collect());
    let mut text = english_numbers(&korean_numbers(text));
    for (pattern, one) in SPELLINGS.iter() {
        if pattern.is_match(&text) {
            text = pattern.replace_all(&text, *one).into_owned();
        }
    }
    text
}

const SPELLED: &[(&str, &str)] = &[
    (r"메세지", "메시지"),
    (r"(?i)\b(?:a\s+)?fortnight\b", "2 weeks"),
    // "새벽 시간대" is when, and not by what.
    (
        r"(새벽|아침|오전|점심|낮|오후|저녁|밤|심야|야간)\s*시간대(에는|에서|에|의)?(\s|[?.,]|$)",
        "${1}${2}${3}",
    ),
    (r"(?i)\b(?:the\s+|our\s+)?busiest\s+(day)\b", "which ${1} had the most logs"),
    // Whoever has one level and not another has the one.
    (
        r"(?i)\b(warnings?|warns?|fatals?|infos?|debug)((?:\s+(?:logs?|lines?|entries))?),?\s+(?:but|and)\s+not\s+(?:the\s+)?errors?\b",
        "${1}${2}",
    ),
    (r"(?i)\bbut\s+not\s+(?:the\s+)?(errors?|warnings?|info|debug|fatals?)\b", "excluding ${1}"),
    // Of people, "logged in" is what they did; of lines, where they are.
    (
        r"(?i)\b(users?|customers?|people|accounts?|members?)\s+(?:who\s+|that\s+)?(?:have\s+|has\s+)?(?:logged|signed)[\s-]+in\b",
        "${1} of the login endpoint",
    ),
    (r"(?i)\bbetween\s+(\d{1,2})\s+and\s+(\d{1,2})\s+in\s+the\s+morning\b", "between ${1}am and ${2}am"),
    (
        r"(?i)\bbetween\s+(\d{1,2})\s+and\s+(\d{1,2})\s+in\s+the\s+(?:afternoon|evening)\b",
        "between ${1}pm and ${2}pm",
    ),
    (r"(?:올해|금년)\s*(\d{1,2}월)", "${1}"),
    (r"(?i)\btwice\b", "2 times"),
    (r"(?i)\b(more\s+than|at\s+least)\s+once\b", "${1} 1 times"),
    (r"([가-힣])(은|는|도|만|이|가)요(\s|[?.,!]|$)", "${1}${2}${3}"),
    (r"(?:시간대|시간|시)\s*\(\s*0시?\s*[~-]\s*2[34]시?\s*\)\s*별", "시간대별"),
    (r"(^|\s)(?:단\s*)?(?:한|하나|1)\s*(?:번|건|개|줄)?(?:이)?라도\s", "${1}"),
    (r"갯수", "개수"),
    (r"([\s가-힣]|^)젤\s", "${1}제일 "),
    (r"(?i)페이탈|크리티컬", "FATAL"),
    (r"익셉션", "예외"),
    (r"엔드\s포인트", "엔드포인트"),
    (r"(?:리스폰스|응답)\s*타임", "응답시간"),
    (r"어플리케이션|애플리케이션|어플", "앱"),
    (r"(?i)\b(top|last)(\d+)\b", "${1} ${2}"),
    (r"(?i)(\d+)\s+or\s+more\s+(seconds?|secs?|ms|milliseconds?|minutes?)\b", "${1} ${2} or more"),
    (r"(톱|탑)(\d+)", "${1} ${2}"),
    (r"([볼알할줄릴])\s*수\s*(?:가\s*)?(?:있|없)[가-힣]*", "${1}"),
    (
        r"(?i)\b(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)\s+(and|to|through)\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)\s+of\s+([a-z]+)",
        "${4} ${1} ${2} ${4} ${3}",
    ),
    (r"(\d{1,2})\s*[-~]\s*(\d{1,2})시", "${1}시~${2}시"),
    (r"(?i)\b(\d{1,2})\s*(-|–|to|and)\s*(\d{1,2})\s*(am|pm)\b", "${1}${4} ${2} ${3}${4}"),
    (r"(\d{1,2})월\s*(\d{1,2})일?에서\s*(\d{1,2})일(?:\s*사이|까지)?", "${1}월 ${2}일부터 ${3}일까지"),
    (r"(\d+)\s*\+\s+", "${1} or more "),
    (r"(?i)\b(service|error|level|path|user|environment|host)-(?:wise|level)\b", "by ${1}"),
    (r"(?i)\bper-(\w)", "per ${1}"),
    (r"(?i)\b(\w+)-(?:producing|throwing|generating|causing|prone)\s", "${1} "),
    (r"(\w)’(s|t|d|re|ve|ll|m)\b", "${1}'${2}"),
];

/// Native and Sino-Korean numbers before what they count.
fn korean_numbers(text: &str) -> String {
    let native = re!(
        r"(^|[\s(,~])(열한|열하나|열두|열둘|열세|열셋|열네|열넷|열다섯|열여섯|열일곱|열여덟|열아홉|스물한|스물하나|스물두|스물세|스물네|스물다섯|스무|스물|서른(?:다섯)?|마흔(?:여덟)?|쉰|예순|일흔|여든|아흔)(\s*(?:시간|시|분|초|일|주|개월|달|년|건|개|번|회|명|곳|가지|줄|차례|대|종|군데|위|살))"
    );
    let text = native.replace_all(text, |found: &Captures<'_>| {
        let number = native_number(&found[2]).map_or_else(|| found[2].to_owned(), |n| n.to_string());
        format!("{}{number}{}", &found[1], &found[3])
    });
    let hour = re!(
        r"(^|[\s~]|부터|오전|오후|새벽|저녁|밤|아침|낮)(\s*)(한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두)\s*시(\s*반|\s*(?:정각)?(?:부터|까지|에|경|쯤|이후|이전|$|\s|~))"
    );
    let text = hour.replace_all(&text, |found: &Captures<'_>| {
        let number = super::scan::number(&found[3]).or_else(|| native_number(&found[3]));
        let number = number.map_or_else(|| found[3].to_owned(), |n| n.to_string());
        format!("{}{}{number}시{}", &found[1], &found[2], &found[4])
    });
    // Of one syllable only where no other word is so written.
    let sino = re!(
        r"(^|[\s(,~])((?:[일이삼사오육칠팔구]?[십백천만])+[일이삼사오육칠팔구]?|[삼오육칠팔])(\s*(?:시간|분|초|밀리초|일|주|개월|달|년|건|개|번|회|명|곳|가지|줄|위|퍼센트|프로|원))(간|동안|치|이내|내|전|에|만|까지|이상|이하|미만|초과|넘|의|을|를|가|이|\s|$|[,.?!)])"
    );
    let text = sino.replace_all(&text, |found: &Captures<'_>| match sino_number(&found[2]) {
        Some(number) => format!("{}{number}{}{}", &found[1], &found[3], &found[4]),
        None => found[0].to_owned(),
    });
    text.into_owned()
}

fn native_number(word: &str) -> Option<u32> {
    const TENS: &[(&str, u32)] = &[
        ("열", 10),
        ("스물", 20),
        ("스무", 20),
        ("서른", 30),
        ("마흔", 40),
        ("쉰", 50),
        ("예순", 60),
        ("일흔", 70),
        ("여든", 80),
        ("아흔", 90),
    ];
    let (ten, number) = TENS.iter().find(|(ten, _)| word.starts_with(ten))?;
    let rest = word.strip_prefix(ten)?;
    if rest.is_empty() { Some(*number) } else { Some(number + super::scan::number(rest)?) }
}

fn sino_number(word: &str) -> Option<u64> {
    let (mut total, mut section, mut digit) = (0, 0, 0);
    for letter in word.chars() {
        match letter {
            '십' | '백' | '천' => {
                let unit = match letter {
                    '십' => 10,
                    '백' => 100,
                    _ => 1_000,
                };
                section += if digit == 0 { unit } else { digit * unit };
                digit = 0;
            }
            '만' => {
                total += if section + digit == 0 { 10_000 } else { (section + digit) * 10_000 };
                (section, digit) = (0, 0);
            }
            other => digit = "일이삼사오육칠팔구".chars().position(|it| it == other)? as u64 + 1,
        }
    }
    Some(total + section + digit)
}

/// "Twenty-four", "a hundred": the small ones are read where they stand.
fn english_numbers(text: &str) -> String {
    let words = re!(
        r"(?i)\b(?:(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[\s-](one|two|three|four|five|six|seven|eight|nine))?|(eleven|thirteen|fourteen|sixteen|seventeen|eighteen|nineteen)|(?:a|an|one)\s+(hundred|thousand|dozen)|(half\s+a\s+dozen))\b"
    );
    let text = words.replace_all(text, |found: &Captures<'_>| {
        let word =
            |group: usize| found.get(group).map(|it| it.as_str().to_ascii_lowercase()).unwrap_or_default();
        let number = match word(3).as_str() {
            "eleven" => 11,
            "thirteen" => 13,
            "fourteen" => 14,
            "sixteen" => 16,
            "seventeen" => 17,
            "eighteen" => 18,
            "nineteen" => 19,
            _ => match word(4).as_str() {
                "hundred" => 100,
                "thousand" => 1_000,
                "dozen" => 12,
                _ if !word(5).is_empty() => 6,
                _ => {
                    const TENS: [&str; 8] =
                        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
                    let ten = TENS.iter().position(|ten| *ten == word(1)).map_or(0, |place| (place + 2) * 10);
                    ten + super::scan::number(&word(2)).unwrap_or_default() as usize
                }
            },
        };
        number.to_string()
    });
    text.into_owned()
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn numbers_in_words_become_figures() {
        for (said, meant) in [
            ("최근 스물네 시간", "최근 24 시간"),
            ("삼십 분 동안", "30 분 동안"),
            ("오백 밀리초 이상", "500 밀리초 이상"),
            ("오후 두 시부터 네 시까지", "오후 2시부터 4시까지"),
            ("최근 칠일 에러", "최근 7일 에러"),
            ("last forty-eight hours", "last 48 hours"),
            ("a hundred errors", "100 errors"),
            ("ＴＯＰ３", "TOP 3"),
        ] {
            assert_eq!(normal(said), meant);
        }
    }

    #[test]
    fn words_that_only_look_like_numbers_stay() {
        for said in ["사건 로그", "구분해서 보여줘", "일주일 에러", "이 건은", "메시지에 '오백 건'이 있는"]
        {
            assert_eq!(normal(said), said);
        }
    }
}
