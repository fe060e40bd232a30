//! Puts the answer together.

use super::asked_order::AskedOrder;
use super::names::{deal, full, money, percent};
use super::{law, reports, summary, tail, used_again};
use crate::advisor::coverage;
use crate::advisor::lang::Lang;
use crate::advisor::state::{Advice, Answer, FaultKind, Section};
use crate::advisor::tools::{Constants, DealRecord, Filed, Item, Report, Used};
use crate::advisor::turn;
use crate::advisor::understand::DataKind;
use crate::advisor::wanted::parameters;

/// So many listings are shown.
const LISTED: usize = 5;
/// So many districts are.
const RANKED: usize = 9;

/// The answer by rule.
pub(in crate::advisor) fn compose(s: &Advice, constants: &Constants) -> Answer {
    let lang = s.lang();
    let data = s.data();
    let summary = summary::summary(s, &data, constants, lang);
    let mut sections = sections(s, &data, constants, lang);
    let told: Vec<String> = sections.iter().flat_map(|section| section.lines.clone()).collect();
    let insights: Vec<String> = s
        .team_results
        .values()
        .flat_map(|result| result.insights.clone())
        .filter(|line| !told.contains(line))
        .collect();
    if !insights.is_empty() {
        sections.push(Section { heading: lang.pick("해석", "What it means"), lines: insights });
    }
    let missing = tail::missing(s, &data, lang);
    let summary = if summary.is_empty() { nothing(s, &missing, lang) } else { summary.join(" ") };
    let mut answer = Answer {
        summary,
        sections,
        sources: tail::sources(&data, constants, lang),
        reused: used_again::reused(s, lang),
        failed: tail::failed(s, lang),
        missing,
        next_steps: tail::next_steps(s, &data, lang),
        caution: tail::caution(s, &data, constants, lang),
        documents: documents(&data),
        unanswered: Vec::new(),
        text: String::new(),
    };
    answer.unanswered = coverage::open(s, &answer, lang);
    answer.text = text(&answer, None, lang);
    answer
}

fn documents(data: &[Used]) -> Vec<Filed> {
    let reports = data.iter().flat_map(|used| &used.found.reports);
    let filed = |report: &Report| match report {
        Report::Draft(view) => view.document.clone(),
        _ => None,
    };
    reports.filter_map(filed).collect()
}

/// An honest word where there is nothing: what was tried, and what became of it.
fn nothing(s: &Advice, missing: &[String], lang: Lang) -> String {
    let mut tried: Vec<String> =
        s.faults.iter().map(|fault| crate::advisor::words::tool(&fault.tool, lang)).collect();
    tried.extend(s.used.iter().map(|used| crate::advisor::words::tool(&used.tool, lang)));
    let mut known: Vec<String> = Vec::new();
    tried.retain(|name| {
        !known.contains(name) && {
            known.push(name.clone());
            true
        }
    });
    let contract = s.team_results.values().any(|result| result.gaps.iter().any(|gap| gap == "contract_text"));
    if contract {
        return lang.pick(
            "검토할 계약서의 조항을 그대로 붙여 넣어 주세요. 위험한 조항과 빠진 조항을 찾아 드립니다.",
            "Paste the clauses of the contract as they are: I will find what is dangerous and what is missing.",
        );
    }
    // The synthetic set covers Seoul: of elsewhere there is nothing to find, however often one looks.
    let places: Vec<String> = s.planning.regions.iter().map(|region| full(region, lang)).collect();
    let (list, found_nothing) =
        (places.join(", "), s.faults.iter().all(|fault| fault.what == FaultKind::Empty));
    match &s.planning.required[..] {
        [DataKind::Market] if !places.is_empty() && found_nothing => {
            return lang.pick(
                format!("가지고 있는 자료에는 {list}의 거래가 없습니다."),
                format!("The data at hand hold no deals of {list}."),
            );
        }
        [DataKind::Infrastructure] if !places.is_empty() && found_nothing => {
            return lang.pick(
                format!("가지고 있는 자료에는 {list} 주변의 시설이 없습니다."),
                format!("The data at hand hold nothing of what lies around {list}."),
            );
        }
        _ => {}
    }
    let asks = !missing.is_empty() && s.faults.is_empty();
    match (asks, tried.is_empty()) {
        (true, _) => lang.pick("답하려면 조금 더 알아야 합니다.", "I need to know a little more to answer."),
        (false, true) => {
            lang.pick("이 질문에 쓸 자료를 찾지 못했습니다.", "Nothing was found for this question.")
        }
        (false, false) => lang.pick(
            format!(
                "{} 해 보았지만 답이 될 자료를 얻지 못했습니다.",
                Lang::with(&tried.join(", "), ("을", "를"))
            ),
            format!("I tried {}, and got nothing that answers this.", tried.join(", ")),
        ),
    }
}

/// A heading in Korean and English, and which reports stand below it.
type Heading = (&'static str, &'static str, fn(&Report) -> bool);

/// The sections that reports make, in the order that they have where the question has none.
#[rustfmt::skip]
const REPORTED: &[Heading] = &[
    ("임대료 인상 한도", "How much the rent may rise", |report| matches!(report, Report::Increase(_))),
    ("전월세 전환", "Deposit and rent", |report| matches!(report, Report::Conversion(_))),
    ("대출 한도", "How much can be borrowed", |report| matches!(report, Report::LoanLimit(_))),
    ("상환 계획", "Paying back", |report| matches!(report, Report::Repayment(_))),
    ("투자 수익률", "Returns", |report| matches!(report, Report::Returns(_) | Report::Yields(_))),
    ("세금", "Taxes", |report| matches!(report, Report::Tax(_))),
    ("양도소득세", "Capital gains tax", |report| matches!(report, Report::CapitalGains(_))),
    ("재산세", "Property tax", |report| matches!(report, Report::PropertyTax(_))),
    ("종합부동산세", "Comprehensive real-estate tax", |report| matches!(report, Report::ComprehensiveTax(_))),
    ("취득·등기 비용", "Costs of buying and registering", |report| matches!(report, Report::Registration(_))),
    ("중개보수", "Brokerage", |report| matches!(report, Report::Brokerage(_))),
    ("계약서 검토", "The contract", |report| matches!(report, Report::Contract(_))),
    ("계약서 초안", "The draft", |report| matches!(report, Report::Draft(_))),
    ("시세", "Prices", |report| matches!(report, Report::Level(_))),
    ("주변 시설", "What is nearby", |report| matches!(report, Report::Nearby(_))),
    ("시장 분석", "The market", |report| matches!(report, Report::Market(_))),
];

fn sections(s: &Advice, data: &[Used], constants: &Constants, lang: Lang) -> Vec<Section> {
    let all: Vec<&Report> = data.iter().flat_map(|used| &used.found.reports).collect();
    let ranks = turn::ranks(&s.question());
    let order = AskedOrder::of(s);
    // Each with where in the question it is asked for.
    let mut sections: Vec<(usize, Section)> = Vec::new();
    let mut add = |place: usize, ko: &str, en: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            sections.push((place, Section { heading: lang.pick(ko, en), lines }));
        }
    };
    for (ko, en, which) in REPORTED {
        let own = || all.iter().filter(|report| which(report));
        let mut lines: Vec<String> = Vec::new();
        for line in own().flat_map(|report| reports::report_lines(report, lang)) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        // District by district, the whole and the first of them; the rest would only be scrolled past.
        if ranks {
            lines.truncate(RANKED);
        }
        add(own().map(|report| order.report(report)).min().unwrap_or_default(), ko, en, lines);
    }
    for report in &all {
        // The whole text where there is no document to look at.
        if let Report::Draft(view) = report
            && view.document.is_none()
        {
            let lines = crate::advisor::draft::lines(&view.form);
            add(order.report(report), "초안 전문", "The draft in full (in Korean)", lines);
        }
    }
    add(order.data(DataKind::Market), "매물", "Listings", listings(s, data, lang));
    if s.planning.required.contains(&DataKind::Legal) {
        add(order.data(DataKind::Legal), "법률 근거", "The law", law::lines(data, lang));
    }
    let priced = all.iter().find_map(|report| match report {
        Report::LoanLimit(view) => Some(view.borrower.price),
        _ => None,
    });
    // A home's price may be known only now: loans for cheaper homes are none for this one.
    let affords = |item: &&&Item| {
        let product = constants.products().iter().find(|product| product.name == item.id);
        let most = product.and_then(|product| product.home_up_to);
        item.fit < 0.5 || !matches!((most, priced), (Some(most), Some(price)) if price > most)
    };
    let loans: Vec<String> =
        loans(data).iter().filter(affords).map(|item| loan_line(item, constants, lang)).collect();
    add(order.data(DataKind::Loan), "대출 상품", "Loans on offer", loans);
    order.sort(&mut sections);
    sections.into_iter().map(|(_, section)| section).collect()
}

/// What a loan is called: in English with the name that banks know it by.
pub(super) fn loan_name(item: &Item, constants: &Constants, lang: Lang) -> String {
    let product = constants.products().iter().find(|product| product.name == item.id);
    match product.filter(|product| lang == Lang::En && !product.name_en.is_empty()) {
        Some(product) => format!("{} [{}]", product.name_en, product.name),
        None => item.title.clone(),
    }
}

/// A loan with its terms.
pub(super) fn loan_line(item: &Item, constants: &Constants, lang: Lang) -> String {
    let product = constants.products().iter().find(|product| product.name == item.id);
    let (Lang::En, Some(product)) = (lang, product) else { return format!("{}: {}", item.title, item.text) };
    let unfit = if item.fit < 0.5 { "does not fit; its terms: " } else { "" };
    let mut parts = vec![format!("{} to {} a year", percent(product.rate.0), percent(product.rate.1))];
    let sums = [
        ("up to", product.most),
        ("income up to", product.income_up_to),
        ("home or deposit up to", product.home_up_to),
    ];
    parts.extend(sums.into_iter().filter_map(|(what, sum)| Some(format!("{what} {}", money(sum?, lang)))));
    if !product.note_en.is_empty() {
        parts.push(product.note_en.clone());
    }
    format!("{}: {unfit}{}", loan_name(item, constants, lang), parts.join(", "))
}

/// The loans that were found, each once: two searches may find the same.
pub(super) fn loans(data: &[Used]) -> Vec<&Item> {
    let mut loans: Vec<&Item> = Vec::new();
    for item in data.iter().flat_map(|used| &used.found.items).filter(|item| item.kind == DataKind::Loan) {
        if !loans.iter().any(|known| known.title == item.title && known.text == item.text) {
            loans.push(item);
        }
    }
    loans
}

/// Homes that were searched for: those that keep within what was said, or, where none does, what comes near, and
/// whether they do.
pub(super) fn listed<'a>(s: &Advice, data: &'a [Used]) -> (Vec<&'a Item>, bool) {
    let found =
        data.iter().filter(|used| used.tool == "real_estate_search").flat_map(|used| &used.found.items);
    let mut homes: Vec<(&Item, &DealRecord)> = Vec::new();
    for (item, record) in found.filter_map(|item| Some((item, item.record.as_ref()?))) {
        if !homes.iter().any(|(_, known)| known.id == record.id) {
            homes.push((item, record));
        }
    }
    let asked = parameters(&s.question(), &s.planning.terms, &s.planning.calculations);
    let keeps = |(_, record): &(&Item, &DealRecord)| {
        asked.most_price.is_none_or(|most| record.price <= most)
            && asked.least_price.is_none_or(|least| record.price >= least)
            && asked.most_rent.is_none_or(|most| record.monthly_rent <= most)
    };
    let kept = homes.iter().any(&keeps);
    if kept {
        homes.retain(keeps);
    }
    (homes.into_iter().take(LISTED).map(|(item, _)| item).collect(), kept)
}

fn listings(s: &Advice, data: &[Used], lang: Lang) -> Vec<String> {
    let (homes, kept) = listed(s, data);
    let mut lines = Vec::new();
    if !kept && !homes.is_empty() {
        lines.push(lang.pick(
            "말씀하신 조건에 꼭 맞는 매물이 없어, 조건을 넓혀 찾은 것입니다.",
            "Nothing keeps within what you said; these come near it.",
        ));
    }
    lines.extend(homes.into_iter().filter_map(|item| Some(listing(item.record.as_ref()?, lang))));
    lines
}

fn listing(record: &DealRecord, lang: Lang) -> String {
    let rent = if record.monthly_rent > 0 {
        format!(" / {}", money(record.monthly_rent, lang))
    } else {
        String::new()
    };
    let what = format!(
        "{} {} {}{rent}",
        full(&record.region, lang),
        deal(record.deal, lang),
        money(record.price, lang)
    );
    let DealRecord { area, floor, built, date, .. } = record;
    lang.pick(
        format!("{what}, 전용 {area:.1}㎡, {floor}층, {built}년 준공, {date}"),
        format!("{what}, {area:.1} m², floor {floor}, built {built}, {date}"),
    )
}

/// The whole as Markdown; `body` takes the place of summary and sections.
pub(in crate::advisor) fn text(answer: &Answer, body: Option<&str>, lang: Lang) -> String {
    let mut parts: Vec<String> = Vec::new();
    let list = |lines: &[String]| lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n");
    match body {
        Some(body) => parts.push(body.trim().to_owned()),
        None => {
            parts.push(answer.summary.clone());
            for section in &answer.sections {
                parts.push(format!("## {}\n{}", section.heading, list(&section.lines)));
            }
        }
    }
    let mut add = |ko: &str, en: &str, lines: &[String]| {
        if !lines.is_empty() {
            parts.push(format!("## {}\n{}", lang.pick(ko, en), list(lines)));
        }
    };
    add("다시 쓴 자료", "Used again", &answer.reused);
    add("하지 못한 것", "What failed", &answer.failed);
    add("답하지 못한 부분", "Not answered", &answer.unanswered);
    add("모자란 것", "What is missing", &answer.missing);
    add("다음에 할 일", "Next steps", &answer.next_steps);
    add("출처", "Sources", &answer.sources);
    if let Some(caution) = &answer.caution {
        parts.push(format!("※ {caution}"));
    }
    parts.join("\n\n")
}
