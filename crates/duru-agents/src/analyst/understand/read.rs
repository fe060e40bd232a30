//! From a question to a query, a question back, or a refusal.

use duru_sql::guard::Lang;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use super::clarify::{self, Clarification, QueryAnalysis};
use super::query::{Field, Filter, Length, Measure, Op, Period, Query, Test, Unit};
use super::reading::Reading;
use super::refuse::{self, Refusal, RefusalKind};
use super::scan::{Scan, re};
use super::vocabulary::Vocabulary;
use super::{assemble, explain, filters, follow, groups, lean, leftover, measures, normal, sql, time};

/// What is known besides the question.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    pub now: Timestamp,
    /// The asker's.
    pub timezone: TimeZone,
    /// Without one, the question's own.
    pub lang: Option<Lang>,
    pub vocabulary: &'a Vocabulary,
    /// The conversation so far, the latest last.
    pub previous: &'a [Turn],
    /// What the person said when asked back.
    pub answers: &'a [Reply],
    /// How often this question was asked back already.
    pub asked: u8,
    /// A range from the person's picker; it wins over the question's words.
    pub picked: Option<Period>,
}

/// An earlier question as it was understood, or its draft if it was asked back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    pub question: String,
    pub query: Query,
    /// Values of the first row of its answer, where known.
    #[serde(default)]
    pub top: Vec<(Field, String)>,
}

/// The answer to a question back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// `service` or `time`.
    pub field: String,
    pub value: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Understanding {
    Query(Box<Understood>),
    Clarify(Box<Clarification>),
    Refuse(Refusal),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Understood {
    pub query: Query,
    pub sql: String,
    /// One line, in the asker's language.
    pub explanation: String,
    pub analysis: QueryAnalysis,
    /// Whether the question before it was needed.
    pub resolved: bool,
}

/// A question may be asked back so often.
const ROUNDS: u8 = 2;

/// Reads a question.
pub fn understand(question: &str, context: &Context<'_>) -> Understanding {
    let lang = context.lang.unwrap_or_else(|| Lang::of(question));
    let now = context.now.to_zoned(context.timezone.clone());
    let question = &filters::spread(&normal::normal(question), context.vocabulary);
    let mut scan = Scan::new(question);
    let mut reading = Reading::default();
    filters::texts(&mut scan, context.vocabulary, &mut reading);
    if !context.previous.is_empty() {
        lean::changes(&mut scan, &mut reading);
        lean::first_of(&mut scan, &mut reading);
    }
    if let Some((kind, word)) = refuse::check(&scan) {
        return Understanding::Refuse(Refusal::new(kind, vec![word], lang));
    }
    read(&mut scan, question, context.vocabulary, &mut reading, &now);
    replies(context, &mut reading, &now);
    let mut unknown = leftover::words(&scan.rest);
    // "timeouts (message contains timeout)": said again.
    unknown.retain(|word| !reading.searches(word) && !reading.names(word));
    if lang == Lang::Ko
        && reading.query.filter("message").is_none()
        && let Some(text) = leftover::latin(&scan.rest, &unknown)
    {
        reading.push(Field::column("message"), Test::Contains(vec![text]));
        reading.subject = true;
        unknown.clear();
    }
    let events = leftover::event(&scan.rest, &unknown);
    if !events.is_empty() && reading.time.periods.is_empty() {
        // Only the asker knows when that was.
        reading.time.event = true;
        unknown.retain(|word| !events.contains(word));
    }
    let comparing =
        reading.time.periods.len() > 1 || reading.time.before.is_some() || !context.previous.is_empty();
    let left_out = leftover::leaves_out(&scan.rest, comparing);
    unknown.extend(left_out.filter(|word| !unknown.contains(word)));
    if !unknown.is_empty() {
        return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, unknown, lang));
    }
    let previous = context.previous.last().filter(|_| follow::leans(&reading));
    let made = match previous {
        Some(turn) => follow::merge(turn, &mut reading, &scan, &now),
        None => assemble::assemble(&mut reading, &now).map_err(follow::Lost::Unfit),
    };
    let mut lost = if previous.is_none() { reading.references.clone() } else { Vec::new() };
    let mut query = match made {
        Ok(query) => query,
        Err(follow::Lost::Reference(field)) => {
            lost.push(field);
            match assemble::assemble(&mut reading, &now) {
                Ok(query) => query,
                Err(_) => {
                    return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, Vec::new(), lang));
                }
            }
        }
        Err(follow::Lost::Unfit(_)) => {
            return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, Vec::new(), lang));
        }
    };
    assemble::hours_of_day(&reading, &mut query);
    if reading.overlap && query.compare.is_some() {
        return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, Vec::new(), lang));
    }
    if let Some(picked) = &context.picked {
        query.time = Some(picked.clone());
    }
    // "이번 주말" before it has begun: nothing was written yet.
    let to_come =
        |period: &Period| matches!(period, Period::Between { from: Some(from), .. } if *from > context.now);
    let periods = query.time.iter().chain(query.compare.as_ref().map(|compare| &compare.with));
    if periods.into_iter().any(to_come) {
        return Understanding::Refuse(Refusal::new(RefusalKind::Prediction, Vec::new(), lang));
    }
    // Two bounds that no number keeps would silently find nothing.
    if query.filters.iter().any(|filter| contradicts(filter, &query.filters)) {
        return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, Vec::new(), lang));
    }
    // "에러 말고 경고만": what is wanted says already what is not.
    let instead = scan.said(re!(r"말고"));
    let wanted: Vec<(Field, Vec<String>)> = query
        .filters
        .iter()
        .filter(|filter| instead || filter.field.name() == "level")
        .filter_map(|filter| match &filter.test {
            Test::OneOf(values) => Some((filter.field.clone(), values.clone())),
            _ => None,
        })
        .collect();
    query.filters.retain(|filter| match &filter.test {
        Test::NoneOf(without) => !wanted
            .iter()
            .any(|(field, values)| *field == filter.field && !values.iter().any(|one| without.contains(one))),
        _ => true,
    });
    // "In production but not in staging" sets two groups of lines against each other: no condition on one line.
    let torn = |filter: &Filter| {
        let other = |one: &&Filter| one.field == filter.field && matches!(one.test, Test::NoneOf(_));
        matches!(filter.test, Test::OneOf(_)) && query.filters.iter().any(|one| other(&one))
    };
    if query.filters.iter().any(torn) {
        return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, Vec::new(), lang));
    }
    // "Top 5" of what is no list would be lost without a word.
    let ranked = reading.superlative && reading.query.limit.is_some_and(|limit| limit > 1);
    if ranked && previous.is_none() && query.groups.is_empty() && !query.is_rows() {
        return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, Vec::new(), lang));
    }
    let empty = query.is_rows() && query.filters.is_empty() && !(reading.subject || reading.plain_subject);
    if empty && previous.is_none() {
        return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, Vec::new(), lang));
    }
    // Whether there are any, anywhere: their number says it.
    if reading.exists && query.is_rows() && clarify::needs_service(&query, &reading) {
        query.measures.push(Measure::Count);
    }
    let needs = clarify::needs(&query, &reading, &lost, previous.is_some());
    let analysis = clarify::analyse(&query, &reading, &needs);
    if !lost.is_empty()
        && context.asked >= ROUNDS
        && query.filter(lost[0].name()).is_none()
        && lost[0].name() != "service"
    {
        // Nobody could say which one is meant.
        let words = lost.iter().map(|field| field.name().to_owned()).collect();
        return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, words, lang));
    }
    if !needs.is_empty() && context.asked < ROUNDS {
        let clarification = clarify::ask(needs, &reading, context.vocabulary, lang, query, analysis);
        return Understanding::Clarify(Box::new(clarification));
    }
    if (reading.time.vague || reading.time.event) && query.time.is_none() {
        query.time = Some(Period::Last(Length { amount: 1, unit: Unit::Hour }));
    }
    Understanding::Query(Box::new(Understood {
        sql: sql::print(&query, &context.timezone),
        explanation: explain::explain(&query, lang, &context.timezone),
        query,
        analysis,
        resolved: previous.is_some(),
    }))
}

/// Whether a number of this field would have to lie above and below at once.
fn contradicts(filter: &Filter, all: &[Filter]) -> bool {
    let Test::Number(Op::More | Op::AtLeast, least) = filter.test else { return false };
    all.iter()
        .filter(|other| other.field == filter.field)
        .any(|other| matches!(other.test, Test::Number(Op::Less | Op::AtMost, most) if most < least))
}

/// The order matters: what is longer and rarer is taken first.
fn read(scan: &mut Scan, question: &str, vocabulary: &Vocabulary, reading: &mut Reading, now: &Zoned) {
    reading.slowest_said = scan.said(re!(r"가장|제일|\bslowest\b|\blongest\b|\bfastest\b"));
    reading.list = scan.said(re!(r"목록|리스트|내역|나열|전부|모두|원본|\blist\b|\ball\b|\braw\b"));
    reading.exists = !scan.said(re!(r"보여|목록|리스트|나열|출력|뽑아|\bshow\b|\blist\b|\bgive\b"))
        && scan.said(re!(r"있었는지|있었나|있었어|있었습니까|있나요|있는지|있어\s*\?|났나|났는지|났어\s*\?|나왔나|발생했나|발생했는지|발생했어\s*\?|생겼나|\b(?:were|was|are|is)\s+there\b|\bany\b[^?]*\?|\b(?:did|has|have)\b[^?]*\?"));
    reading.bare = !scan.said(re!(r"보여|보고|알려|목록|리스트|내역|나열|출력|뽑|줘|줄래|로그|기록|샘플|\bshow\b|\blist\b|\bgive\b|\bfetch\b|\bget\b|\bdisplay\b|\bprint\b|\bsee\b|\blogs?\b|\blines?\b|\bentries\b|\brecords?\b"));
    reading.all_time = scan.said(re!(r"통틀어|지금까지|여태|전체\s*기간|전\s*기간|역대|\ball[\s-]time\b|\bever\b|\bso\s+far\b|\bin\s+total\b|\boverall\b"));
    // "(중복 제거)": values are counted once.
    let once = scan.drop_all(re!(r"(?:\b[a-z_]+\s*)?(?:중복\s*(?:은|을|를)?\s*(?:제거|제외|없이|빼고|배제|무시)(?:하고|한|해서|하면|하여|된)?|고유\s*기준|유니크\s*기준|\bdeduplicated\b|\bde-?duped\b|\bcounted\s+once\b)"));
    // How it is to be shown, not what.
    reading.list |= scan.drop_all(re!(r"로그로(?:\s|$)"));
    let rolled_out = time::rolled_out(scan);
    filters::ids(scan, question, vocabulary, reading);
    lean::references(scan, reading);
    lean::none(scan, reading);
    lean::quiet(scan, reading);
    measures::rates(scan, vocabulary, reading);
    measures::side_by_side(scan, reading);
    measures::moments(scan, reading);
    measures::durations(scan, vocabulary, reading);
    measures::thresholds(scan, reading);
    let same_hours = scan.drop_all(re!(
        r"(?:같은|동일한?)\s*(?:시간대?|시각)(?:의|에|과|와|보다|에는|엔)?|동\s*시간대(?:의|에|보다)?|\b(?:at\s+)?(?:the\s+)?same\s+(?:time|hours?)\b"
    ));
    groups::buckets(scan, reading);
    measures::limits(scan, reading);
    measures::orders(scan, reading);
    filters::values(scan, vocabulary, reading);
    filters::services(scan, vocabulary, reading);
    filters::places(scan, reading);
    filters::flags(scan, vocabulary, reading);
    filters::ranks(scan, reading);
    reading.time = time::read(scan, now, same_hours);
    reading.time.event |= rolled_out;
    reading.counted |= scan.drop_all(re!(
        r"\b(?:how\s+many\s+)?page\s*views?\b|페이지\s*뷰(?:\s*수)?|조회\s*수|방문\s*(?:횟)?수"
    ));
    measures::stats(scan, vocabulary, reading);
    lean::contrasts(scan, reading);
    groups::dimensions(scan, vocabulary, reading);
    if once && reading.distinct.is_empty() {
        let person =
            |field: &Field| matches!(field.name(), "user_id" | "session_id" | "trace_id" | "client_ip");
        if let Some(place) = reading.named.iter().position(person) {
            reading.distinct.push(reading.named.remove(place));
        }
    }
    filters::levels(scan, reading);
    measures::counts(scan, reading);
    if scan.has(re!(r"로그|요청|호출|기록|이벤트|\blogs?\b|\brequests?\b|\bcalls?\b|\blines?\b|\bentries\b|\bevents?\b|\brows?\b|\brecords?\b|\bresponses?\b|응답|단계|\bsteps?\b")) {
        reading.subject = true;
        reading.plain_subject = true;
    }
    // What is called is an API.
    reading.api_said |= scan.said(re!(r"호출|\bcalls\b"));
    if !reading.query.measures.is_empty() || reading.measure_of.is_some() {
        reading.subject = true;
    }
    // "결제 것만": of what was shown, unless the question is a whole one.
    let whole =
        !reading.time.periods.is_empty() || follow::has_groups(reading) || !reading.query.measures.is_empty();
    reading.leans |= !whole && scan.said(re!(r"(?:^|\s|의)(?:것|거)만"));
}

/// What the person said when asked back.
fn replies(context: &Context<'_>, reading: &mut Reading, now: &Zoned) {
    for reply in context.answers {
        let mut scan = Scan::new(&normal::normal(&reply.value));
        match reply.field.as_str() {
            "service" => {
                reading.unclear_services.clear();
                reading.references.retain(|field| field.name() != "service");
                if re!(r"^\s*(?:전체|모두|모든|all\b|every)").is_match(&scan.whole) {
                    reading.every_service = true;
                } else {
                    filters::services(&mut scan, context.vocabulary, reading);
                }
            }
            "time" => {
                let said = time::read(&mut scan, now, false);
                if !said.periods.is_empty() {
                    reading.time = said;
                }
            }
            field => {
                let column = clarify::column(field);
                reading.references.retain(|lost| lost.name() != column);
                reading.add(Field::column(column), reply.value.trim(), false);
            }
        }
    }
}
