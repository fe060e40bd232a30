//! What an answer rests on that was there before: figures of earlier questions, facts of other conversations, data of
//! earlier searches. Nothing of it is used without being said.

use super::names::{full, money, percent};
use crate::advisor::carry;
use crate::advisor::lang::Lang;
use crate::advisor::ledger::{self, Value, What};
use crate::advisor::memory;
use crate::advisor::planner::kind;
use crate::advisor::state::{Advice, KnownFact};
use crate::advisor::words;

pub(super) fn reused(s: &Advice, lang: Lang) -> Vec<String> {
    let mut lines: Vec<String> = figures(s, lang).into_iter().chain(remembered(s, lang)).collect();
    if !s.data_reused {
        return lines;
    }
    let kept = s.sufficiency_result.iter().flat_map(|judged| &judged.kept);
    lines.extend(kept.map(|kept| {
        let place = kept.region.as_ref().map(|region| format!("{} ", full(region, lang))).unwrap_or_default();
        let age = kept.age.map(|seconds| format!(", {}", words::age(seconds, lang))).unwrap_or_default();
        lang.pick(
            format!("{place}{} {}건{age}", kind(kept.kind, lang), kept.count),
            format!("{place}{}: {} items{age}", kind(kept.kind, lang), kept.count),
        )
    }));
    lines
}

/// Figures of earlier questions that this answer rests on, each with the question it is from.
fn figures(s: &Advice, lang: Lang) -> Option<String> {
    let carried = s.planning.carried.as_ref()?;
    let said = carry::said(s, &s.question());
    let mut all = said.clone();
    carry::fill(&mut all, carried);
    let (said, all) = (ledger::values(&said), ledger::values(&all));
    let used = s.ledger.entries.iter().filter(|entry| {
        entry.source == ledger::Source::Said
            && s.planning.calculations.iter().any(|one| entry.what.serves(*one))
            && all.contains(&(entry.what, entry.value.clone()))
            && !said.iter().any(|(what, _)| *what == entry.what)
    });
    let lines: Vec<String> = used
        .filter_map(|entry| {
            let what = named(entry.what, lang)?;
            let value = valued(entry.what, &entry.value, lang)?;
            let turn = entry.turn;
            Some(lang.pick(
                format!("{what} {value}({turn}번째 질문)"),
                format!("{what} {value} (question {turn})"),
            ))
        })
        .collect();
    let list = lines.join(", ");
    (!lines.is_empty())
        .then(|| lang.pick(format!("앞서 말씀하신 {list}"), format!("What you said before: {list}")))
}

/// A figure as it is told.
fn valued(what: What, value: &Value, lang: Lang) -> Option<String> {
    Some(match value {
        Value::Won(won) | Value::Budget { won, .. } => money(*won, lang),
        Value::Share(share) => percent(*share),
        Value::Years(years) => lang.pick(format!("{years}년"), format!("{years} years")),
        Value::Months(months) if months % 12 == 0 => {
            lang.pick(format!("{}년", months / 12), format!("{} years", months / 12))
        }
        Value::Months(months) => lang.pick(format!("{months}개월"), format!("{months} months")),
        Value::Homes(homes) if what == What::HomesHeld => lang.pick(format!("{homes}채"), format!("{homes}")),
        Value::Homes(homes) => lang.pick(format!("{homes}번째"), format!("number {homes}")),
        Value::Places(places) => places.iter().map(|place| full(place, lang)).collect::<Vec<_>>().join(", "),
        Value::Groups(groups) => {
            let names = groups.iter().filter_map(memory::name).map(|(ko, en)| lang.pick(ko, en));
            names.collect::<Vec<_>>().join(", ")
        }
        _ => return None,
    })
}

/// Facts of other conversations that this answer rests on, each with its day: never used without being said.
fn remembered(s: &Advice, lang: Lang) -> Option<String> {
    let line = |fact: &KnownFact| {
        let (what, value) = (named(fact.what, lang)?, valued(fact.what, &fact.value, lang)?);
        let day: String = fact.at.chars().take(10).collect();
        Some(format!("{what} {value}({day})").replace(")(", ", "))
    };
    let lines: Vec<String> = s.planning.remembered.iter().filter_map(line).collect();
    let list = lines.join(", ");
    (!lines.is_empty()).then(|| {
        lang.pick(
            format!("지난 대화에서 기억하는 {list}. 달라졌으면 말씀해 주세요"),
            format!("Remembered from earlier conversations: {list}. Tell me if that has changed"),
        )
    })
}

/// What an entry is called.
fn named(what: What, lang: Lang) -> Option<String> {
    let (ko, en) = match what {
        What::Price => ("집값", "price"),
        What::Deposit => ("보증금", "deposit"),
        What::MonthlyRent => ("월세", "rent"),
        What::Loan => ("대출", "loan"),
        What::Income => ("연소득", "income"),
        What::Debt => ("기존 대출", "debts"),
        What::OwnMoney => ("자기 자금", "own money"),
        What::Budget => ("예산", "budget"),
        What::Resale => ("파는 값", "sale price"),
        What::Gain => ("차익", "gain"),
        What::OfficialPrice => ("공시가격", "official price"),
        What::OtherRepayments => ("다른 대출의 연 상환액", "yearly repayments of other loans"),
        What::Held => ("보유 기간", "held for"),
        What::Lived => ("거주 기간", "lived in for"),
        What::HomesHeld => ("가진 집", "homes"),
        What::Rate => ("금리", "rate"),
        What::Years => ("기간", "term"),
        What::Homes => ("주택 수", "home"),
        What::Group => ("조건", "status"),
        What::Place => ("지역", "area"),
        _ => return None,
    };
    Some(lang.pick(ko, en))
}
