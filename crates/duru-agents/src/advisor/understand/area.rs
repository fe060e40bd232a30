//! Areas: 84㎡, 84제곱미터, 30평대.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Square metres in a pyeong.
pub(in crate::advisor) const PYEONG: f64 = 400.0 / 121.0;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Area {
    pub square_metres: f64,
    /// Said in pyeong: usually the supplied area, not the exclusive one.
    pub in_pyeong: bool,
    /// 30평대: from there to the next ten.
    pub band: bool,
}

impl Area {
    /// As it was said: in pyeong where it was.
    pub fn pyeong(&self) -> Option<f64> {
        self.in_pyeong.then(|| (self.square_metres / PYEONG * 10.0).round() / 10.0)
    }

    /// What of it is one's own: of a size in pyeong, which counts shared space, about three quarters.
    pub fn exclusive(&self) -> f64 {
        let metres = if self.in_pyeong { self.square_metres * 0.75 } else { self.square_metres };
        (metres * 10.0).round() / 10.0
    }

    /// Would a person call both the same size? A tenth either way; a size in
    /// pyeong counts shared space too, so against square metres it is a third more.
    pub fn is_like(&self, other: &Area) -> bool {
        let exclusive = |area: &Area| {
            let middle = if area.band { area.square_metres + 5.0 * PYEONG } else { area.square_metres };
            if area.in_pyeong && self.in_pyeong != other.in_pyeong { middle * 0.75 } else { middle }
        };
        let (a, b) = (exclusive(self), exclusive(other));
        let slack = if self.band || other.band { 0.2 } else { 0.1 };
        (a - b).abs() <= slack * a.max(b)
    }
}

/// Numbers that may be areas where one was spoken of: "84 가격들", "59짜리".
pub(crate) fn bare(text: &str) -> Vec<Area> {
    const UNITS: &[&str] = &[
        "년", "억", "만", "천", "%", "퍼", "프로", "일", "월", "개", "층", "세대", "평", "명", "분", "시",
        "호", "번", "조", "배",
    ];
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = &rest[at..];
        let length =
            digits.find(|c: char| !(c.is_ascii_digit() || ".,/".contains(c))).unwrap_or(digits.len());
        let after = digits[length..].trim_start();
        if let Ok(number) = digits[..length].parse::<f64>()
            && (20.0..=250.0).contains(&number)
            && !UNITS.iter().any(|unit| after.starts_with(unit))
        {
            found.push(Area { square_metres: number, in_pyeong: false, band: false });
        }
        rest = &digits[length..];
    }
    found
}

/// What a pyeong is called.
const PYEONGS: &[&str] = &["평", " pyeong", "-pyeong", "pyeong", " pyung", "-pyung"];

/// The areas in `text`, in order.
pub(crate) fn find(text: &str) -> Vec<Area> {
    const METRES: &[&str] = &["㎡", "m2", "m²", "제곱미터", "제곱", "sqm", " sqm", " square met"];
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = &rest[at..];
        let length = digits.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(digits.len());
        let after = &digits[length..];
        if let Ok(number) = digits[..length].trim_end_matches('.').parse::<f64>() {
            let plausible = |metres: f64| (5.0..=2_000.0).contains(&metres);
            if METRES.iter().any(|unit| after.starts_with(unit)) && plausible(number) {
                found.push(Area { square_metres: number, in_pyeong: false, band: false });
            } else if let Some(after) = PYEONGS.iter().find_map(|unit| after.strip_prefix(unit))
                && plausible(number * PYEONG)
            {
                let band = after.starts_with('대');
                found.push(Area { square_metres: number * PYEONG, in_pyeong: true, band });
            }
        }
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_read_and_compared() {
        let one = |text: &str| find(text)[0];
        assert_eq!(one("서초구 84㎡ 아파트"), one("84제곱미터로 좁혀서"));
        assert!((one("33평").square_metres - 109.09).abs() < 0.01);
        assert!(one("84㎡").is_like(&one("33평")));
        assert!(one("84㎡").is_like(&one("30평대")));
        assert_eq!(one("25 pyeong apartment"), one("25평"));
        assert!(!one("84㎡").is_like(&one("59㎡")));
        assert!(find("5평생 3억 84번").iter().all(|area| area.in_pyeong));
    }
}
