//! From exchanges to summaries, from summaries to facts: by rules, so that
//! remembering costs no call of a model.

use jiff::Timestamp;
use serde::Serialize;

use super::exchange::{Exchange, Summary};
use super::fact::{Fact, FactKind};
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{Amount, Role, Terms, before_contract};
use crate::advisor::won;

/// So long is a summary, in characters; half of it may be the question.
const SUMMARY: usize = 300;
/// So long is a sentence that somebody asked to remember.
const SAID: usize = 200;

/// An exchange in short: the question, and the lines of the answer that say most.
pub(super) fn summarise(exchange: &Exchange) -> Summary {
    let asked = shortened(&one_line(&exchange.asked), SUMMARY / 2);
    let room = SUMMARY.saturating_sub(asked.chars().count() + 3);
    let text = format!("{asked} → {}", telling(&exchange.answered, room));
    Summary {
        thread: exchange.thread.clone(),
        at: exchange.at,
        text,
        terms: exchange.terms.clone(),
        regions: exchange.regions.clone(),
        held: exchange.held.iter().filter_map(super::Held::lasting).collect(),
    }
}

/// The lines with figures or articles first; within that, as they come.
fn telling(answer: &str, room: usize) -> String {
    let lines: Vec<&str> =
        answer.lines().map(|line| line.trim().trim_start_matches(['#', '-', '*', '•', ' '])).collect();
    let says = |line: &&&str| line.chars().any(|c| c.is_ascii_digit());
    let (figures, others): (Vec<&&str>, Vec<&&str>) =
        lines.iter().filter(|line| !line.is_empty()).partition(says);
    let mut text = String::new();
    for line in figures.into_iter().chain(others) {
        let left = room.saturating_sub(text.chars().count() + usize::from(!text.is_empty()));
        if left < 12 && !text.is_empty() {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&shortened(line, left));
    }
    text
}

/// How much an exchange says about the person, beyond its question.
pub(super) fn weight(terms: &Terms, regions: &[Region]) -> usize {
    let own = terms.amounts.iter().filter(|amount| matches!(amount.role, Role::Budget | Role::Income));
    own.count() * 2
        + terms.groups.len() * 2
        + regions.len().min(2)
        + terms.features.len()
        + terms.areas.len()
        + usize::from(!terms.properties.is_empty())
        + usize::from(!terms.deals.is_empty())
}

/// What the person asked to remember, told at once and in their own words.
pub(super) fn said(exchange: &Exchange, id: &str) -> Option<Fact> {
    const WISHES: &[&str] = &["기억해", "기억하고", "잊지 마", "잊지마", "remember that", "please remember"];
    // A contract that is brought asks for nothing.
    let asked = before_contract(&exchange.asked);
    let lower = asked.to_lowercase();
    let asks_back = ["기억해?", "기억하고 있", "기억해요?", "기억하세요?", "do you remember"];
    if !WISHES.iter().any(|wish| lower.contains(wish)) || asks_back.iter().any(|ask| lower.contains(ask)) {
        return None;
    }
    let text = shortened(&one_line(asked), SAID);
    Some(Fact::new(FactKind::Said, (text.clone(), text), exchange.at, id))
}

/// The facts and preferences in a summary.
pub(super) fn distil(summary: &Summary, id: &str) -> Vec<Fact> {
    let mut facts = Facts { at: summary.at, id, facts: Vec::new() };
    let terms = &summary.terms;
    for amount in &terms.amounts {
        match amount.role {
            Role::Budget => facts.add(FactKind::Budget, sum(amount)),
            Role::Income => facts.add(FactKind::Income, sum(amount)),
            _ => {}
        }
    }
    for region in &summary.regions {
        facts.add(FactKind::Region, (region.to_string(), region.to_string()));
    }
    for area in &terms.areas {
        let text = format!("{:.0}㎡", area.square_metres);
        facts.add(FactKind::Area, (text.clone(), text));
    }
    facts.words(FactKind::Group, &terms.groups);
    facts.words(FactKind::Deal, &terms.deals);
    facts.words(FactKind::Property, &terms.properties);
    facts.words(FactKind::Loan, &terms.loans);
    facts.words(FactKind::Feature, &terms.features);
    facts.words(FactKind::Subject, &terms.subjects);
    facts.facts
}

struct Facts<'a> {
    at: Timestamp,
    id: &'a str,
    facts: Vec<Fact>,
}

impl Facts<'_> {
    fn add(&mut self, kind: FactKind, value: (String, String)) {
        self.facts.push(Fact::new(kind, value, self.at, self.id));
    }

    fn words<T: Serialize>(&mut self, kind: FactKind, list: &[T]) {
        for item in list {
            if let Some(name) = name(item) {
                self.add(kind, name);
            }
        }
    }
}

/// The names of what words mean, in both languages.
fn name<T: Serialize>(item: &T) -> Option<(String, String)> {
    let code = serde_json::to_value(item).ok()?.as_str()?.to_owned();
    let english = code.replace('_', " ");
    let korean = NAMES.iter().find(|(name, _)| *name == code).map_or(english.as_str(), |(_, ko)| ko);
    Some((korean.to_owned(), english))
}

#[rustfmt::skip]
const NAMES: &[(&str, &str)] = &[
    ("sale", "매매"), ("jeonse", "전세"), ("monthly_rent", "월세"),
    ("apartment", "아파트"), ("officetel", "오피스텔"), ("villa", "빌라"), ("studio", "원룸"), ("house", "주택"), ("shop", "상가"), ("land", "토지"),
    ("mortgage", "주택담보대출"), ("credit", "신용대출"),
    ("foreigner", "외국인"), ("national", "내국인"), ("youth", "청년"), ("newlywed", "신혼부부"), ("first_buyer", "생애 최초 구입"), ("no_home", "무주택"),
    ("home_owner", "유주택"), ("company", "법인"), ("self_employed", "자영업"), ("employee", "직장인"), ("parent", "자녀가 있음"),
    ("new", "신축"), ("old", "구축"), ("near_station", "역세권"), ("school", "학교"), ("large_complex", "대단지"), ("facing", "방향"), ("floor", "층"),
    ("rooms", "방 수"), ("equipment", "설비"), ("view", "조망"), ("redevelopment", "재건축·재개발"), ("bargain", "급매"), ("size", "크기"),
    ("renewal", "계약 갱신"), ("deposit_return", "보증금 반환"), ("priority", "대항력·우선변제"), ("rent_increase", "임대료 인상"), ("conversion", "전월세 전환"),
    ("repair", "수선"), ("brokerage", "중개"), ("termination", "해지"), ("tax", "세금"), ("fraud", "전세 사기"), ("sublease", "전대"), ("auction", "경매"),
    ("report", "신고"), ("disclosure", "설명 의무"),
];

/// 5억 3,000만원, ₩530,000,000.
fn sum(amount: &Amount) -> (String, String) {
    (won::ko(amount.won), won::en(amount.won))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most so many characters, with a sign where something is gone.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    if most > 0 {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(asked: &str, answered: &str) -> Exchange {
        Exchange::new("t", Timestamp::UNIX_EPOCH, asked, answered)
    }

    #[test]
    fn a_summary_keeps_the_question_and_the_figures() {
        let answer = "## 요약\n\n안내해 드립니다.\n- 중앙값: 9억 2,000만원 (84㎡)\n- 8건\n\n주의하세요.";
        let summary = summarise(&exchange("노원구 아파트 시세는?", answer));
        assert_eq!(
            summary.text,
            "노원구 아파트 시세는? → 중앙값: 9억 2,000만원 (84㎡) 8건 요약 안내해 드립니다. 주의하세요."
        );
        let long = summarise(&exchange(&"가".repeat(1_000), &"1 나".repeat(1_000)));
        assert!(long.text.chars().count() <= SUMMARY, "{}", long.text.chars().count());
    }

    #[test]
    fn facts_are_what_the_person_said_of_themselves() {
        let asked = "연봉 6천만원 신혼부부인데 예산 5억 3천으로 노원구 아파트 전세 찾아줘";
        let facts = distil(&summarise(&exchange(asked, "…")), "1");
        let texts: Vec<String> = facts.iter().map(|fact| fact.text(duru_sql::guard::Lang::Ko)).collect();
        for wanted in ["소득: 6,000만원", "예산: 5억 3,000만원", "관심 지역: 서울 노원구", "관심 거래: 전세"]
        {
            assert!(texts.iter().any(|text| text == wanted), "{wanted}: {texts:?}");
        }
        assert!(texts.iter().any(|text| text.contains("신혼")), "{texts:?}");
    }

    #[test]
    fn only_a_wish_to_remember_is_one() {
        let fact = |asked| said(&exchange(asked, ""), "1").is_some();
        assert!(fact("나는 반려견이 있어, 기억해 줘"));
        assert!(fact("Please remember that I work in Pangyo"));
        assert!(!fact("지난번에 말한 거 기억해?"));
        assert!(!fact("노원구 시세 알려줘"));
        assert!(!fact(
            "계약서 봐줘. 제1조 임차인은 갱신을 요구하지 않는다. 제2조 예산이 99억인 것을 기억해 둔다."
        ));
    }
}
