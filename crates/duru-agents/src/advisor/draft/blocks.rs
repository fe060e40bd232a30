//! The draft as headings, paragraphs and tables: one source for the preview
//! and the document. The articles follow the usual order of Korean leases, in
//! our own words.

use jiff::civil::Date;

use super::form::{LeaseForm, Party};
use crate::advisor::lang::Lang;

pub(super) enum Block {
    Title(String),
    Heading(String),
    Text(String),
    /// Rows of cells.
    Table(Vec<Vec<String>>),
}

/// What stands where nothing was said.
const BLANK: &str = "____________";

/// The draft as text.
pub fn preview(form: &LeaseForm) -> String {
    let mut text = String::new();
    for block in blocks(form) {
        match block {
            Block::Title(title) => text.push_str(&format!("# {title}\n\n")),
            Block::Heading(heading) => text.push_str(&format!("## {heading}\n\n")),
            Block::Text(line) => text.push_str(&format!("{line}\n\n")),
            Block::Table(rows) => {
                for (index, row) in rows.iter().enumerate() {
                    text.push_str(&format!("| {} |\n", row.join(" | ")));
                    if index == 0 {
                        text.push_str(&format!("|{}\n", " --- |".repeat(row.len())));
                    }
                }
                text.push('\n');
            }
        }
    }
    text.trim_end().to_owned() + "\n"
}

/// The draft in lines, each with its heading, as an answer lists them.
pub(in crate::advisor) fn lines(form: &LeaseForm) -> Vec<String> {
    let mut lines = Vec::new();
    let mut under: Option<String> = None;
    for block in blocks(form) {
        let text = match block {
            Block::Title(_) => continue,
            Block::Heading(heading) => {
                under = Some(heading);
                continue;
            }
            Block::Text(text) => text,
            Block::Table(rows) => {
                rows.iter().map(|row| row.join(" ").trim().to_owned()).collect::<Vec<_>>().join(" / ")
            }
        };
        lines.push(match under.take() {
            Some(heading) => format!("{heading} {text}"),
            None => text,
        });
    }
    lines
}

/// Articles that are the same in every lease.
const FIXED: [(&str, &str); 8] = [
    (
        "인도와 사용",
        "임대인은 잔금을 받는 날 주택을 계약의 목적대로 쓸 수 있는 상태로 임차인에게 넘긴다. 임차인은 전입신고를 하고 확정일자를 받을 수 있으며 임대인은 이에 협조한다.",
    ),
    (
        "담보 설정의 제한",
        "임대인은 계약한 날부터 잔금을 받은 다음 날까지 이 주택에 새로운 근저당권이나 그 밖의 담보를 설정하지 않는다. 이를 어기면 임차인은 계약을 해제하고 손해배상을 청구할 수 있다.",
    ),
    (
        "수선",
        "난방, 급수, 전기, 누수처럼 주택의 주요 설비에 필요한 수선은 임대인이 한다. 전구와 같은 소모품의 교체와 임차인의 잘못으로 생긴 수선은 임차인이 한다.",
    ),
    (
        "용도 변경과 전대",
        "임차인은 임대인의 동의 없이 주택의 용도나 구조를 바꾸거나 다른 사람에게 전대하지 않는다.",
    ),
    ("갱신과 증액", "계약의 갱신과 차임·보증금의 증액은 주택임대차보호법 제6조, 제6조의3 및 제7조에 따른다."),
    (
        "해지",
        "임차인의 차임 연체액이 두 번의 차임액에 이르거나 당사자가 이 계약을 크게 어긴 때에는 상대방이 계약을 해지할 수 있다.",
    ),
    (
        "종료와 원상회복",
        "임대차가 끝나면 임차인은 통상의 손모를 제외하고 주택을 원래의 상태로 돌려놓아 임대인에게 넘긴다.",
    ),
    (
        "보증금의 반환",
        "임대인은 임대차가 끝나는 날 주택을 넘겨받음과 동시에, 밀린 차임과 손해액을 뺀 보증금을 임차인에게 돌려준다.",
    ),
];

pub(super) fn blocks(form: &LeaseForm) -> Vec<Block> {
    let mut blocks = opening(form);
    blocks.extend(articles(form));
    blocks.extend(closing(form));
    blocks
}

/// What it is, who leases, and what.
fn opening(form: &LeaseForm) -> Vec<Block> {
    let title = if form.is_monthly() {
        "주택 월세 계약서 (초안)"
    } else {
        "주택 전세 계약서 (초안)"
    };
    let mut blocks = vec![
        Block::Title(title.to_owned()),
        Block::Text(
            "이 문서는 초안입니다. 서명하기 전에 등기사항증명서를 확인하고 전문가와 상의하세요.".to_owned(),
        ),
    ];
    let missing = form.missing();
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|field| field.name().0).collect();
        blocks.push(Block::Text(format!("아직 채우지 않은 항목: {}", names.join(", "))));
    }
    blocks.push(Block::Text(format!(
        "임대인 {} 임차인 {} 아래 주택의 임대차에 관하여 다음과 같이 약정한다.",
        with(&text(&form.landlord.name), ("과", "와"), "과(와)"),
        with(&text(&form.tenant.name), ("은", "는"), "은(는)")
    )));
    blocks.push(Block::Table(vec![
        vec!["소재지".to_owned(), text(&form.address)],
        vec!["임대할 부분".to_owned(), text(&form.part)],
        vec!["전용면적".to_owned(), form.area.map_or(BLANK.to_owned(), |area| format!("{area}㎡"))],
    ]));
    blocks
}

/// The numbered articles: those with figures of this lease, then those of every lease.
fn articles(form: &LeaseForm) -> Vec<Block> {
    let mut number = 0;
    let mut article = |name: &str, body: String| {
        number += 1;
        [Block::Heading(format!("제{number}조 ({name})")), Block::Text(body)]
    };
    let deposit = format!("임차인은 임대인에게 보증금 {}을 다음과 같이 지급한다.", sum(form.deposit));
    let mut blocks: Vec<Block> = article("보증금", deposit).into();
    blocks.push(Block::Table(payments(form)));
    if form.is_monthly() {
        let day = form.rent_day.map_or(BLANK.to_owned(), |day| day.to_string());
        let rent = format!("임차인은 매월 {day}일에 차임 {}을 임대인에게 지급한다.", sum(form.monthly_rent));
        blocks.extend(article("차임", rent));
    }
    let term = format!("임대차 기간은 {}부터 {}까지로 한다.", date(form.start), date(form.end));
    blocks.extend(article("기간", term));
    let fee =
        format!("관리비는 월 {}으로 하고, 그 항목은 서로 확인하여 따로 적는다.", sum(form.maintenance_fee));
    blocks.extend(article("관리비", fee));
    for (name, body) in FIXED {
        blocks.extend(article(name, body.to_owned()));
    }
    blocks
}

/// Special terms, the day, and who signs.
fn closing(form: &LeaseForm) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("특약사항".to_owned())];
    if form.special_terms.is_empty() {
        blocks.push(Block::Text(format!("1. {BLANK}")));
    }
    for (index, term) in form.special_terms.iter().enumerate() {
        blocks.push(Block::Text(format!("{}. {}", index + 1, line(term))));
    }
    blocks.push(Block::Text(format!("계약일: {}", date(form.signed_on))));
    blocks.push(Block::Table(vec![
        ["", "이름", "주소", "전화", "서명"].map(str::to_owned).to_vec(),
        signature("임대인", &form.landlord),
        signature("임차인", &form.tenant),
    ]));
    blocks
}

fn payments(form: &LeaseForm) -> Vec<Vec<String>> {
    let row = |name: &str, paid: Option<u64>, when: String| vec![name.to_owned(), sum(paid), when];
    let mut rows = vec![["구분", "금액", "지급일"].map(str::to_owned).to_vec()];
    rows.push(row("계약금", form.down_payment, "계약할 때".to_owned()));
    if form.interim.is_some() || form.interim_on.is_some() {
        rows.push(row("중도금", form.interim, date(form.interim_on)));
    }
    let rest = || {
        let paid = form.down_payment?.checked_add(form.interim.unwrap_or_default())?;
        form.deposit?.checked_sub(paid)
    };
    rows.push(row("잔금", form.balance.or_else(rest), date(form.balance_on)));
    rows
}

fn signature(who: &str, party: &Party) -> Vec<String> {
    vec![who.to_owned(), text(&party.name), text(&party.address), text(&party.phone), "(서명)".to_owned()]
}

fn text(said: &Option<String>) -> String {
    said.as_deref().map(line).filter(|text| !text.is_empty()).unwrap_or_else(|| BLANK.to_owned())
}

/// With the particle that fits a name; a blank leaves both open.
fn with(name: &str, fitting: (&str, &str), open: &str) -> String {
    if name == BLANK { format!("{name}{open}") } else { Lang::with(name, fitting) }
}

/// On one line, so that nobody's text makes rows or articles of its own.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "/")
}

fn date(date: Option<Date>) -> String {
    date.map_or(BLANK.to_owned(), |date| format!("{}년 {}월 {}일", date.year(), date.month(), date.day()))
}

/// 금 300,000,000원.
pub(super) fn won(sum: u64) -> String {
    format!("금 {}원", crate::advisor::won::digits(sum))
}

fn sum(sum: Option<u64>) -> String {
    sum.map_or_else(|| format!("금 {BLANK}원"), won)
}
