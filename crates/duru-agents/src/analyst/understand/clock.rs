//! Hours of a day: "새벽 2시부터 3시", "between 10am and 11:30am", "afternoon".

use super::scan::{Found, Scan, re};

/// Minutes since midnight, half open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hours {
    pub(super) from: i64,
    pub(super) until: i64,
    /// One moment was said, not a stretch.
    pub(super) exact: bool,
}

impl Hours {
    /// In whole hours.
    pub(super) fn whole(&self) -> (u8, u8) {
        let hour = |minutes: i64| u8::try_from(minutes.div_euclid(60)).unwrap_or(24).min(24);
        (hour(self.from), hour(self.until + 59))
    }
}

const PART: &str = r"(?:(새벽|아침|오전|점심|낮|오후|저녁|밤)\s*)?";

macro_rules! clock_pattern {
    ($middle:expr, $end:expr) => {{
        static PATTERN: std::sync::LazyLock<regex::Regex> = std::sync::LazyLock::new(|| {
            let one = format!(
                r"{PART}(?:(\d{{1,2}})시(?:\s*(\d{{1,2}})분|\s*(반))?|(\d{{1,2}}):(\d{{2}})(?::\d{{2}})?(?:\s*(am|pm|a\.m\.|p\.m\.))?|(\d{{1,2}})\s*(am|pm|a\.m\.|p\.m\.)|(정오|자정|\bnoon\b|\bmidnight\b))"
            );
            let text = if $middle.is_empty() { one } else { format!("{one}{}{one}{}", $middle, $end) };
            super::scan::compile(&text)
        });
        &*PATTERN
    }};
}

pub(super) fn read(scan: &mut Scan, mut found: impl FnMut(usize, usize, Hours)) {
    let range = clock_pattern!(
        r"\s*(?:부터|에서|~|-|–|\bto\b|\band\b|\buntil\b|와|과)\s*",
        r"(?:\s*까지|\s*사이)?(?:에|의)?"
    );
    let mut place = 0;
    while let Some(clock) = scan.find_from(range, place) {
        place = clock.end;
        // What was taken out between two times belongs to one of them: they are no range by themselves.
        let said = clock.start + clock.get(0).trim_end().len();
        if scan.rest[clock.start..said] != scan.whole[clock.start..said] {
            continue;
        }
        scan.blank(clock.start, clock.end);
        let (Some(from), Some(mut until)) = (minutes(&clock, 0, ""), minutes(&clock, 10, clock.get(1)))
        else {
            continue;
        };
        if until <= from && until + 720 > from && until + 720 <= 1440 {
            until += 720;
        }
        if until <= from {
            until += 1440;
        }
        found(clock.start, clock.end, Hours { from, until, exact: false });
    }
    while let Some(clock) = scan.take(clock_pattern!("", "")) {
        let Some(from) = minutes(&clock, 0, "") else { continue };
        let whole = !clock.has(3) && !clock.has(4) && !clock.has(6);
        found(clock.start, clock.end, Hours { from, until: from + if whole { 60 } else { 1 }, exact: true });
    }
    while let Some(part) = scan.take(re!(
        r"(새벽)(?:\s*시간대?)?|(오전)|(아침)|(점심)(?:\s*시간대?)?|(오후)|(저녁)|(한밤중|밤)(?:\s*시간대?)?|\b(?:this\s+|in\s+the\s+)?(morning)\b|\b(?:this\s+|in\s+the\s+)?(afternoon)\b|\b(?:this\s+|in\s+the\s+)?(evening)\b|\b(?:at\s+|last\s+)?(night)\b|(early\s+hours|dawn)"
    )) {
        const PARTS: [(i64, i64); 12] = [
            (0, 6), (0, 12), (6, 9), (12, 14), (12, 24), (18, 24), (21, 24), (6, 12), (12, 18), (18, 24), (21, 24), (0, 6),
        ];
        if let Some((_, (from, until))) = (1..).zip(PARTS).find(|(group, _)| part.has(*group)) {
            found(part.start, part.end, Hours { from: from * 60, until: until * 60, exact: false });
        }
    }
}

/// A moment of the day, from the groups of [`clock_pattern`] that begin after `base`.
fn minutes(found: &Found, base: usize, part_before: &str) -> Option<i64> {
    let get = |group: usize| found.get(base + group);
    match get(10) {
        "" => {}
        "정오" | "noon" => return Some(720),
        _ => return Some(if base == 0 { 0 } else { 1440 }),
    }
    let hour = [get(2), get(5), get(8)].into_iter().find(|text| !text.is_empty())?;
    let mut hour: i64 = hour.parse().ok().filter(|hour| (0..=24).contains(hour))?;
    let minute = if get(4) == "반" { 30 } else { [get(3), get(6)].concat().parse().unwrap_or(0) };
    let half = [get(7), get(9)].concat();
    let part = if get(1).is_empty() { part_before } else { get(1) };
    let afternoon = half.starts_with('p') || matches!(part, "오후" | "저녁" | "밤" | "낮" | "점심");
    let morning = half.starts_with('a') || matches!(part, "새벽" | "오전" | "아침");
    if afternoon && hour < 12 && !(part == "낮" && hour >= 9 || part == "점심" && hour >= 11) {
        hour += 12;
    } else if morning && hour == 12 {
        hour = 0;
    }
    Some(hour * 60 + minute)
}
