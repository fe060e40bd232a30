//! A question as it was understood.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::change::{self, Change};
use super::document::{self, Version};
use super::facility::{self, Around};
use super::intent::{self, Clues, Intent, Reading};
use super::lexicon::{Act, DataKind, Deal, Mention, Property, Sense, Subject, normal, scan};
use super::parts::{self, Part};
use super::reference::{self, Newness, Reference};
use super::region::{self, PlaceMention, Region};
use super::terms::{Terms, add};
use super::unread::{self, UnreadWord};
use crate::advisor::draft;

/// What the conversation was about before the question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The data of the latest search.
    pub kinds: Vec<DataKind>,
    /// The places of the latest search.
    pub regions: Vec<Region>,
    /// The last answer was a draft that may now be changed.
    pub drafting: bool,
}

/// A question as it was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub text: String,
    pub intent: Intent,
    /// How sure the intent is, 0 to 1.
    pub confidence: f32,
    /// The data that its answer rests on.
    pub required: Vec<DataKind>,
    /// The data it names itself.
    pub named: Vec<DataKind>,
    /// Every place it names, also those it names to leave out.
    pub places: Vec<PlaceMention>,
    pub terms: Terms,
    /// The deals whose prices its answer rests on: of "매매가로 월세 수익률" only the sale's.
    pub needed_deals: Vec<Deal>,
    pub reference: Reference,
    pub newness: Newness,
    /// Which contract it speaks of.
    pub version: Version,
    /// It speaks of another world than homes, or only greets.
    pub is_alien: bool,
    /// The words by which it names what the law is about.
    pub subject_words: Vec<(Subject, String)>,
    /// The words that no reader knows.
    pub unread: Vec<UnreadWord>,
    /// What a contract is called in it: the words right before.
    pub paper_names: Vec<String>,
    /// Something is to be worked out from data, so sums and deals in it may be
    /// input of the calculation rather than of a search.
    pub calculates: bool,
    /// The one place that it names is set against those of before.
    pub compares: bool,
    /// Something is to be picked from data that are there.
    pub picks: bool,
    /// A wider area than before is wanted.
    pub widens: bool,
    /// It says what it does not mean: "매매 말고".
    pub takes_back: bool,
    /// The text of a contract stands in the question.
    pub brings_contract: bool,
    pub parts: Vec<Part>,
}

impl Question {
    /// The places that it asks about.
    pub fn regions(&self) -> Vec<Region> {
        let mut regions = Vec::new();
        for place in self.places.iter().filter(|place| !place.taken_back) {
            add(&mut regions, place.region.clone());
        }
        regions
    }
}

/// A figure so many letters behind a word is said of it: 매매가가 8억, the price is ₩800,000,000, a price of an 8억 home.
const NEAR: usize = 8;

/// So many questions stay read: those of one conversation, and of some beside it.
const KEPT: usize = 64;

/// What was read, the last first.
type Kept = VecDeque<(Context, Arc<Question>)>;

/// Reads a question within its conversation. Every step of an answer asks for it: what was read last is kept.
pub fn understand(text: &str, context: &Context) -> Question {
    static READ: Mutex<Kept> = Mutex::new(VecDeque::new());
    let lock = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |(before, question): &&(Context, Arc<Question>)| question.text == text && before == context;
    let known = lock().iter().find(same).map(|(_, question)| Arc::clone(question));
    if let Some(question) = known {
        return (*question).clone();
    }
    let question = read(text, context);
    let mut kept = lock();
    kept.push_front((context.clone(), Arc::new(question.clone())));
    kept.truncate(KEPT);
    question
}

fn read(text: &str, context: &Context) -> Question {
    let plain = normal(text);
    let mut mentions = scan(&plain);
    // What a contract says to do is not the wish of whoever shows it.
    let own = before_contract(&plain);
    mentions.retain(|mention| {
        own.trim().is_empty() || mention.start < own.len() || !matches!(mention.sense, Sense::Act(_))
    });
    let places = region::find(&plain, &context.regions);
    let mut terms = Terms::of(&plain, &mentions);
    let (reference, newness) = reference::read(&plain, &mentions);
    let version = document::version(&plain, &context.kinds);
    let unread = unread::find(&plain, &unread::taken(&plain, &mentions, &places, &terms));
    let says = |sense: Sense| mentions.iter().any(|m| m.sense == sense && !m.taken_back);
    let edits = context.drafting && draft::edits(text);
    let reading = if edits {
        Reading::new(Intent::ContractCreation, 0.9)
    } else {
        intent::read(&Clues {
            text: &plain,
            mentions: &mentions,
            has_place: places.iter().any(|place| !place.taken_back),
            amounts: &terms.amounts,
            areas: &terms.areas,
            has_unknown: !unread.is_empty(),
            wants_it_shown: unread::wants_it_shown(&plain),
            before: &context.kinds,
        })
    };
    let named = named(&mentions);
    let priced = says(Sense::PriceAsk) && speaks_of_homes(&mentions);
    let alone = named.is_empty() && !priced;
    let around = Around {
        goes_on: context.kinds.contains(&DataKind::Infrastructure),
        nothing_else: alone && !speaks_of_homes(&mentions),
    };
    terms.around(&plain, facility::asked(&plain, around));
    let reading = if terms.facilities.is_empty() { reading } else { reading.with_facilities(alone) };
    // A paper that was changed says nothing of the law.
    let of_paper = reading.required.contains(&DataKind::Contract) && version != Version::Unsaid;
    // 그걸로 is then what was heard of, unless a search is refused in words.
    let keeps = reference.keep && (!change::is_heard(&plain) || reference::refuses_search(&plain, &mentions));
    let newness =
        match change::read(&plain).filter(|change| !of_paper && (!keeps || *change == Change::Asked)) {
            Some(Change::Happened) => Newness::Latest,
            Some(Change::Asked) if newness == Newness::Unsaid => Newness::Doubted,
            _ => newness,
        };
    Question {
        text: text.to_owned(),
        intent: reading.intent,
        confidence: reading.confidence,
        required: reading.required,
        named,
        needed_deals: needed_deals(&plain, &mentions),
        reference,
        newness,
        version,
        is_alien: says(Sense::Alien) || says(Sense::Greeting),
        paper_names: document::names(&plain),
        subject_words: subject_words(&plain, &mentions),
        unread,
        calculates: says(Sense::Act(Act::Calculate)),
        picks: says(Sense::Act(Act::Pick)),
        compares: matches!(&places[..], [place] if !place.taken_back && region::is_compared(&plain, place)),
        widens: says(Sense::Widen),
        takes_back: mentions.iter().any(|mention| mention.taken_back),
        brings_contract: brings_contract(&plain),
        parts: parts::split(text),
        places,
        terms,
    }
}

/// What the law is asked about, in the words of the question.
fn subject_words(text: &str, mentions: &[Mention]) -> Vec<(Subject, String)> {
    let subject = |mention: &Mention| match mention.sense {
        Sense::Subject(subject) if !mention.taken_back => {
            Some((subject, text[mention.start..mention.end].to_owned()))
        }
        _ => None,
    };
    mentions.iter().filter_map(subject).collect()
}

/// The kinds of data that a question names itself.
fn named(mentions: &[Mention]) -> Vec<DataKind> {
    let topic = |mention: &Mention| match mention.sense {
        Sense::Topic(kind) if !mention.taken_back => Some(kind),
        _ => None,
    };
    let mut named: Vec<DataKind> = mentions.iter().filter_map(topic).collect();
    named.sort_unstable();
    named.dedup();
    named
}

/// Where a text that is [`normal`] first asks for data of this kind. What a question only starts from (시세 기준으로), or says
/// itself (매매가 8억), it does not ask for.
pub(in crate::advisor) fn place_of(text: &str, kind: DataKind) -> Option<usize> {
    let mentions = scan(text);
    let asked = |mention: &&Mention| {
        mention.sense == Sense::Topic(kind)
            && !mention.taken_back
            && !intent::is_ground(text, mention)
            && !is_said_itself(&text[mention.end..])
    };
    mentions.iter().filter(asked).map(|mention| mention.start).min()
}

/// Does a figure follow right away?
fn is_said_itself(rest: &str) -> bool {
    rest.chars().take(NEAR).take_while(|c| !matches!(c, ',' | '.' | '?' | '!')).any(|c| c.is_ascii_digit())
}

/// Is a home or a deal spoken of? Shops may be what lies around one.
fn speaks_of_homes(mentions: &[Mention]) -> bool {
    let home = |sense| match sense {
        Sense::Deal(_) => true,
        Sense::Property(property) => property != Property::Shop,
        _ => false,
    };
    mentions.iter().any(|mention| !mention.taken_back && home(mention.sense))
}

/// The deals whose prices an answer rests on.
fn needed_deals(text: &str, mentions: &[Mention]) -> Vec<Deal> {
    const YIELDS: &[&str] = &["수익", "환산", "roi", "yield", "return"];
    let mut deals = Vec::new();
    // What is paid in against what is paid for a home.
    if text.contains("전세가율") || text.contains("jeonse ratio") {
        deals.extend([Deal::Sale, Deal::Jeonse]);
    }
    let yields = YIELDS.iter().any(|word| text.contains(word));
    for mention in mentions.iter().filter(|mention| !mention.taken_back) {
        let Sense::Deal(deal) = mention.sense else { continue };
        // What a home yields is worked out from its price: the rent is what comes of it.
        if !yields || intent::is_ground(text, mention) {
            add(&mut deals, deal);
        }
    }
    deals
}

/// What the person says before the contract that follows it; all of it if none does.
pub(in crate::advisor) fn before_contract(text: &str) -> &str {
    if !brings_contract(&normal(text)) {
        return text;
    }
    let clause =
        |n: u32| [format!("제{n}조"), format!("제 {n} 조")].iter().filter_map(|name| text.find(name)).min();
    text.get(..(1..=9).filter_map(clause).min().unwrap_or(text.len())).unwrap_or(text)
}

/// Two numbered articles and some length make a contract, or two that begin clauses of their own: no law's, of which
/// somebody only speaks.
fn brings_contract(text: &str) -> bool {
    let begins_clause = |n: u32| {
        let name = format!("제{n}조");
        text.match_indices(&name).any(|(at, _)| {
            let before = text[..at].trim_end();
            let ended = before.is_empty() || before.ends_with(['.', ':', ')', '\n', '다', '요', '함', '음']);
            ended && text[at + name.len()..].starts_with([' ', '('])
        })
    };
    if (1..=9).filter(|n| begins_clause(*n)).count() >= 2 && text.chars().count() > 40 {
        return true;
    }
    let articles = (1..=9)
        .filter(|n| text.contains(&format!("제{n}조")) || text.contains(&format!("제 {n} 조")))
        .count();
    articles >= 2 && text.chars().count() > 150
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_contract_is_told_from_a_question_about_articles() {
        let brings = |text| understand(text, &Context::default()).brings_contract;
        assert!(brings(
            "계약서 봐줘. 제1조 임차인은 계약갱신요구권을 행사하지 않는다. 제2조 보증금은 2억원으로 한다."
        ));
        assert!(!brings(
            "주택임대차보호법 제6조와 제7조의 차이를 설명해 주시고 제6조의3도 알려주세요. 궁금합니다."
        ));
        assert!(!brings(
            "민법 제3조 제4조 제5조가 임대차에도 적용되는지 자세히 알려주실 수 있을까요? 부탁드립니다"
        ));
    }

    fn intent(text: &str) -> Intent {
        understand(text, &Context::default()).intent
    }

    #[test]
    fn intents_of_plain_questions() {
        for (text, wanted) in [
            ("전세금 인상 가능한가요?", Intent::LegalConsult),
            ("집주인이 보증금을 안 돌려주면 어떻게 해야 하나요", Intent::LegalConsult),
            ("전세사기 당했는데 어떻게 하죠", Intent::LegalConsult),
            ("취득세가 얼마예요?", Intent::LegalConsult),
            ("강남 아파트 시세", Intent::MarketInquiry),
            ("마포구 원룸 월세", Intent::MarketInquiry),
            ("잠실은 요즘 어때?", Intent::MarketInquiry),
            ("연봉 6천인데 주담대 얼마까지 나와?", Intent::LoanConsult),
            ("한도가 얼마나 되나요", Intent::LoanConsult),
            ("임대차 계약서 작성해줘", Intent::ContractCreation),
            ("계약서 작성할 때 주의할 점 알려줘", Intent::LegalConsult),
            ("이 계약서 검토해줘", Intent::ContractReview),
            ("깡통전세 위험 분석해줘", Intent::RiskAnalysis),
            ("강동구에서 집 살 때 뭘 봐야 해?", Intent::Comprehensive),
            ("시세랑 법률 같이 봐줘", Intent::Comprehensive),
            ("도와줘", Intent::Unclear),
            ("아 그거", Intent::Unclear),
            ("오늘 날씨 어때?", Intent::Irrelevant),
            ("양자역학을 설명해줘", Intent::Irrelevant),
        ] {
            assert_eq!(intent(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_ground_is_not_the_aim() {
        assert_eq!(intent("아까 시세로 대출 한도 계산해줘"), Intent::LoanConsult);
        assert_eq!(intent("영등포구 시세 기준으로 대출 없이 얼마나 필요해?"), Intent::MarketInquiry);
    }

    #[test]
    fn a_compound_question_needs_exactly_what_it_names() {
        let question = understand("시세하고 대출 같이 봐줘", &Context::default());
        assert_eq!(question.intent, Intent::Comprehensive);
        assert_eq!(question.required, [DataKind::Market, DataKind::Loan]);
    }

    #[test]
    fn a_question_that_goes_on_is_about_what_was_before() {
        let context = Context { kinds: vec![DataKind::Loan], ..Context::default() };
        assert_eq!(understand("그럼 3억이면?", &context).intent, Intent::LoanConsult);
        assert_eq!(understand("그럼 3억이면?", &Context::default()).intent, Intent::Unclear);
    }

    #[test]
    fn what_is_earned_and_what_is_lent_are_told_apart() {
        assert_eq!(intent("연봉 4천인데 빌라 전세 얼마짜리가 무리 없을까?"), Intent::MarketInquiry);
        assert_eq!(intent("월급 280이면 원룸 월세 얼마까지 괜찮아"), Intent::MarketInquiry);
        assert_eq!(intent("연소득 5천이면 얼마까지 나와?"), Intent::LoanConsult);
        assert_eq!(intent("오피스텔 사는데 은행이 얼마 빌려줄까"), Intent::LoanConsult);
    }

    #[test]
    fn another_world_stays_one_after_a_search() {
        let context = Context { kinds: vec![DataKind::Market], ..Context::default() };
        let after = |text| understand(text, &context).intent;
        for other in ["주식 2억 갈까?", "이더리움 말고 코인 5천만원 오를까", "will bitcoin hit 100 million?"]
        {
            assert_eq!(after(other), Intent::Irrelevant, "{other}");
        }
        for home in [
            "주식 다 팔았다 치고 6억이면?",
            "코인 정리하면 3억이면 어때",
            "if i sell my stock, 600 million is all i have",
        ] {
            assert_ne!(after(home), Intent::Irrelevant, "{home}");
        }
    }

    #[test]
    fn wishes_for_old_and_new_data_are_told_apart() {
        let newness = |text| understand(text, &Context::default()).newness;
        assert_eq!(newness("최신 시세로 알려줘"), Newness::Latest);
        assert_eq!(newness("아까 거 말고 새로 찾아줘"), Newness::Latest);
        assert_eq!(newness("다시 검색하지 말고 아까 결과로 답해줘"), Newness::Unsaid);
        assert_eq!(newness("그 법 아직 유효해?"), Newness::Doubted);
        assert_eq!(newness("시세 다시 알려줘"), Newness::Unsaid);
        assert_eq!(newness("금리 내렸다던데 그걸로 다시 계산해줘"), Newness::Latest);
        assert_eq!(newness("금리 내렸다던데 조회는 다시 하지 말고 아까 표로 해줘"), Newness::Unsaid);
        assert_eq!(newness("시세는 이미 뽑았다니까 재검색 없이 그걸로 요약해줘"), Newness::Unsaid);
        assert_eq!(newness("the rate changed, they say, but do not search again"), Newness::Unsaid);
    }
}
