//! What a question says about time, piece by piece.

use jiff::Zoned;

use super::days::{days, days_ago, weekday};
use super::lengths::{bare, length, relative, seconds};
use super::periods::{Piece, What, combine, repeat_hours};
use crate::analyst::understand::clock;
use crate::analyst::understand::query::{Length, Period, Unit};
use crate::analyst::understand::scan::{Scan, re};

/// What a question says about time.
#[derive(Debug, Clone, Default)]
pub(in crate::analyst::understand) struct Said {
    /// In the order of the question.
    pub(in crate::analyst::understand) periods: Vec<Period>,
    /// A period that is named by what it precedes.
    pub(in crate::analyst::understand) before: Option<Before>,
    /// 조금 전, a while ago: nobody can say how long.
    pub(in crate::analyst::understand) vague: bool,
    /// "Around the release": known to the asker only.
    pub(in crate::analyst::understand) event: bool,
    /// Hours of every day of a longer period.
    pub(in crate::analyst::understand) hours: Option<(u8, u8)>,
    pub(in crate::analyst::understand) weekdays: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::analyst::understand) enum Before {
    /// "그 직전 24시간".
    Length(Length),
    /// "The day before", "전주": as long as this unit.
    Unit(Unit),
    /// "그 전 같은 기간".
    Same,
}

pub(in crate::analyst::understand) fn read(scan: &mut Scan, now: &Zoned, same_hours: bool) -> Said {
    let vague = scan.drop_all(re!(
        r"요\s*며칠|며칠(?:간|\s*동안|\s*새|\s*사이)|(?:last|past)\s+(?:few|couple\s+of)\s+(?:minutes|hours|days|weeks)|조금\s*전|좀\s*전|얼마\s*전|얼마전|며칠\s*전|몇\s*(?:시간|분|일|주|달)\s*전|한참\s*전|예전|옛날|아까|잠시\s*전|이따|언젠가|^\s*(?:이)?전에\s|(?:^|\s)(?:요|일)전에(?:\s|$)|(?:지난|저)번에(?:\s|$)|\bpreviously\b|\bat\s+some\s+point\b|\bin\s+the\s+past(?:[?.,]|$)|(?:several|some|a\s+few|a\s+couple\s+of)\s+(?:minutes|hours|days|weeks)\s+(?:ago|back)|a\s+(?:little\s+)?while\s+(?:ago|back)|some\s*time\s+(?:ago|back)|a\s+few\s+(?:minutes|hours|days|weeks)\s+ago|earlier(?:\s+today)?\b|the\s+other\s+day|\bonce\b|not\s+long\s+ago|a\s+moment\s+ago|lately\b|a\s+bit\s+ago|back\s+then"
    ));
    let event = scan.drop_all(re!(
        r"(?:배포|릴리스|릴리즈|출시|업데이트|패치|점검)(?:를|을)?\s*(?:하고|되고|끝나고)\s*(?:나서|난\s*(?:뒤|후|다음)(?:에|로)?)?|(?:(?:그|지난|마지막|최근|이번)\s*)?(?:배포|릴리스|릴리즈|출시|업데이트|장애|점검|사고|이벤트|마이그레이션|패치)(?:가|이|를|을)?\s*(?:났을|있었던|된|한|하기)?\s*(?:직후|이후|후|전후|직전|이전|전|때|당시|시점|무렵|즈음|부터)(?:에|로|의)?|(?:around|since|after|before|during|at)\s+(?:the\s+time\s+of\s+)?(?:the\s+|our\s+|that\s+|this\s+)?(?:last\s+|latest\s+|recent\s+)?(?:release|deploy(?:ment)?|rollout|incident|outage|launch|maintenance|migration|upgrade)\b|그때|그\s*당시|그\s*시점|그\s*시간대?|\bback\s+then\b|at\s+that\s+time"
    ));
    let mut said = Said { vague, event, ..Said::default() };
    let mut pieces = Vec::new();
    days_ago(scan, now, &mut pieces);
    // "어제 하루 동안" is yesterday.
    while let Some(found) = scan.find(re!(r"(?:오늘|어제|그저께|그제|\d일(?:\s*전)?|이틀\s*전|사흘\s*전|요일|주말|지난\s*주|이번\s*주|지난\s*달|이번\s*달|\d월)\s*(하루(?:\s*(?:동안|종일|내내|치))?|이틀(?:\s*(?:동안|간|내내))?|한\s*(?:주|달)(?:\s*동안|간)?)")) {
        scan.blank(found.end - found.get(1).len(), found.end);
    }
    between_lengths(scan, now, &mut said);
    relative(scan, &mut said);
    let long =
        said.periods.iter().any(|period| matches!(period, Period::Last(one) if seconds(*one) > 604_800));
    if long {
        // "최근 30일 동안 일요일에": every one of them.
        while let Some(found) = scan.find(re!(
            r"(?:(?:매주|\bon)\s*)?\b?(월요일|화요일|수요일|목요일|금요일|토요일|일요일|\bmondays?\b|\btuesdays?\b|\bwednesdays?\b|\bthursdays?\b|\bfridays?\b|\bsaturdays?\b|\bsundays?\b)(?:마다|에만|에|만)?"
        )) {
            let before = scan.rest[..found.start].trim_end();
            let Some(day) = weekday(found.get(1)) else { break };
            if before.ends_with("지난") || before.ends_with("이번") || before.ends_with("last") || before.ends_with("주") {
                break;
            }
            scan.blank(found.start, found.end);
            said.weekdays.push(u8::try_from(day.to_monday_one_offset()).unwrap_or(1));
        }
    }
    days(scan, now, &mut pieces);
    clock::read(scan, |start, end, hours| pieces.push(Piece { start, end, what: What::Hours(hours) }));
    pieces.sort_by_key(|piece| piece.start);
    // "점심시간(12시~13시)": what is in the brackets says it better.
    let glossed = |pair: &[Piece]| {
        let both = matches!(pair, [Piece { what: What::Hours(_), .. }, Piece { what: What::Hours(_), .. }]);
        both && scan.whole.get(pair[0].end..pair[1].start).is_some_and(|gap| gap.trim() == "(")
    };
    let loose: Vec<usize> =
        pieces.windows(2).filter(|pair| glossed(pair)).map(|pair| pair[0].start).collect();
    pieces.retain(|piece| !loose.contains(&piece.start));
    if same_hours {
        repeat_hours(now, &mut pieces);
    }
    combine(scan, now, &pieces, &mut said);
    if scan.drop_all(re!(r"평일(?:에만|에|만|의)?|(?:\bon\s+)?\bweekdays\b")) {
        said.weekdays.extend(1..=5);
    }
    if scan.drop_all(re!(r"주말(?:에만|에|만|의)?|(?:\bon\s+)?\bweekends\b")) {
        said.weekdays.extend(6..=7);
    }
    before_words(scan, &mut said);
    bare(scan, &mut said);
    said
}

/// "10분 전부터 5분 전까지", "between 2 hours and 1 hour ago".
fn between_lengths(scan: &mut Scan, now: &Zoned, said: &mut Said) {
    while let Some(found) = scan.take(re!(
        r"({N})\s*(분|시간|일)\s*전\s*(?:부터|에서|~|-)\s*({N})\s*(분|시간|일)\s*전(?:까지|\s*사이)(?:의|에)?|\b(?:between|from)\s+({N})\s+(minutes?|hours?|days?)(?:\s+ago)?\s+(?:and|to|until)\s+({N})\s+(minutes?|hours?|days?)\s+ago\b"
    )) {
        let ago = |amount: usize| {
            let length = length(found.get(amount), found.get(amount + 1), "")?;
            let back = i64::try_from(seconds(length)).ok()?;
            now.timestamp().checked_sub(jiff::SignedDuration::from_secs(back)).ok()
        };
        let first = if found.has(1) { 1 } else { 5 };
        if let (Some(from), Some(until)) = (ago(first), ago(first + 2))
            && from < until
        {
            said.periods.push(Period::Between { from: Some(from), until: Some(until) });
        }
    }
}

/// "v2.4.0 올린 뒤로": since something that only the asker knows.
pub(in crate::analyst::understand) fn rolled_out(scan: &mut Scan) -> bool {
    scan.drop_all(re!(
        r"(?:v?\d+\.\d+\.\d+\s*)(?:버전\s*)?(?:을|를|이|가|으로|로)?\s*(?:올린|올라간|올라온|배포(?:한|된|하고)?|나간|적용(?:한|된)?|출시(?:한|된)?|릴리[스즈](?:한|된)?|업데이트(?:한|된)?)\s*(?:뒤|후|이후|다음|직후|때)(?:로|에|부터|의)?|\b(?:since|after)\s+(?:we\s+|the\s+)?(?:deployed|released|shipped|rolled\s+out|release\s+of|rollout\s+of|deployment\s+of)\s+v?\d+\.\d+\.\d+|\b(?:since|after)\s+v?\d+\.\d+\.\d+\s+(?:(?:was\s+)?(?:deployed|released|shipped|rolled\s+out)|went\s+(?:live|out)|release|rollout|deployment)\b"
    ))
}

/// "The day before", "전주": named by what they precede.
fn before_words(scan: &mut Scan, said: &mut Said) {
    if let Some(found) = scan.take(re!(
        r"(그\s*전날|전날|the\s+day\s+before|the\s+previous\s+day|previous\s+day|day[\s-]over[\s-]day)|(그\s*전\s*주|전주|the\s+week\s+before|previous\s+week|week[\s-]over[\s-]week)|(그\s*전\s*달|전월|the\s+month\s+before|previous\s+month|month[\s-]over[\s-]month)|(그\s*(?:직전|이전|전)(?:의)?\s*(?:같은|동일한?)\s*(?:기간|시간)|직전\s*(?:동일\s*)?기간|이전\s*기간|(?:the\s+)?(?:previous|preceding|prior)\s+period|the\s+same\s+period\s+before)"
    )) {
        let unit = if found.has(1) {
            Before::Unit(Unit::Day)
        } else if found.has(2) {
            Before::Unit(Unit::Week)
        } else if found.has(3) {
            Before::Unit(Unit::Month)
        } else {
            Before::Same
        };
        // "Week over week" beside both weeks only names the comparison.
        if said.periods.len() < 2 && said.before.is_none() {
            said.before = Some(unit);
        }
    }
}
