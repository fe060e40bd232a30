//! What a question wants, and which data its answer rests on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amount::Amount;
use super::area::Area;
use super::document::{self, Version};
use super::lexicon::{Act, DataKind, Mention, Pointer, Sense, Subject};
use super::words::{AND, after_particle, is_particle};
use super::worlds::about_homes;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    LegalConsult,
    MarketInquiry,
    LoanConsult,
    ContractCreation,
    ContractReview,
    Comprehensive,
    RiskAnalysis,
    /// What lies around a place.
    Infrastructure,
    Unclear,
    Irrelevant,
}

impl Intent {
    /// The data that an answer to such a question rests on.
    pub fn required(self) -> Vec<DataKind> {
        match self {
            Self::LegalConsult => vec![DataKind::Legal],
            Self::MarketInquiry => vec![DataKind::Market],
            Self::LoanConsult => vec![DataKind::Loan],
            Self::ContractReview => vec![DataKind::Legal, DataKind::Contract],
            Self::Comprehensive | Self::RiskAnalysis => vec![DataKind::Legal, DataKind::Market],
            Self::Infrastructure => vec![DataKind::Infrastructure],
            Self::ContractCreation | Self::Unclear | Self::Irrelevant => vec![],
        }
    }

    /// The intent of a question that only goes on with these data.
    fn about(kinds: &[DataKind]) -> Option<Self> {
        let has = |kind| kinds.contains(&kind);
        match kinds {
            [] => None,
            _ if has(DataKind::Contract) => Some(Self::ContractReview),
            [one] => Some(Self::single(*one)),
            _ => Some(Self::Comprehensive),
        }
    }

    fn single(kind: DataKind) -> Self {
        match kind {
            DataKind::Legal => Self::LegalConsult,
            DataKind::Market => Self::MarketInquiry,
            DataKind::Loan => Self::LoanConsult,
            DataKind::Contract => Self::ContractReview,
            DataKind::Infrastructure => Self::Infrastructure,
        }
    }
}

/// An intent, how sure it is, and the data it needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) intent: Intent,
    pub(crate) confidence: f32,
    pub(crate) required: Vec<DataKind>,
}

impl Reading {
    pub(crate) fn new(intent: Intent, confidence: f32) -> Self {
        Self { intent, confidence, required: intent.required() }
    }

    /// With what lies around a place: beside what else is asked for, or alone where nothing else is.
    pub(crate) fn with_facilities(mut self, alone: bool) -> Self {
        match self.intent {
            Intent::ContractCreation | Intent::ContractReview => self,
            _ if alone => Self::new(Intent::Infrastructure, 0.9),
            _ => {
                self.required.push(DataKind::Infrastructure);
                self.required.sort_unstable();
                self.required.dedup();
                self
            }
        }
    }
}

/// What the intent is read from.
pub(crate) struct Clues<'a> {
    /// Lower case, single spaces.
    pub(crate) text: &'a str,
    pub(crate) mentions: &'a [Mention],
    /// A place is named.
    pub(crate) has_place: bool,
    pub(crate) amounts: &'a [Amount],
    pub(crate) areas: &'a [Area],
    /// Some word is neither known nor harmless.
    pub(crate) has_unknown: bool,
    /// It points at something and asks for it to be shown: 위 표에 단가도 넣어줘.
    pub(crate) wants_it_shown: bool,
    /// The data the conversation was about last.
    pub(crate) before: &'a [DataKind],
}

impl Clues<'_> {
    pub(super) fn has(&self, wanted: impl Fn(Sense) -> bool) -> bool {
        self.mentions.iter().any(|mention| !mention.taken_back && wanted(mention.sense))
    }

    fn says(&self, sense: Sense) -> bool {
        self.has(|found| found == sense)
    }

    fn has_measure(&self) -> bool {
        !self.amounts.is_empty() || !self.areas.is_empty()
    }

    /// The topics spoken of, in order, without those that are taken back.
    pub(super) fn topics(&self) -> Vec<(DataKind, &Mention)> {
        self.mentions
            .iter()
            .filter(|mention| !mention.taken_back)
            .filter_map(|mention| match mention.sense {
                Sense::Topic(kind) => Some((kind, mention)),
                _ => None,
            })
            .collect()
    }

    fn is_ground(&self, mention: &Mention) -> bool {
        is_ground(self.text, mention)
    }

    /// Are two mentions joined by "and"?
    fn joined(&self, first: &Mention, second: &Mention) -> bool {
        const SIGNS: &[&str] = &[",", "·", "/", "+", "그리고", "에다"];
        const THEN: &[&str] = &["주고", "보고", "그리고", "고,", "다음"];
        let between = self.text.get(first.end..second.start).unwrap_or_default().trim();
        let ends = |word: &&str| between.ends_with(*word) || between.contains(&format!("{word} "));
        AND.iter().chain(SIGNS).any(|word| between.starts_with(word)) || AND.iter().chain(THEN).any(ends)
    }
}

/// Is what follows the mention the ground of the question, not its aim: 시세로, 금리 기준으로?
pub(super) fn is_ground(text: &str, mention: &Mention) -> bool {
    const GROUNDS: &[&str] = &["기준", "바탕", "토대", "가지고", "갖고", "그대로", "대비", "근거"];
    let rest = &text[mention.end..];
    let word: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
    let by = (word.starts_with('로') || word.starts_with("으로") || word.starts_with("에서"))
        && is_particle(&word);
    by || GROUNDS.iter().any(|ground| after_particle(rest).trim_start().starts_with(ground))
}

/// Reads the intent: first what names a task, then topics, then hints, then
/// what the conversation was about.
pub(crate) fn read(clues: &Clues<'_>) -> Reading {
    let topics = clues.topics();
    let named = |kind| topics.iter().any(|(topic, _)| *topic == kind);
    if clues.says(Sense::Alien) && !about_homes(clues) {
        return Reading::new(Intent::Irrelevant, 0.9);
    }
    if let Some(reading) = contract(clues, named(DataKind::Contract)) {
        return reading;
    }
    let mut data: Vec<DataKind> =
        topics.iter().map(|(kind, _)| *kind).filter(|kind| *kind != DataKind::Contract).collect();
    data.sort_unstable();
    data.dedup();
    if clues.says(Sense::Overall) {
        return overall(data, 0.95);
    }
    if let Some(reading) = risk(clues) {
        return reading;
    }
    if data.len() > 1 && several(clues, &topics) {
        return overall(data, 0.9);
    }
    if clues.before.contains(&DataKind::Market) && has_its_rate(clues, &topics) {
        return Reading::new(Intent::MarketInquiry, 0.8);
    }
    if let Some(kind) = head(clues, &topics) {
        let confidence = if data.len() > 1 { 0.8 } else { 0.95 };
        return Reading::new(Intent::single(kind), confidence);
    }
    if named(DataKind::Contract) {
        return Reading::new(Intent::LegalConsult, 0.7);
    }
    by_hints(clues)
}

/// 그 값에 복비 0.4프로 얹으면: who says the rate of a tax or a fee only has it worked out from the prices that are there.
fn has_its_rate(clues: &Clues<'_>, topics: &[(DataKind, &Mention)]) -> bool {
    let fee = |mention: &Mention| {
        let of = |other: &&Mention| matches!(other.sense, Sense::Subject(Subject::Tax | Subject::Brokerage));
        clues.mentions.iter().filter(of).any(|other| other.start == mention.start)
    };
    let rate = ["프로", "퍼", "%"].iter().any(|sign| {
        clues.text.match_indices(sign).any(|(at, _)| clues.text[..at].ends_with(|c: char| c.is_ascii_digit()))
    });
    let asks = clues.says(Sense::Act(Act::Calculate)) || clues.says(Sense::PriceAsk);
    rate && asks
        && topics.iter().any(|(_, mention)| fee(mention))
        && topics.iter().all(|(kind, mention)| *kind == DataKind::Market || fee(mention))
}

fn contract(clues: &Clues<'_>, named: bool) -> Option<Reading> {
    // "Write me a lease": of what can be written, a lease is a contract.
    let named = named
        || clues.says(Sense::Act(Act::Draft)) && clues.text.contains(" lease")
        || document::is_handed_in(clues.text, clues.before);
    if !named {
        return None;
    }
    // 초안이 왔는데 봐줘: what has come in is not to be written.
    let comes_in = document::is_handed_in(clues.text, clues.before) && clues.says(Sense::Act(Act::Review));
    if clues.says(Sense::Act(Act::Draft)) && !comes_in {
        return Some(Reading::new(Intent::ContractCreation, 0.95));
    }
    // A paper that was changed or replaced is to be looked at, whatever is asked of it.
    if document::version(clues.text, clues.before) != Version::Unsaid {
        return Some(Reading::new(Intent::ContractReview, 0.9));
    }
    let law_only = clues.says(Sense::LawText)
        && !clues.says(Sense::Act(Act::Review))
        && !clues.before.contains(&DataKind::Contract);
    let looked_at = clues.says(Sense::Act(Act::Review))
        || clues.says(Sense::Weigh) && !clues.says(Sense::Move) && clues.says(Sense::Point(Pointer::It))
        // 지난달에 끝난 계약: a day says when, not which.
        || clues.has(|sense| matches!(sense, Sense::Point(to) if to != Pointer::Dated))
        // The contract that the talk is about.
        || clues.before.contains(&DataKind::Contract) && !clues.says(Sense::Move);
    (looked_at && !law_only).then(|| Reading::new(Intent::ContractReview, 0.95))
}

fn risk(clues: &Clues<'_>) -> Option<Reading> {
    if !clues.says(Sense::Risk) || clues.says(Sense::Harmed) {
        return None;
    }
    // What is asked for comes last: 시세하고 법만 놓고 위험을 매겨줘, but not 위험 관련 판례.
    let place = |wanted: fn(Sense) -> bool| {
        let of = |mention: &&Mention| !mention.taken_back && wanted(mention.sense);
        clues.mentions.iter().filter(of).map(|mention| mention.start).max()
    };
    let aim = place(|sense| sense == Sense::Risk) > place(|sense| matches!(sense, Sense::Topic(_)));
    let weighs = clues.says(Sense::Weigh) || aim && clues.before.len() > 1;
    let law_looked_up = clues.says(Sense::LawText) && !weighs;
    let loan_or_price = clues.has(|sense| {
        matches!(sense, Sense::Topic(DataKind::Loan)) || matches!(sense, Sense::Topic(DataKind::Market))
    });
    // "위험" beside a plain look-up of prices or loans is no analysis unless one is asked for.
    if law_looked_up || loan_or_price && !weighs {
        return None;
    }
    // What is dangerous in the contract that was looked at is asked of the contract.
    if clues.before.contains(&DataKind::Contract)
        && !clues.has_place
        && clues.has(|sense| matches!(sense, Sense::Point(_)))
    {
        return Some(Reading::new(Intent::ContractReview, 0.9));
    }
    Some(Reading::new(Intent::RiskAnalysis, 0.9))
}

/// The topics are asked about side by side.
fn several(clues: &Clues<'_>, topics: &[(DataKind, &Mention)]) -> bool {
    let differing = |pair: &&[(DataKind, &Mention)]| pair[0].0 != pair[1].0;
    clues.says(Sense::Together)
        || topics.windows(2).filter(differing).any(|pair| clues.joined(pair[0].1, pair[1].1))
}

/// Law, market and more; where at least two kinds are named, exactly those.
fn overall(named: Vec<DataKind>, confidence: f32) -> Reading {
    let mut reading = Reading::new(Intent::Comprehensive, confidence);
    if named.len() > 1 {
        reading.required = named;
    }
    reading
}

/// The topic that the question aims at: the last one that is not merely its ground.
fn head(clues: &Clues<'_>, topics: &[(DataKind, &Mention)]) -> Option<DataKind> {
    let data = || topics.iter().filter(|(kind, _)| *kind != DataKind::Contract);
    // Taxes and fees are worked out, not looked up, where there is something to work with.
    let worked_out = |mention: &Mention| {
        clues.says(Sense::Act(Act::Calculate))
            && clues.mentions.iter().any(|other| {
                let of = matches!(other.sense, Sense::Subject(Subject::Tax | Subject::Brokerage));
                of && other.start == mention.start
            })
    };
    if let Some((kind, _)) = data().rev().find(|(_, mention)| clues.is_ground(mention))
        && data().all(|(_, mention)| clues.is_ground(mention) || worked_out(mention))
    {
        return Some(*kind);
    }
    let aim = data().rev().find(|(_, mention)| !clues.is_ground(mention));
    aim.or_else(|| data().next_back()).map(|(kind, _)| *kind)
}

/// A deposit is a matter of law, and a figure of the rents that were found.
fn asks_of_prices(clues: &Clues<'_>) -> bool {
    let figure = |mention: &Mention| {
        ["보증금", "전세금", "신고", "deposit"].contains(&&clues.text[mention.start..mention.end])
    };
    let hints = || clues.mentions.iter().filter(|mention| mention.sense == Sense::Hint(DataKind::Legal));
    let points = clues.has(|sense| matches!(sense, Sense::Point(_)));
    clues.before == [DataKind::Market] && points && hints().all(figure)
}

/// Does a word speak of loans that is none of income?
fn hints_beyond_income(clues: &Clues<'_>) -> bool {
    let income = |at: usize| clues.mentions.iter().any(|m| m.sense == Sense::Earns && m.start == at);
    let loan = |m: &&Mention| !m.taken_back && m.sense == Sense::Hint(DataKind::Loan);
    clues.mentions.iter().filter(loan).any(|mention| !income(mention.start))
}

fn by_hints(clues: &Clues<'_>) -> Reading {
    let hints = |kind| clues.says(Sense::Hint(kind));
    let homes = clues.has(|sense| matches!(sense, Sense::Deal(_) | Sense::Property(_) | Sense::Feature(_)));
    let continues = clues.has(|sense| matches!(sense, Sense::Point(_) | Sense::Onward | Sense::Keep))
        || clues.wants_it_shown
        || clues.has_place
        || clues.has_measure()
        || homes
        || clues.says(Sense::Latest)
        || clues.says(Sense::Doubt)
        || clues.says(Sense::PriceAsk)
        || clues.has(|sense| matches!(sense, Sense::Act(_) | Sense::Group(_)));
    if clues.says(Sense::Alien) && !about_homes(clues) {
        return Reading::new(Intent::Irrelevant, 0.9);
    }
    // 등기부등본에서 뭘 봐야 해요: what to look at in a paper is law; in a home it is more.
    if clues.says(Sense::Move) && (hints(DataKind::Market) || homes || clues.has_place) {
        return Reading::new(Intent::Comprehensive, 0.8);
    }
    // 이 가격이면 은행에서 얼마까지 빌려줄까: who asks for a sum that is lent asks for no price.
    if clues.says(Sense::Lending) && !clues.has_place {
        return Reading::new(Intent::LoanConsult, 0.75);
    }
    if clues.says(Sense::PriceAsk) && (homes || hints(DataKind::Market) || clues.has_place) {
        return Reading::new(Intent::MarketInquiry, 0.85);
    }
    // What somebody earns tells what can be borrowed, and, beside a home or a deal, what can be paid for that.
    if hints(DataKind::Loan) && (!homes || hints_beyond_income(clues)) {
        return Reading::new(Intent::LoanConsult, 0.75);
    }
    if hints(DataKind::Legal) && !clues.has_place && !asks_of_prices(clues)
        || clues.says(Sense::Harmed) && clues.says(Sense::Risk)
    {
        return Reading::new(Intent::LegalConsult, 0.75);
    }
    // A bare pronoun with nothing to do is no question, whatever came before.
    let asks =
        clues.mentions.iter().any(|mention| {
            !matches!(mention.sense, Sense::Point(Pointer::It) | Sense::Filler | Sense::Greeting)
        }) || clues.has_place
            || clues.has_measure()
            || clues.wants_it_shown;
    if asks
        && continues
        && let Some(intent) = Intent::about(clues.before)
    {
        let mut reading = Reading::new(intent, 0.75);
        if intent == Intent::Comprehensive {
            reading.required = clues.before.to_vec();
        }
        return reading;
    }
    if homes || clues.has_place || hints(DataKind::Market) {
        return Reading::new(Intent::MarketInquiry, 0.7);
    }
    if clues.says(Sense::Greeting) || clues.has_unknown {
        return Reading::new(Intent::Irrelevant, 0.7);
    }
    Reading::new(Intent::Unclear, 0.8)
}
