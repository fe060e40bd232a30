//! What an exchange says of the person: facts, from the ledger of its conversation and from the question's own words.

use jiff::Timestamp;
use serde::Serialize;

use super::digest::{one_line, shortened};
use super::exchange::{Exchange, Summary};
use super::fact::{Fact, FactKind, FactSource};
use super::names::name;
use super::secret;
use crate::advisor::ledger::{Entry, Source, Value};
use crate::advisor::understand::region::{self, Region};
use crate::advisor::understand::{Deal, Group, Person, Role, Terms, before_contract, normal};
use crate::advisor::won;

/// So long is a sentence that somebody asked to remember.
pub(super) const SAID: usize = 200;

/// So much of a question is read.
const READ: usize = 2_000;

/// What was heard.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) facts: Vec<Fact>,
    /// What the person took back, by kind and Korean name.
    pub(super) gone: Vec<(FactKind, String)>,
}

/// The facts in an exchange.
pub(super) fn heard(exchange: &Exchange, id: &str) -> Heard {
    // A contract may follow a question; what the person says is before it.
    let said: String = before_contract(&exchange.asked).chars().take(READ).collect();
    let source = FactSource::Said { thread: exchange.thread.clone(), turn: exchange.turn.max(1) };
    let mut facts = Facts { at: exchange.at, id, source: Some(source), facts: Vec::new() };
    facts.facts.extend(wish(&said).map(|text| facts.fact(FactKind::Said, (text.clone(), text), None)));
    let terms = Terms::read(&said);
    // What is said of somebody else is no fact about the person.
    let own = terms.people.iter().all(|person| matches!(person, Person::Myself | Person::Couple));
    if own {
        facts.figures(&exchange.entries, &terms, &normal(&said));
        if states(&said) {
            facts.groups(&terms.groups);
        }
    }
    facts.preferences(&terms, &exchange.regions);
    let mut gone: Vec<(FactKind, String)> = region::find(&said, &[])
        .into_iter()
        .filter(|place| place.taken_back)
        .map(|place| (FactKind::Region, place.region.to_string()))
        .collect();
    for fact in facts.facts.iter().filter(|fact| fact.kind == FactKind::Group) {
        gone.extend(excluded(fact).into_iter().map(|name| (FactKind::Group, name)));
    }
    Heard { facts: facts.facts, gone }
}

/// The facts in a summary that was made before facts were kept at once.
pub(super) fn distil(summary: &Summary, id: &str) -> Vec<Fact> {
    let mut facts = Facts { at: summary.at, id, source: None, facts: Vec::new() };
    for amount in &summary.terms.amounts {
        match amount.role {
            Role::Budget => facts.budget(amount.won, &summary.terms.deals),
            Role::Income => facts.sum(FactKind::Income, amount.won),
            _ => {}
        }
    }
    facts.groups(&summary.terms.groups);
    facts.preferences(&summary.terms, &summary.regions);
    facts.facts
}

/// What a person put right, where it can be read.
pub(super) fn corrected(fact: &Fact, text: &str, now: Timestamp) -> Option<Fact> {
    let text = text.trim();
    if text.is_empty() || secret::holds(text) {
        return None;
    }
    let mut facts =
        Facts { at: now, id: "corrected", source: Some(FactSource::Corrected), facts: Vec::new() };
    let terms = Terms::read(text);
    match fact.kind {
        FactKind::Said => {
            let text = shortened(&one_line(text), SAID);
            facts.add(FactKind::Said, (text.clone(), text), None);
        }
        kind if kind.is_sum() => {
            let plain: String =
                text.chars().filter(|letter| !matches!(letter, ',' | ' ' | '₩' | '원')).collect();
            let won = terms.amounts.first().map(|amount| amount.won).or_else(|| plain.parse().ok())?;
            match &fact.figure {
                // Another sum is for the same deals.
                Some(Value::Budget { deals, .. }) => facts.budget(won, deals),
                _ if kind == FactKind::Budget => facts.budget(won, &terms.deals),
                _ => facts.sum(kind, won),
            }
        }
        FactKind::Homes => {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            facts.homes(digits.parse().ok()?);
        }
        FactKind::Region => {
            let places = region::find(text, &[]).into_iter().filter(|place| !place.taken_back);
            facts.preferences(&Terms::default(), &places.map(|place| place.region).collect::<Vec<_>>());
        }
        FactKind::Group => facts.groups(&terms.groups),
        _ => facts.preferences(&terms, &[]),
    }
    let found = facts.facts.into_iter().find(|one| one.kind == fact.kind)?;
    Some(Fact { first: fact.first, ..found })
}

/// What the person asked to remember, in their own words.
fn wish(asked: &str) -> Option<String> {
    const WISHES: &[&str] = &["기억해", "기억하고", "잊지 마", "잊지마", "remember that", "please remember"];
    const ASKS_BACK: &[&str] = &["기억해?", "기억하고 있", "기억해요?", "기억하세요?", "do you remember"];
    let lower = asked.to_lowercase();
    if !WISHES.iter().any(|wish| lower.contains(wish)) || ASKS_BACK.iter().any(|ask| lower.contains(ask)) {
        return None;
    }
    (!secret::holds(asked)).then(|| shortened(&one_line(asked), SAID))
}

/// Does somebody say of themselves who they are, rather than ask about such people?
fn states(text: &str) -> bool {
    const SAYS: &[&str] = &[
        "인데",
        "이에요",
        "예요",
        "입니다",
        "이고",
        "라서",
        "이야",
        "이거든",
        "거든요",
        "저는",
        "나는",
        "난 ",
        "제가",
        "저희",
        "우리는",
        "i am",
        "i'm",
        "we are",
        "we're",
        "as a ",
        "as an ",
    ];
    let lower = text.to_lowercase();
    SAYS.iter().any(|word| lower.contains(word))
}

/// Is a sum only supposed: 연봉이 1억이면, if my income were …?
fn supposed(text: &str, end: usize, start: usize) -> bool {
    const IF: &[&str] = &[
        "이면",
        "면 ",
        "면,",
        "이라면",
        "라면",
        "일 때",
        "일때",
        "일 경우",
        "이 되면",
        "으로 오르면",
        "로 오르면",
        "이었다면",
    ];
    const SAY: &[&str] = &["만약", "가정", "if ", "suppose", "assuming", "what if"];
    let rest = text.get(end..).unwrap_or_default().trim_start();
    let rest =
        ["원", "정도", "쯤", " won"].iter().fold(rest, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
    let before = text.get(..start).unwrap_or_default();
    let clause = before.rsplit(['.', ',', '?', '!', '\n']).next().unwrap_or_default().to_lowercase();
    IF.iter().any(|word| rest.trim_start().starts_with(word)) || SAY.iter().any(|word| clause.contains(word))
}

/// Who cannot be both: the names of what a group excludes.
fn excluded(fact: &Fact) -> Vec<String> {
    let Some(Value::Groups(groups)) = &fact.figure else { return Vec::new() };
    let other = |group: &Group| match group {
        Group::Foreigner => Some(Group::National),
        Group::National => Some(Group::Foreigner),
        Group::NoHome | Group::FirstBuyer => Some(Group::HomeOwner),
        Group::HomeOwner => Some(Group::NoHome),
        Group::SelfEmployed => Some(Group::Employee),
        Group::Employee => Some(Group::SelfEmployed),
        _ => None,
    };
    let mut others: Vec<Group> = groups.iter().filter_map(other).collect();
    if groups.contains(&Group::HomeOwner) {
        others.push(Group::FirstBuyer);
    }
    others.iter().filter_map(name).map(|(ko, _)| ko).collect()
}

struct Facts<'a> {
    at: Timestamp,
    id: &'a str,
    source: Option<FactSource>,
    facts: Vec<Fact>,
}

impl Facts<'_> {
    fn fact(&self, kind: FactKind, value: (String, String), figure: Option<Value>) -> Fact {
        Fact { figure, source: self.source.clone(), ..Fact::new(kind, value, self.at, self.id) }
    }

    fn add(&mut self, kind: FactKind, value: (String, String), figure: Option<Value>) {
        self.facts.push(self.fact(kind, value, figure));
    }

    fn sum(&mut self, kind: FactKind, won: u64) {
        self.add(kind, (won::ko(won), won::en(won)), kind.what().map(|_| Value::Won(won)));
    }

    fn budget(&mut self, won: u64, deals: &[Deal]) {
        let figure = Value::Budget { won, deals: deals.to_vec() };
        self.add(FactKind::Budget, (won::ko(won), won::en(won)), Some(figure));
    }

    fn homes(&mut self, homes: u32) {
        self.add(FactKind::Homes, (format!("{homes}채"), homes.to_string()), Some(Value::Homes(homes)));
    }

    /// What the ledger has of the person's own figures, unless it was only supposed.
    fn figures(&mut self, entries: &[Entry], terms: &Terms, text: &str) {
        let only_supposed = |role: Role| {
            let mut of = terms.amounts.iter().filter(|amount| amount.role == role);
            of.any(|amount| supposed(text, amount.span.1, amount.span.0))
        };
        for entry in entries.iter().filter(|entry| entry.source == Source::Said) {
            let Some(kind) = FactKind::of(entry.what) else { continue };
            let role = match kind {
                FactKind::Income => Role::Income,
                FactKind::OwnMoney => Role::Budget,
                FactKind::Debt => Role::Debt,
                _ => Role::YearlyRepayment,
            };
            match entry.value {
                Value::Won(won) if !only_supposed(role) => self.sum(kind, won),
                Value::Homes(homes) => self.homes(homes),
                _ => {}
            }
        }
        let own_money = self.facts.iter().any(|fact| fact.kind == FactKind::OwnMoney);
        let budget = terms.amounts.iter().find(|amount| amount.role == Role::Budget);
        if let Some(budget) = budget.filter(|_| !own_money && !only_supposed(Role::Budget)) {
            self.budget(budget.won, &terms.deals);
        }
    }

    fn groups(&mut self, groups: &[Group]) {
        for group in groups {
            if let Some(name) = name(group) {
                self.add(FactKind::Group, name, Some(Value::Groups(vec![*group])));
            }
        }
    }

    fn preferences(&mut self, terms: &Terms, regions: &[Region]) {
        for region in regions {
            let name = region.to_string();
            self.add(FactKind::Region, (name.clone(), name), Some(Value::Places(vec![region.clone()])));
        }
        if let Some(area) = terms.areas.first() {
            let text = format!("{:.0}㎡", area.square_metres);
            self.add(FactKind::Area, (text.clone(), text), None);
        }
        self.joined(FactKind::Deal, &terms.deals);
        self.joined(FactKind::Property, &terms.properties);
        self.words(FactKind::Loan, &terms.loans);
        self.words(FactKind::Feature, &terms.features);
        self.words(FactKind::Subject, &terms.subjects);
    }

    /// One fact each.
    fn words<T: Serialize>(&mut self, kind: FactKind, list: &[T]) {
        for name in list.iter().filter_map(name) {
            self.add(kind, name, None);
        }
    }

    /// One fact of all.
    fn joined<T: Serialize>(&mut self, kind: FactKind, list: &[T]) {
        let (ko, en): (Vec<String>, Vec<String>) = list.iter().filter_map(name).unzip();
        if !ko.is_empty() {
            self.add(kind, (ko.join(", "), en.join(", ")), None);
        }
    }
}

#[cfg(test)]
mod tests {
    use duru_sql::guard::Lang;

    use super::*;
    use crate::advisor::ledger::What;

    fn entry(what: What, value: Value) -> Entry {
        Entry { what, value, source: Source::Said, turn: 2, at: String::new() }
    }

    fn exchange(asked: &str, entries: &[(What, Value)]) -> Exchange {
        let entries = entries.iter().map(|(what, value)| entry(*what, value.clone()));
        Exchange::new("t", Timestamp::UNIX_EPOCH, asked, "…").entered(2, entries)
    }

    fn texts(asked: &str, entries: &[(What, Value)]) -> Vec<String> {
        heard(&exchange(asked, entries), "1").facts.iter().map(|fact| fact.text(Lang::Ko)).collect()
    }

    #[test]
    fn facts_are_what_the_person_said_of_themselves() {
        let asked = "연봉 6천만원 신혼부부인데 예산 5억 3천으로 노원구 아파트 전세 찾아줘";
        let all = texts(asked, &[(What::Income, Value::Won(60_000_000))]);
        for wanted in [
            "연소득: 6,000만원",
            "예산: 5억 3,000만원",
            "관심 지역: 서울 노원구",
            "관심 거래: 전세",
            "관심 주택: 아파트",
            "해당하는 조건: 신혼부부",
        ] {
            assert!(all.iter().any(|text| text == wanted), "{wanted}: {all:?}");
        }
        let first = &heard(&exchange(asked, &[]), "1").facts[0];
        assert_eq!(first.source, Some(FactSource::Said { thread: "t".to_owned(), turn: 2 }));
    }

    #[test]
    fn what_is_supposed_or_of_somebody_else_is_no_fact() {
        let income = [(What::Income, Value::Won(100_000_000))];
        for asked in [
            "연봉이 1억이면 대출 한도가 얼마나 나와?",
            "만약 연봉 1억을 받는다고 치면 한도는?",
            "If my income is 100 million won, how much can I borrow?",
            "제 동생 연봉이 1억인데 7억 아파트 대출 한도는?",
        ] {
            let all = texts(asked, &income);
            assert!(!all.iter().any(|text| text.contains("소득")), "{asked}: {all:?}");
        }
        let all = texts("무주택자가 받을 수 있는 청년 대출은?", &[]);
        assert!(!all.iter().any(|text| text.starts_with("해당하는 조건")), "{all:?}");
        assert!(texts("My income is 100 million won. How much can I borrow?", &income)[0].contains("1억원"));
    }

    #[test]
    fn only_a_wish_to_remember_is_one() {
        let fact = |asked| texts(asked, &[]).iter().any(|text| text.starts_with("기억해 달라고"));
        assert!(fact("나는 반려견이 있어, 기억해 줘"));
        assert!(fact("Please remember that I work in Pangyo"));
        assert!(!fact("지난번에 말한 거 기억해?"));
        assert!(!fact("노원구 시세 알려줘"));
        assert!(!fact("비밀번호는 hunter22야, 기억해 줘"));
        assert!(!fact("내 계좌 110-234-567890 기억해 줘"));
        assert!(!fact(
            "계약서 봐줘. 제1조 임차인은 갱신을 요구하지 않는다. 제2조 예산이 99억인 것을 기억해 둔다."
        ));
    }

    #[test]
    fn what_is_put_right_is_read_by_its_kind() {
        let all = heard(
            &exchange("저는 무주택인데 노원구 84㎡ 전세 찾아요", &[(What::Income, Value::Won(1))]),
            "1",
        )
        .facts;
        let put = |kind: FactKind, text: &str| {
            let fact = all.iter().find(|fact| fact.kind == kind).unwrap();
            corrected(fact, text, Timestamp::UNIX_EPOCH).map(|fact| fact.value.0)
        };
        for (kind, text, wanted) in [
            (FactKind::Income, "7천만원", Some("7,000만원")),
            (FactKind::Income, "72,000,000", Some("7,200만원")),
            (FactKind::Income, "많이", None),
            (FactKind::Region, "마포구", Some("서울 마포구")),
            (FactKind::Region, "달나라", None),
            (FactKind::Deal, "sale", Some("매매")),
            (FactKind::Area, "59㎡", Some("59㎡")),
            (FactKind::Group, "신혼부부", Some("신혼부부")),
            (FactKind::Group, "900101-1234567", None),
        ] {
            assert_eq!(put(kind, text).as_deref(), wanted, "{kind:?} {text}");
        }
    }
}
