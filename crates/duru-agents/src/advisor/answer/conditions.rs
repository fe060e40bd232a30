//! What a search was narrowed down to, what of that was not kept, and what no record tells.

use super::names::{full, money};
use crate::advisor::lang::Lang;
use crate::advisor::ledger::{Value, What};
use crate::advisor::state::Advice;
use crate::advisor::tools::{Calculation, Parameters, Report, Used};
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{
    Amount, Area, Bound, Context, DataKind, Feature, Question, Role, understand,
};
use crate::advisor::wanted::parameters;

/// What a search was narrowed down to, where the question did that.
pub(super) fn conditions(s: &Advice, data: &[Used], lang: Lang) -> Option<String> {
    let question = s.question();
    let asked = parameters(&question, &s.planning.terms, &s.planning.calculations);
    let limits = |with: &Parameters| (with.most_price, with.least_price, with.most_rent);
    let mut prices =
        data.iter().filter(|used| used.found.items.iter().any(|item| item.kind == DataKind::Market));
    // A search that found too little was made again with fewer conditions.
    let kept = prices.any(|used| limits(&used.parameters) == limits(&asked));
    let remembered = remembered_budget(s);
    let mut parts = limited_to(s, remembered, lang);
    parts.extend(sizes(s, lang));
    parts.extend(remembered.map(|won| {
        let sum = money(won, lang);
        lang.pick(
            format!("지난번에 말씀하신 예산 {sum} 이하"),
            format!("the budget of {sum} that you named last time"),
        )
    }));
    let list = parts.join(", ");
    let said = match (kept, remembered) {
        (true, Some(_)) => lang.pick(format!("{list}로 찾았습니다."), format!("Narrowed down to {list}.")),
        (true, None) => lang.pick(format!("찾은 조건: {list}."), format!("Narrowed down to {list}.")),
        (false, _) => lang.pick(
            format!("조건({list})에 맞는 거래가 없어 조건을 넓혀 찾았습니다."),
            format!("Nothing fits {list}, so the search was widened."),
        ),
    };
    let mut sentences: Vec<String> = (!parts.is_empty()).then_some(said).into_iter().collect();
    sentences.extend(widened(s, data, lang));
    sentences.extend(unfiltered(s, lang));
    let by_sight = |feature: &Feature| matches!(feature, Feature::New | Feature::Old | Feature::Floor);
    if s.planning.terms.features.iter().any(by_sight) {
        sentences.push(lang.pick(
            "준공 연도와 층으로는 거르지 않았으니 매물 줄에서 확인하세요.",
            "Year and floor were not filtered by; each listing says them.",
        ));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The budget of another conversation that this search was limited to.
fn remembered_budget(s: &Advice) -> Option<u64> {
    s.planning.remembered.iter().find_map(|fact| match (fact.what, &fact.value) {
        (What::Budget, Value::Budget { won, .. }) => Some(*won),
        _ => None,
    })
}

/// The sums that the question sets as limits.
fn limited_to(s: &Advice, remembered: Option<u64>, lang: Lang) -> Vec<String> {
    if s.planning.calculations.contains(&Calculation::LoanLimit) {
        return Vec::new();
    }
    let said = s.planning.terms.amounts.iter().filter(|amount| {
        amount.role != Role::Income && !(amount.role == Role::Budget && remembered == Some(amount.won))
    });
    let limit = |amount: &Amount| {
        let what = match amount.role {
            Role::Deposit => lang.pick("보증금 ", "deposit "),
            Role::MonthlyRent => lang.pick("월세 ", "rent "),
            _ => String::new(),
        };
        let sum = format!("{what}{}", money(amount.won, lang));
        match amount.bound {
            Bound::AtMost => Some(lang.pick(format!("{sum} 이하"), format!("at most {sum}"))),
            Bound::AtLeast => Some(lang.pick(format!("{sum} 이상"), format!("at least {sum}"))),
            Bound::Around => Some(lang.pick(format!("{sum}대"), format!("around {sum}"))),
            Bound::Exact if amount.role == Role::Budget => {
                Some(lang.pick(format!("예산 {sum}"), format!("a budget of {sum}")))
            }
            Bound::Exact => None,
        }
    };
    said.filter_map(limit).collect()
}

/// The sizes that it names.
fn sizes(s: &Advice, lang: Lang) -> Vec<String> {
    let size = |area: &Area| {
        let (metres, band) = (area.exclusive().round(), if area.band { "대" } else { "" });
        match area.pyeong() {
            Some(pyeong) => lang.pick(
                format!("{pyeong}평{band}(전용 {metres}㎡ 안팎)"),
                format!("{pyeong} pyeong (about {metres} m² exclusive)"),
            ),
            None => lang.pick(format!("전용 {metres}㎡ 안팎"), format!("about {metres} m²")),
        }
    };
    s.planning.terms.areas.iter().map(size).collect()
}

/// Which of several places of one name was meant: the person may mean another.
pub(super) fn namesakes(s: &Advice, lang: Lang) -> Option<String> {
    /// So many others are named.
    const OTHERS: usize = 3;
    // As the sentence has it by itself: what the conversation is about may have decided otherwise.
    let alone = understand(&s.query, &Context::default());
    let place = alone.places.iter().find(|place| {
        !place.taken_back && place.candidates.len() > 1 && s.planning.regions.contains(&place.region)
    })?;
    let others = place.candidates.iter().filter(|other| **other != place.region).take(OTHERS);
    let others: Vec<String> = others.map(|other| full(other, lang)).collect();
    let meant = full(&place.region, lang);
    (!others.is_empty()).then(|| {
        lang.pick(
            format!("같은 이름의 곳이 더 있어({}) {meant} 기준으로 답했습니다.", others.join(", ")),
            format!("There are more places of that name ({}); this is about {meant}.", others.join(", ")),
        )
    })
}

/// Who asks what prices will do is told that nobody here knows.
pub(super) fn no_forecast(question: &Question, lang: Lang) -> Option<String> {
    const AHEAD: &[&str] = &[
        "오를까",
        "오르나",
        "오를지",
        "오를 것",
        "오를 거",
        "떨어질",
        "내릴까",
        "내릴지",
        "전망",
        "go up",
        "go down",
        "forecast",
        "outlook",
        "will prices",
    ];
    let text = question.text.to_lowercase();
    AHEAD.iter().any(|word| text.contains(word)).then(|| {
        lang.pick(
            "앞으로의 값은 예측하지 않고, 지금까지의 거래만 보여 드립니다.",
            "What prices will do is not predicted here; this is what deals have been so far.",
        )
    })
}

/// A neighbourhood in which too little was found became its district.
fn widened(s: &Advice, data: &[Used], lang: Lang) -> Option<String> {
    let small = s.planning.regions.iter().find(|region| region.neighbourhood.is_some())?;
    let whole = Region { neighbourhood: None, ..small.clone() };
    let searched =
        data.iter().filter(|used| !used.found.items.is_empty()).flat_map(|used| &used.parameters.regions);
    let mut reports = data.iter().flat_map(|used| &used.found.reports);
    let found =
        reports.any(|report| matches!(report, Report::Level(level) if level.region.as_ref() == Some(small)));
    (!found && searched.into_iter().any(|region| *region == whole)).then(|| {
        lang.pick(
            format!("{}의 거래가 적어 {} 전체에서 찾았습니다.", small.name(), whole.name()),
            format!(
                "{} has too few deals, so all of {} was searched.",
                small.name_in_english(),
                whole.name_in_english()
            ),
        )
    })
}

/// What was wished for and no record of a deal tells.
fn unfiltered(s: &Advice, lang: Lang) -> Option<String> {
    let name = |feature: &Feature| match feature {
        Feature::NearStation => Some(("역과의 거리", "the way to a station")),
        Feature::School => Some(("학교와 학군", "schools")),
        Feature::LargeComplex => Some(("단지 규모", "the size of the complex")),
        Feature::Facing => Some(("방향", "which way it faces")),
        Feature::Rooms => Some(("방의 수", "the number of rooms")),
        Feature::Equipment => Some(("시설과 옵션", "what it is equipped with")),
        Feature::View => Some(("조망", "the view")),
        Feature::Redevelopment => Some(("재건축·재개발 여부", "redevelopment")),
        Feature::Bargain => Some(("급매 여부", "whether it is a bargain")),
        Feature::New | Feature::Old | Feature::Floor | Feature::Size => None,
    };
    let names: Vec<(&str, &str)> = s.planning.terms.features.iter().filter_map(name).collect();
    let list = |which: fn(&(&'static str, &'static str)) -> &'static str| {
        names.iter().map(which).collect::<Vec<_>>().join(", ")
    };
    (!names.is_empty()).then(|| {
        lang.pick(
            format!("가진 거래 자료에는 {} 정보가 없어 거르지 못했습니다.", list(|name| name.0)),
            format!("The deals at hand say nothing of {}, so that was not looked at.", list(|name| name.1)),
        )
    })
}
