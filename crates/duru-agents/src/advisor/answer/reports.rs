//! What was worked out, line by line.

use serde_json::Value;

use super::super::draft::Input;
use super::super::lang::Lang;
use super::super::tools::{
    ContractReport, ConversionView, DraftView, FairnessVerdict, IncreaseView, Level, LimitView, LimitedBy,
    MarketView, RepaymentView, Report, ReturnsView, Severity, TaxView, YieldsView,
};
use super::super::understand::Deal;
use super::names::{assumption, deal, money, percent, place, property};

/// So much of a clause is quoted.
const QUOTED: usize = 60;

/// A report in lines.
pub(in super::super) fn report_lines(report: &Report, lang: Lang) -> Vec<String> {
    match report {
        Report::Level(level) => vec![level_line(level, lang)],
        Report::Market(view) => market_lines(view, lang),
        Report::Contract(report) => contract_lines(report, lang),
        Report::LoanLimit(view) => limit_lines(view, lang),
        Report::Repayment(view) => repayment_lines(view, lang),
        Report::Returns(view) => returns_lines(view, lang),
        Report::Yields(view) => yields_lines(view, lang),
        Report::Tax(view) => tax_lines(view, lang),
        Report::Brokerage(fee) => vec![lang.pick(
            format!(
                "중개보수 상한: {} × {} = {} (부가가치세 별도, 한쪽 기준)",
                money(fee.base, lang),
                percent(fee.rate),
                money(fee.most, lang)
            ),
            format!(
                "Highest brokerage fee: {} × {} = {} (each side, without VAT)",
                money(fee.base, lang),
                percent(fee.rate),
                money(fee.most, lang)
            ),
        )],
        Report::Increase(view) => vec![increase_line(view, lang)],
        Report::Conversion(view) => vec![conversion_line(view, lang)],
        Report::Draft(view) => draft_lines(view, lang),
    }
}

fn assumed(names: &[String], lang: Lang) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let list: Vec<String> = names.iter().map(|name| assumption(name, lang)).collect();
    Some(lang.pick(format!("가정: {}", list.join(", ")), format!("Assumed: {}", list.join("; "))))
}

fn level_line(level: &Level, lang: Lang) -> String {
    let rent = match (level.deal, lang) {
        (Deal::MonthlyRent, Lang::Ko) => format!(" / 월 {}", money(level.rent, lang)),
        (Deal::MonthlyRent, Lang::En) => format!(" plus {} a month", money(level.rent, lang)),
        _ => String::new(),
    };
    let what = format!("{} {}", place(level.region.as_ref(), lang), property(level.property, lang));
    lang.pick(
        format!(
            "{what} {}: 중앙값 {}{rent} (전용 {:.0}㎡ 안팎), 평균 {}, 최저 {} ~ 최고 {}, {}건 ({} ~ {})",
            deal(level.deal, lang),
            money(level.median, lang),
            level.median_area,
            money(level.mean / 10_000 * 10_000, lang),
            money(level.lowest, lang),
            money(level.highest, lang),
            level.count,
            level.first,
            level.last
        ),
        format!(
            "{what}, {}: median {}{rent} (about {:.0} m²), average {}, from {} to {}, {} deals ({} to {})",
            deal(level.deal, lang),
            money(level.median, lang),
            level.median_area,
            money(level.mean / 10_000 * 10_000, lang),
            money(level.lowest, lang),
            money(level.highest, lang),
            level.count,
            level.first,
            level.last
        ),
    )
}

fn market_lines(view: &MarketView, lang: Lang) -> Vec<String> {
    let what = format!("{} {}", place(view.region.as_ref(), lang), deal(view.deal, lang));
    let report = &view.report;
    let metre = |won: f64| money((won.max(0.0) / 10_000.0).round() as u64 * 10_000, lang);
    let mut lines = vec![lang.pick(
        format!(
            "{what}: ㎡당 중앙값 {}, 가운데 절반은 {} ~ {} ({}건)",
            metre(report.median),
            metre(report.quartiles.0),
            metre(report.quartiles.1),
            report.count
        ),
        format!(
            "{what}: median {} per m², the middle half from {} to {} ({} deals)",
            metre(report.median),
            metre(report.quartiles.0),
            metre(report.quartiles.1),
            report.count
        ),
    )];
    let days = report.first.until(report.last).map_or(0, |span| span.get_days());
    // A few weeks say nothing of a year.
    if let Some(trend) = report.trend.filter(|_| days >= 180) {
        // A line that explains next to nothing is no trend.
        let weak = trend.fit < 0.25;
        lines.push(match (weak, trend.yearly >= 0.0) {
            (true, _) => {
                lang.pick(format!("{what}: 뚜렷한 추세가 없습니다."), format!("{what}: no clear trend."))
            }
            (false, up) => lang.pick(
                format!(
                    "{what}: 한 해에 {} {} 추세입니다.",
                    percent(trend.yearly.abs()),
                    if up { "오르는" } else { "내리는" }
                ),
                format!(
                    "{what}: {} by {} a year.",
                    if up { "rising" } else { "falling" },
                    percent(trend.yearly.abs())
                ),
            ),
        });
    }
    if let (Some(fairness), Some(price)) = (view.fairness, view.price) {
        let (ko, en) = match fairness.verdict {
            FairnessVerdict::Cheap => ("싼 편", "cheap"),
            FairnessVerdict::Fair => ("적정한 범위", "fair"),
            FairnessVerdict::Dear => ("비싼 편", "dear"),
            FairnessVerdict::Unknown => ("비교할 거래가 모자람", "not comparable"),
        };
        let off = fairness.off_median;
        let side = if off >= 0.0 { ("높습니다", "above") } else { ("낮습니다", "below") };
        lines.push(lang.pick(
            format!("{}: {ko}입니다. 중앙값보다 {} {}.", money(price, lang), percent(off.abs()), side.0),
            format!("{}: {en}, {} {} the median.", money(price, lang), percent(off.abs()), side.1),
        ));
    }
    if let Some(ratio) = view.jeonse_ratio {
        let (ko, en) = risk(ratio);
        lines.push(lang.pick(
            format!("전세가율(㎡당): {} — {ko}", percent(ratio)),
            format!("Jeonse as a share of the price (by m²): {} — {en}", percent(ratio)),
        ));
    }
    lines
}

/// How risky a deposit is, as a share of the price.
pub(super) fn risk(ratio: f64) -> (&'static str, &'static str) {
    match ratio {
        r if r < 0.6 => ("보증금을 떼일 위험이 낮은 편입니다.", "the risk for the deposit is rather low."),
        r if r < 0.7 => (
            "보통 수준입니다. 선순위 채권을 꼭 확인하세요.",
            "middling: check what ranks before the deposit.",
        ),
        r if r < 0.8 => ("높은 편입니다. 반환보증 가입을 권합니다.", "rather high: insure the deposit."),
        _ => (
            "매우 높습니다. 깡통전세가 될 위험이 있습니다.",
            "very high: the home may not cover the deposit.",
        ),
    }
}

fn limit_lines(view: &LimitView, lang: Lang) -> Vec<String> {
    let (limit, borrower) = (&view.limit, &view.borrower);
    let (ko, en) = match limit.limited_by {
        LimitedBy::Ltv => ("집값(LTV)", "the home's price (LTV)"),
        LimitedBy::Dti => ("소득(DTI)", "income (DTI)"),
        LimitedBy::Dsr => ("소득(DSR)", "income (DSR)"),
        LimitedBy::PriceCap => ("집값 구간별 상한", "the cap for homes of this price"),
    };
    let area = if borrower.regulated {
        ("규제지역", "regulated area")
    } else {
        ("비규제지역", "area without regulation")
    };
    let income_known = borrower.annual_income < 1_000_000_000_000;
    let mut lines = vec![
        lang.pick(
            format!("대출 한도: 약 {} — {ko} 때문에 이만큼입니다.", money(limit.limit, lang)),
            format!("Highest loan: about {}, set by {en}.", money(limit.limit, lang)),
        ),
        lang.pick(
            format!(
                "집값 {} ({}), 금리 연 {}, {}년",
                money(borrower.price, lang),
                area.0,
                percent(borrower.annual_rate),
                borrower.years
            ),
            format!(
                "Price {} ({}), {} a year, {} years",
                money(borrower.price, lang),
                area.1,
                percent(borrower.annual_rate),
                borrower.years
            ),
        ),
    ];
    let mut parts =
        vec![lang.pick(
            format!("LTV {}", money(limit.by_ltv, lang)),
            format!("LTV {}", money(limit.by_ltv, lang)),
        )];
    if income_known {
        parts.push(format!("DTI {}", money(limit.by_dti / 10_000 * 10_000, lang)));
        parts.push(format!("DSR {}", money(limit.by_dsr / 10_000 * 10_000, lang)));
    }
    if let Some(cap) = limit.by_price {
        parts.push(
            lang.pick(
                format!("집값 구간 상한 {}", money(cap, lang)),
                format!("price cap {}", money(cap, lang)),
            ),
        );
    }
    lines.push(
        lang.pick(format!("기준별 한도: {}", parts.join(", ")), format!("By rule: {}", parts.join(", "))),
    );
    lines.push(lang.pick(
        format!(
            "월 상환액(원리금균등) 약 {}, 필요한 자기 자금 {} (세금·수수료 별도)",
            money(limit.monthly_payment, lang),
            money(limit.own_money, lang)
        ),
        format!(
            "About {} a month (level payments); own money {} (without taxes and fees)",
            money(limit.monthly_payment, lang),
            money(limit.own_money, lang)
        ),
    ));
    lines.extend(assumed(&view.assumed, lang));
    lines
}

fn repayment_lines(view: &RepaymentView, lang: Lang) -> Vec<String> {
    if view.interest_only {
        let mut lines = vec![lang.pick(
            format!(
                "{} 대출, 연 {}: 이자만 내면(만기일시상환) 매달 약 {}, 1년 {}",
                money(view.principal, lang),
                percent(view.rate),
                money(view.interest, lang),
                money(view.interest * 12, lang)
            ),
            format!(
                "A loan of {} at {} a year: interest only, about {} a month, {} a year",
                money(view.principal, lang),
                percent(view.rate),
                money(view.interest, lang),
                money(view.interest * 12, lang)
            ),
        )];
        lines.extend(assumed(&view.assumed, lang));
        return lines;
    }
    let mut lines = vec![
        lang.pick(
            format!("{} 대출, 연 {}, {}년", money(view.principal, lang), percent(view.rate), view.years),
            format!(
                "A loan of {}, {} a year, {} years",
                money(view.principal, lang),
                percent(view.rate),
                view.years
            ),
        ),
        lang.pick(
            format!(
                "원리금균등: 매달 {}, 총이자 {}",
                money(view.monthly, lang),
                money(view.total_interest, lang)
            ),
            format!(
                "Level payments: {} a month, {} interest in all",
                money(view.monthly, lang),
                money(view.total_interest, lang)
            ),
        ),
        lang.pick(
            format!(
                "원금균등: 첫 달 {}, 마지막 달 {}, 총이자 {}",
                money(view.first_month, lang),
                money(view.last_month, lang),
                money(view.principal_interest, lang)
            ),
            format!(
                "Level principal: {} in the first month, {} in the last, {} interest in all",
                money(view.first_month, lang),
                money(view.last_month, lang),
                money(view.principal_interest, lang)
            ),
        ),
    ];
    lines.extend(assumed(&view.assumed, lang));
    lines
}

fn returns_lines(view: &ReturnsView, lang: Lang) -> Vec<String> {
    let (with, got) = (&view.investment, &view.returns);
    let flow = |won: i64| {
        let sum = money(won.unsigned_abs(), lang);
        if won < 0 { format!("-{sum}") } else { sum }
    };
    let rent = if with.monthly_rent > 0 {
        lang.pick(
            format!(", 월세 {}", money(with.monthly_rent, lang)),
            format!(", rent {}", money(with.monthly_rent, lang)),
        )
    } else {
        String::new()
    };
    let mut lines = vec![
        lang.pick(
            format!(
                "총수익률 연 {}, 순수익률 연 {} (공실 {}·관리·보유세를 뺀 값)",
                percent(got.gross_yield),
                percent(got.net_yield),
                percent(view.vacancy)
            ),
            format!(
                "Gross yield {} a year, net yield {} (less {} vacancy, upkeep and holding tax)",
                percent(got.gross_yield),
                percent(got.net_yield),
                percent(view.vacancy)
            ),
        ),
        lang.pick(
            format!(
                "매입가 {}, 보증금 {}{rent}, 취득세·중개보수 {}",
                money(with.price, lang),
                money(with.deposit, lang),
                money(with.buying_costs, lang)
            ),
            format!(
                "Price {}, deposit {}{rent}, taxes and fees {}",
                money(with.price, lang),
                money(with.deposit, lang),
                money(with.buying_costs, lang)
            ),
        ),
        lang.pick(
            format!(
                "필요한 자기 자금 {}, 해마다 남는 돈 {}",
                money(got.own_money, lang),
                flow(got.cash_flow)
            ),
            format!("Own money {}, left over each year {}", money(got.own_money, lang), flow(got.cash_flow)),
        ),
    ];
    if let Some(usual) = view.usual_net {
        let less = usual - got.net_yield;
        let (ko, en) = if less >= 0.0 { ("낮습니다", "less") } else { ("높습니다", "more") };
        lines.push(lang.pick(
            format!("보통의 공실일 때 순수익률 연 {}보다 {}p {ko}.", percent(usual), percent(less.abs())),
            format!("That is {} points {en} than the {} with the usual vacancy.", percent(less.abs()), percent(usual)),
        ));
    }
    if let Some(on_cash) = got.cash_on_cash {
        lines.push(lang.pick(
            format!(
                "자기 자금 대비 수익률 연 {}{}",
                if on_cash < 0.0 { "-" } else { "" },
                percent(on_cash.abs())
            ),
            format!(
                "Return on own money {}{} a year",
                if on_cash < 0.0 { "-" } else { "" },
                percent(on_cash.abs())
            ),
        ));
    }
    lines.extend(assumed(&view.assumed, lang));
    lines
}

fn yields_lines(view: &YieldsView, lang: Lang) -> Vec<String> {
    let mut lines = vec![lang.pick(
        format!("임대료 자료가 없어 매입가 {}에서 월세별로 계산했습니다.", money(view.price, lang)),
        format!("No rents are known, so this is worked out for several, at a price of {}.", money(view.price, lang)),
    )];
    lines.extend(view.rents.iter().map(|(rent, gross, net)| {
        lang.pick(
            format!(
                "월세 {}: 총수익률 연 {}, 순수익률 연 {} (공실 {}·관리·보유세를 뺀 값)",
                money(*rent, lang),
                percent(*gross),
                percent(*net),
                percent(view.vacancy)
            ),
            format!(
                "{} a month: gross yield {}, net yield {} (less {} vacancy, upkeep and holding tax)",
                money(*rent, lang),
                percent(*gross),
                percent(*net),
                percent(view.vacancy)
            ),
        )
    }));
    lines.extend(assumed(&view.assumed, lang));
    lines
}

fn tax_lines(view: &TaxView, lang: Lang) -> Vec<String> {
    let tax = &view.tax;
    let mut lines = vec![lang.pick(
        format!(
            "취득세 합계 {}: 취득세 {} ({}), 지방교육세 {}, 농어촌특별세 {}",
            money(tax.total, lang),
            money(tax.acquisition, lang),
            percent(tax.rate),
            money(tax.education, lang),
            money(tax.rural, lang)
        ),
        format!(
            "Acquisition tax {} in all: {} ({}), education tax {}, rural tax {}",
            money(tax.total, lang),
            money(tax.acquisition, lang),
            percent(tax.rate),
            money(tax.education, lang),
            money(tax.rural, lang)
        ),
    )];
    lines.push(lang.pick(
        format!("매입가 {}", money(view.purchase.price, lang)),
        format!("Price {}", money(view.purchase.price, lang)),
    ));
    lines.extend(assumed(&view.assumed, lang));
    lines
}

fn increase_line(view: &IncreaseView, lang: Lang) -> String {
    let what = if view.monthly { ("월세", "A rent") } else { ("보증금", "A deposit") };
    lang.pick(
        format!(
            "{} {}은 갱신할 때 {}까지 올릴 수 있습니다 (상한 {}, 최대 {} 인상).",
            what.0,
            money(view.current, lang),
            money(view.most, lang),
            percent(view.cap),
            money(view.most.saturating_sub(view.current), lang)
        ),
        format!(
            "{} of {} may rise to {} on renewal (cap {}, {} at most).",
            what.1,
            money(view.current, lang),
            money(view.most, lang),
            percent(view.cap),
            money(view.most.saturating_sub(view.current), lang)
        ),
    )
}

fn conversion_line(view: &ConversionView, lang: Lang) -> String {
    let cost = &view.cost;
    if view.from_rent > 0 {
        return lang.pick(
            format!(
                "보증금 {} / 월세 {}은 전세 {}에 해당합니다 (연 {}).",
                money(view.from_deposit, lang),
                money(view.from_rent, lang),
                money(cost.deposit, lang),
                percent(cost.rate)
            ),
            format!(
                "A deposit of {} with {} a month is worth a jeonse of {} (at {} a year).",
                money(view.from_deposit, lang),
                money(view.from_rent, lang),
                money(cost.deposit, lang),
                percent(cost.rate)
            ),
        );
    }
    if cost.deposit > 0 {
        return lang.pick(
            format!(
                "보증금을 {}에서 {}으로 줄이면 월세는 매달 {} 이하여야 합니다 (줄인 금액 × 전환율 상한 연 {} ÷ 12).",
                money(view.from_deposit, lang),
                money(cost.deposit, lang),
                money(cost.monthly_rent, lang),
                percent(cost.legal_cap)
            ),
            format!(
                "With the deposit cut from {} to {}, the rent may be at most {} a month (the difference × the cap of {} a year ÷ 12).",
                money(view.from_deposit, lang),
                money(cost.deposit, lang),
                money(cost.monthly_rent, lang),
                percent(cost.legal_cap)
            ),
        );
    }
    lang.pick(
        format!(
            "보증금 {}을 모두 월세로 바꾸면 매달 {} 이하여야 합니다 (전환율 상한 연 {}).",
            money(view.from_deposit, lang),
            money(cost.monthly_rent, lang),
            percent(cost.legal_cap)
        ),
        format!(
            "A deposit of {} turned into rent may cost at most {} a month (legal cap {} a year).",
            money(view.from_deposit, lang),
            money(cost.monthly_rent, lang),
            percent(cost.legal_cap)
        ),
    )
}

fn contract_lines(report: &ContractReport, lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    for risk in &report.risks {
        let (ko, en) = match risk.severity {
            Severity::Critical => ("매우 위험", "critical"),
            Severity::High => ("위험", "high"),
            Severity::Medium => ("주의", "medium"),
            Severity::Low => ("참고", "low"),
        };
        let clause = report.clauses.get(risk.clause);
        let label = clause.map(|clause| clause.label.as_str()).unwrap_or_default();
        let label = if label.is_empty() { String::new() } else { format!("{label}: ") };
        // What it is about, in the contract's own words.
        let words = clause.map(|clause| clause.text.split_whitespace().collect::<Vec<_>>().join(" "));
        let words = words.filter(|words| !words.is_empty()).map(|words| {
            let short: String = words.chars().take(QUOTED).collect();
            if short.len() < words.len() { format!(" 「{short}…」") } else { format!(" 「{short}」") }
        });
        let words = words.unwrap_or_default();
        let law = risk.law.join(", ");
        lines.push(lang.pick(
            format!("[{ko}] {label}{}{words} ({law})", risk.message),
            format!("[{en}] {label}{}{words} ({law})", risk.message_en),
        ));
    }
    if report.risks.is_empty() {
        lines.push(lang.pick(
            format!("조항 {}개에서 흔한 위험 조항을 찾지 못했습니다.", report.clauses.len()),
            format!("No common danger was found in {} clauses.", report.clauses.len()),
        ));
    }
    for (_, ko, en) in &report.unsaid {
        lines.push(lang.pick(format!("[빠짐] {ko}"), format!("[missing] {en}")));
    }
    lines
}

fn draft_lines(view: &DraftView, lang: Lang) -> Vec<String> {
    let form = &view.form;
    let mut lines: Vec<String> = Vec::new();
    for field in form.fields(lang) {
        let value = match (&field.value, field.input) {
            (Value::Number(sum), Input::Won) => sum.as_u64().map(|sum| money(sum, lang)),
            (Value::String(day), Input::Date) => day.parse().ok().map(|day| date(day, lang)),
            (Value::String(value), Input::Choice) => {
                field.choices.iter().find(|choice| choice.value == *value).map(|choice| choice.label.clone())
            }
            (Value::String(text), _) => Some(text.clone()),
            (Value::Number(number), _) => Some(number.to_string()),
            (Value::Array(terms), _) if !terms.is_empty() => {
                Some(terms.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" / "))
            }
            _ => None,
        };
        lines.extend(value.map(|value| format!("{}: {value}", field.label)));
    }
    let missing = form.missing();
    if !missing.is_empty() {
        let names: Vec<String> =
            missing.iter().map(|field| lang.pick(field.name().0, field.name().1)).collect();
        lines.push(lang.pick(
            format!("아직 비어 있는 칸: {}", names.join(", ")),
            format!("Still blank: {}", names.join(", ")),
        ));
    }
    lines.extend(form.flaws_in(lang).into_iter().map(|flaw| format!("※ {}", flaw.text)));
    lines.push(match (&view.document, view.confirmed) {
        (Some(file), _) => lang.pick(
            format!("문서: {} ({}, {}바이트)", file.name, file.address, file.size),
            format!("Document: {} ({}, {} bytes)", file.name, file.address, file.size),
        ),
        (None, true) => lang.pick(
            "문서를 보관할 곳이 없어 파일은 만들지 않았습니다. 아래 내용을 그대로 쓰실 수 있습니다.",
            "There is no place to keep a file, so none was made; the text below can be used as it is.",
        ),
        (None, false) => lang.pick(
            "빈칸의 내용을 말씀해 주시면 채우고, \"이대로 문서로 만들어줘\"라고 하시면 워드 파일로 만듭니다.",
            "Tell me what goes into the blanks; say \"finalise it as it is\" and it becomes a Word file.",
        ),
    });
    lines
}

fn date(day: jiff::civil::Date, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("{}년 {}월 {}일", day.year(), day.month(), day.day()),
        Lang::En => day.to_string(),
    }
}
