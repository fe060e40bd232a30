//! Puts the answer together.

use super::super::lang::Lang;
use super::super::state::{Advice, Answer, Section};
use super::super::tools::{Constants, Filed, Item, Report, Used};
use super::super::understand::DataKind;
use super::names::{deal, money, percent};
use super::{figures, law, reports, tail};

/// So many listings are shown.
const LISTED: usize = 5;

/// The answer by rule.
pub(in super::super) fn compose(s: &Advice, constants: &Constants) -> Answer {
    let lang = s.lang();
    let data = s.data();
    let summary = figures::summary(s, &data, lang);
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
        reused: tail::reused(s, lang),
        failed: tail::failed(s, lang),
        missing,
        next_steps: tail::next_steps(s, &data, lang),
        caution: tail::caution(s, &data, constants, lang),
        documents: documents(&data),
        text: String::new(),
    };
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
        s.faults.iter().map(|fault| super::super::words::tool(&fault.tool, lang)).collect();
    tried.extend(s.used.iter().map(|used| super::super::words::tool(&used.tool, lang)));
    tried.dedup();
    let contract = s.team_results.values().any(|result| result.gaps.iter().any(|gap| gap == "contract_text"));
    if contract {
        return lang.pick(
            "검토할 계약서의 조항을 그대로 붙여 넣어 주세요. 위험한 조항과 빠진 조항을 찾아 드립니다.",
            "Paste the clauses of the contract as they are: I will find what is dangerous and what is missing.",
        );
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

/// The sections that reports make, in their order.
#[rustfmt::skip]
const REPORTED: &[Heading] = &[
    ("임대료 인상 한도", "How much the rent may rise", |report| matches!(report, Report::Increase(_))),
    ("전월세 전환", "Deposit and rent", |report| matches!(report, Report::Conversion(_))),
    ("대출 한도", "How much can be borrowed", |report| matches!(report, Report::LoanLimit(_))),
    ("상환 계획", "Paying back", |report| matches!(report, Report::Repayment(_))),
    ("투자 수익률", "Returns", |report| matches!(report, Report::Returns(_) | Report::Yields(_))),
    ("세금", "Taxes", |report| matches!(report, Report::Tax(_))),
    ("중개보수", "Brokerage", |report| matches!(report, Report::Brokerage(_))),
    ("계약서 검토", "The contract", |report| matches!(report, Report::Contract(_))),
    ("계약서 초안", "The draft", |report| matches!(report, Report::Draft(_))),
    ("시세", "Prices", |report| matches!(report, Report::Level(_))),
    ("시장 분석", "The market", |report| matches!(report, Report::Market(_))),
];

fn sections(s: &Advice, data: &[Used], constants: &Constants, lang: Lang) -> Vec<Section> {
    let all: Vec<&Report> = data.iter().flat_map(|used| &used.found.reports).collect();
    let mut sections = Vec::new();
    for (ko, en, which) in REPORTED {
        let mut lines: Vec<String> = Vec::new();
        for line in
            all.iter().filter(|report| which(report)).flat_map(|report| reports::report_lines(report, lang))
        {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        if !lines.is_empty() {
            sections.push(Section { heading: lang.pick(*ko, *en), lines });
        }
    }
    for report in &all {
        // The whole text where there is no document to look at.
        if let Report::Draft(view) = report
            && view.document.is_none()
        {
            let lines = super::super::draft::lines(&view.form);
            sections
                .push(Section {
                    heading: lang.pick("초안 전문", "The draft in full (in Korean)"), lines
                });
        }
    }
    let listings = listings(data, lang);
    if !listings.is_empty() {
        sections.push(Section { heading: lang.pick("매물", "Listings"), lines: listings });
    }
    let law = law::lines(data, lang);
    if !law.is_empty() && s.planning.required.contains(&DataKind::Legal) {
        sections.push(Section { heading: lang.pick("법률 근거", "The law"), lines: law });
    }
    let loans: Vec<String> = loans(data).iter().map(|item| loan_line(item, constants, lang)).collect();
    if !loans.is_empty() {
        sections.push(Section { heading: lang.pick("대출 상품", "Loans on offer"), lines: loans });
    }
    sections
}

/// A loan with its terms; names stay as banks write them.
fn loan_line(item: &Item, constants: &Constants, lang: Lang) -> String {
    let product = constants.products().iter().find(|product| product.name == item.id);
    let (Lang::En, Some(product)) = (lang, product) else { return format!("{}: {}", item.title, item.text) };
    let mut parts = vec![format!("{} to {} a year", percent(product.rate.0), percent(product.rate.1))];
    let sums = [
        ("up to", product.most),
        ("income up to", product.income_up_to),
        ("home or deposit up to", product.home_up_to),
    ];
    parts.extend(sums.into_iter().filter_map(|(what, sum)| Some(format!("{what} {}", money(sum?, lang)))));
    format!("{}: {}", item.title, parts.join(", "))
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

/// Homes that were searched for.
fn listings(data: &[Used], lang: Lang) -> Vec<String> {
    let found =
        data.iter().filter(|used| used.tool == "real_estate_search").flat_map(|used| &used.found.items);
    let records = found.filter_map(|item| item.record.as_ref());
    records
        .take(LISTED)
        .map(|record| {
            let rent = if record.monthly_rent > 0 {
                format!(" / {}", money(record.monthly_rent, lang))
            } else {
                String::new()
            };
            lang.pick(
                format!(
                    "{} {} {}{rent}, 전용 {:.1}㎡, {}층, {}년 준공, {}",
                    record.region,
                    deal(record.deal, lang),
                    money(record.price, lang),
                    record.area,
                    record.floor,
                    record.built,
                    record.date
                ),
                format!(
                    "{} {} {}{rent}, {:.1} m², floor {}, built {}, {}",
                    record.region,
                    deal(record.deal, lang),
                    money(record.price, lang),
                    record.area,
                    record.floor,
                    record.built,
                    record.date
                ),
            )
        })
        .collect()
}

/// The whole as Markdown; `body` takes the place of summary and sections.
pub(in super::super) fn text(answer: &Answer, body: Option<&str>, lang: Lang) -> String {
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
    add("모자란 것", "What is missing", &answer.missing);
    add("다음에 할 일", "Next steps", &answer.next_steps);
    add("출처", "Sources", &answer.sources);
    if let Some(caution) = &answer.caution {
        parts.push(format!("※ {caution}"));
    }
    parts.join("\n\n")
}
