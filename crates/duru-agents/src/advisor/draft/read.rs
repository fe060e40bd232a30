//! What a text says of a lease, for the form.

use std::sync::LazyLock;

use regex::Regex;

use super::dates::{DATE, DAYS_OF_SIGNING, dated, length, period};
use super::form::{LeaseForm, LeaseKind, Party};
use crate::advisor::understand::region;
use crate::advisor::understand::{Deal, Role, Terms};

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static RENT_DAY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"매(?:월|달)\s*(\d{1,2})\s*일").unwrap());

#[allow(clippy::unwrap_used, reason = "see above")]
static ENGLISH_NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i:\b(landlord|tenant)(?:'s name)?(?: is|:| =|,)?) ((?-i:[A-Z])[\w.'-]*(?: (?-i:[A-Z])[\w.'-]*){0,3})").unwrap()
});

#[allow(clippy::unwrap_used, reason = "see above")]
static TERM: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let behind = r"(?:추가|넣|적어|적고|포함|기재)";
    let of = |form: String| Regex::new(&form).unwrap();
    vec![
        of(format!(
            r"특약(?:사항)?(?:에|에는|으로|란에)\s*[:：]?\s*(.+?)(?:이?라는 내용을?|는 내용을?|이?라고|을|를|도)?\s*{behind}"
        )),
        of(format!(r"(?:^|[.,]\s*)([^.,?]+?)\s*(?:특약|조항)(?:사항)?(?:을|도|으로)?\s*{behind}")),
        of(r"(?i)special terms?:\s*(.+)$".to_owned()),
    ]
});

/// Words that change a draft.
const CHANGES: &[&str] = &[
    "넣어",
    "바꿔",
    "바꾸",
    "수정",
    "변경",
    "고쳐",
    "고치",
    "추가",
    "적어",
    "채워",
    "해줘",
    "해 줘",
    "하자",
    "할게",
    "정해",
    "아니라",
    "아니고",
    "change",
    "set ",
    "add ",
    "make it",
    "fill",
    "should be",
    ", not ",
];

/// Words by which a draft becomes final.
const FINISHES: &[&str] = &[
    "이대로",
    "그대로 만들",
    "확정",
    "문서로",
    "워드로",
    "파일로",
    "docx",
    "확인했",
    "확인합니다",
    "as it is",
    "looks good",
    "finalise",
    "finalize",
];

/// Whether a text that follows a draft changes it or makes it final: it says
/// something of the lease, and asks nothing.
pub(in crate::advisor) fn edits(text: &str) -> bool {
    if finishes(text) {
        return true;
    }
    if text.contains('?') || Terms::asks_for_data(text) {
        return false;
    }
    let said = LeaseForm::read(text);
    let named = said.landlord.name.is_some() || said.tenant.name.is_some();
    let says = LeaseForm { kind: None, address: None, area: None, ..said } != LeaseForm::default()
        || ["기간", "주소", "전세로", "월세로", "term"].iter().any(|word| text.contains(word));
    let lower = text.to_lowercase();
    named || says && CHANGES.iter().any(|word| lower.contains(word))
}

/// Whether the person takes the draft as it stands.
pub(in crate::advisor) fn finishes(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    lower.chars().count() <= 40
        && !lower.contains('?')
        && (FINISHES.iter().any(|word| lower.contains(word)) || ["확인", "confirm"].contains(&lower.as_str()))
}

impl LeaseForm {
    /// This draft with what the text says of it: special terms come to those
    /// that are there, a length alone moves the end.
    #[must_use]
    pub fn changed(&self, text: &str) -> Self {
        let said = Self::read(text);
        let mut special_terms = self.special_terms.clone();
        for term in &said.special_terms {
            if !special_terms.contains(term) {
                special_terms.push(term.clone());
            }
        }
        let jeonse = said.kind == Some(LeaseKind::Jeonse);
        let dated = said.start.is_some();
        let mut changed = said.or(self.clone());
        changed.special_terms = special_terms;
        if jeonse {
            (changed.monthly_rent, changed.rent_day) = (None, None);
        }
        if !dated && let (Some(start), Some(span)) = (changed.start, length(text)) {
            changed.end = start.checked_add(span).ok().and_then(|end| end.yesterday().ok());
        }
        changed
    }

    /// What the text says. It is a start for a form that a person then looks
    /// through: what is not plainly said is left open.
    pub fn read(text: &str) -> Self {
        let terms = Terms::read(text);
        let sum =
            |role: Role| terms.amounts.iter().find(|amount| amount.role == role).map(|amount| amount.won);
        let deposit = sum(Role::Deposit).or_else(|| english_sum(text, "deposit"));
        let monthly_rent = sum(Role::MonthlyRent);
        let kind = match (terms.deals.first(), monthly_rent) {
            (_, Some(rent)) if rent > 0 => Some(LeaseKind::MonthlyRent),
            (Some(Deal::Jeonse), _) => Some(LeaseKind::Jeonse),
            (Some(Deal::MonthlyRent), _) => Some(LeaseKind::MonthlyRent),
            _ => None,
        };
        let (start, end) = period(text);
        Self {
            kind,
            landlord: Party { name: name(text, "임대인", "landlord"), ..Party::default() },
            tenant: Party { name: name(text, "임차인", "tenant"), ..Party::default() },
            address: address(text),
            area: terms.areas.first().filter(|area| !area.in_pyeong).map(|area| area.square_metres),
            deposit,
            monthly_rent,
            down_payment: labelled(text, "계약금"),
            interim: labelled(text, "중도금"),
            interim_on: dated(text, &["중도금"]),
            balance: labelled(text, "잔금"),
            balance_on: dated(text, &["잔금"]),
            maintenance_fee: labelled(text, "관리비"),
            signed_on: dated(text, DAYS_OF_SIGNING),
            special_terms: special_terms(text),
            rent_day: RENT_DAY.captures(text).and_then(|found| found[1].parse().ok()),
            start,
            end,
            ..Self::default()
        }
    }
}

/// "deposit of 200 million won".
fn english_sum(text: &str, word: &str) -> Option<u64> {
    let lower = text.to_lowercase();
    let after = &lower[lower.find(word)? + word.len()..];
    Terms::read(after).amounts.first().map(|amount| amount.won)
}

/// The sum right behind a word: "계약금은 3천만원".
fn labelled(text: &str, label: &str) -> Option<u64> {
    let after = &text[text.find(label)? + label.len()..];
    let after = after.trim_start_matches(['은', '는', '이', '가', '을', '를', ':', ' ', '월']);
    if !after.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    // Only what stands there, up to the next thing that is said.
    let near: String = after.chars().take_while(|c| !matches!(c, ',' | '\n')).take(20).collect();
    // "1,000만원" has a comma of its own.
    let near = if near.chars().all(|c| c.is_ascii_digit()) { after.chars().take(20).collect() } else { near };
    // A day is no sum.
    if DATE.find(&near).is_some_and(|found| found.start() == 0) {
        return None;
    }
    Terms::read(&near).amounts.first().map(|amount| amount.won)
}

fn special_terms(text: &str) -> Vec<String> {
    let found = TERM.iter().find_map(|form| form.captures(text));
    let term =
        found.and_then(|found| found.get(1)).map(|term| term.as_str().trim().trim_matches(['"', '\'']));
    let real = |term: &&str| term.chars().count() >= 3 && !term.contains("계약서") && !term.contains('?');
    term.filter(real).map(str::to_owned).into_iter().collect()
}

/// A name that is plainly one: right after who it is of, and before a word
/// that ends it. "임대인이 수리" names nobody.
fn name(text: &str, who: &str, in_english: &str) -> Option<String> {
    if let Some(found) =
        ENGLISH_NAME.captures_iter(text).find(|found| found[1].eq_ignore_ascii_case(in_english))
    {
        return Some(found[2].trim_end_matches(['.', ',']).to_owned());
    }
    const ENDS: &[&str] = &[
        "이고",
        "이며",
        "고,",
        "씨",
        "님",
        ",",
        ".",
        "입니다",
        "이에요",
        "예요",
        ")",
        "\n",
        " 임",
        // "임차인 이영희 보증금 3억": the next entry begins.
        " 보증금",
        " 전세금",
        " 전세",
        " 월세",
        " 차임",
        " 주소",
        " 계약",
        " 잔금",
        " 관리비",
        " 기간",
        " 특약",
        " 연락",
        " 전화",
    ];
    let (_, after) = text.split_once(who)?;
    let after = after.trim_start_matches([' ', ':', '=', '(']);
    let after = ["이름은 ", "이름을 ", "은 ", "는 ", "을 ", "를 ", "이름: "]
        .iter()
        .find_map(|word| after.strip_prefix(word))
        .unwrap_or(after);
    let letters: Vec<char> = after.chars().take_while(|c| ('가'..='힣').contains(c)).collect();
    // The longest name of up to four letters that something ends.
    (2..=letters.len().min(4)).rev().find_map(|length| {
        let name: String = letters[..length].iter().collect();
        let rest = &after[name.len()..];
        // "이영희로 바꿔줘" names somebody, "서면으로 알린다" nobody.
        let into = ["으로 ", "로 "].iter().find_map(|word| rest.strip_prefix(word));
        let ended = rest.is_empty()
            || ENDS.iter().any(|end| rest.starts_with(end))
            || into.is_some_and(|rest| CHANGES.iter().any(|word| rest.starts_with(word)));
        (ended && !NOT_NAMES.contains(&name.as_str())).then_some(name)
    })
}

const NOT_NAMES: &[&str] =
    &["임대인", "임차인", "정보", "이름", "주소", "부담", "동의", "수리", "모두", "전액", "미정"];

/// The place as it was written, from its name to the end of its number.
fn address(text: &str) -> Option<String> {
    let place = region::find(text, &[]).into_iter().find(|place| !place.taken_back)?;
    let name = place.region.to_string();
    // A street and a number that follow the name belong to it.
    let last = place.region.name();
    let after = text.find(&last).map(|at| &text[at + last.len()..]).unwrap_or_default();
    let words: Vec<&str> = after
        .split_whitespace()
        .take_while(|word| {
            let word = word.trim_end_matches([',', '.']);
            let numbered = word.chars().any(|c| c.is_ascii_digit());
            numbered
                && (word.chars().all(|c| c.is_ascii_digit() || c == '-')
                    || ["번지", "동", "호", "층", "길", "로"].iter().any(|end| word.ends_with(end)))
        })
        .collect();
    Some(if words.is_empty() {
        name
    } else {
        format!("{name} {}", words.join(" ").trim_end_matches([',', '.']))
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_form_is_started_from_what_is_said() {
        let form = LeaseForm::read(
            "임대인 김철수, 임차인은 이영희이고 마포구 연남동 123-4 보증금 1억에 월세 50만원, 매월 5일, \
             2026년 7월 1일부터 2년 월세 계약서 써 줘",
        );
        assert_eq!(form.landlord.name.as_deref(), Some("김철수"));
        assert_eq!(form.tenant.name.as_deref(), Some("이영희"));
        assert_eq!(form.address.as_deref(), Some("서울 마포구 연남동 123-4"));
        assert_eq!(
            (form.deposit, form.monthly_rent, form.rent_day),
            (Some(100_000_000), Some(500_000), Some(5))
        );
        assert_eq!((form.start, form.end), (Some(date(2026, 7, 1)), Some(date(2028, 6, 30))));
        assert_eq!(form.kind, Some(LeaseKind::MonthlyRent));
    }

    #[test]
    fn a_draft_is_changed_by_what_follows_it() {
        let draft = LeaseForm::read("마포구 연남동 집, 보증금 3억 전세 계약서 만들어 줘");
        let with = |text: &str| {
            assert!(edits(text), "{text}");
            draft.changed(text)
        };
        let dated = with("계약 기간은 2026년 7월 1일부터 2년으로 넣어줘");
        assert_eq!((dated.start, dated.end), (Some(date(2026, 7, 1)), Some(date(2028, 6, 30))));
        assert_eq!(dated.deposit, Some(300_000_000));
        assert_eq!(dated.changed("기간을 1년으로 바꿔줘").end, Some(date(2027, 6, 30)));
        assert_eq!(with("임차인 이름을 이영희로 바꿔줘").tenant.name.as_deref(), Some("이영희"));
        assert_eq!(with("The tenant is Jane Roe, add her").tenant.name.as_deref(), Some("Jane Roe"));
        let paid = with("계약금은 3천만원, 잔금은 2억 7천만원이고 잔금일은 2026년 7월 1일로 적어줘");
        assert_eq!((paid.down_payment, paid.balance), (Some(30_000_000), Some(270_000_000)));
        assert_eq!((paid.balance_on, paid.start), (Some(date(2026, 7, 1)), None));
        let term = with("특약에 반려동물을 키우지 않는다는 내용을 추가해줘");
        assert_eq!(term.special_terms, ["반려동물을 키우지 않는다"]);
        assert_eq!(term.changed("벽에 못 박기 금지 특약도 넣어줘").special_terms.len(), 2);
        for text in [
            "강남구 전세 시세 알려줘",
            "보증금 3억이면 대출 얼마나 나와?",
            "오늘 날씨 어때",
            "임대인이 수리해야 해?",
        ] {
            assert!(!edits(text), "{text}");
        }
        assert!(finishes("이대로 만들어줘") && !finishes("이대로 계약해도 되나요?"));
    }

    #[test]
    fn nothing_is_made_up() {
        let form = LeaseForm::read("임대인이 수리를 부담하는 전세 계약서 만들어 줘");
        let wanted = LeaseForm { kind: Some(LeaseKind::Jeonse), ..LeaseForm::default() };
        assert_eq!(form, wanted);
        assert_eq!(LeaseForm::read("2026년 13월 45일부터 99년"), LeaseForm::default());
        assert_eq!(LeaseForm::read(""), LeaseForm::default());
    }

    #[test]
    fn both_ends_of_a_period_may_be_said() {
        let form = LeaseForm::read("2026.08.01부터 2027.07.31까지");
        assert_eq!((form.start, form.end), (Some(date(2026, 8, 1)), Some(date(2027, 7, 31))));
    }
}
