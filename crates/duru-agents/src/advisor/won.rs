//! Sums of money as people say them.

/// 12억 3,400만원; sums below 10,000 won to the won. Below a million, what is no whole number of 만 is written out, as on
/// a bill: 886,667원.
pub(crate) fn ko(won: u64) -> String {
    if won < 1_000_000 && !won.is_multiple_of(10_000) {
        return format!("{}원", digits(won));
    }
    let (eok, rest) = (won / 100_000_000, won % 100_000_000);
    let (man, single) = (rest / 10_000, rest % 10_000);
    let mut parts = Vec::new();
    if eok > 0 {
        parts.push(format!("{}억", digits(eok)));
    }
    if man > 0 {
        parts.push(format!("{}만", digits(man)));
    }
    // Below a hundred million every won counts; above, nobody asks for them.
    if single > 0 && eok == 0 || parts.is_empty() {
        parts.push(digits(single));
    }
    format!("{}원", parts.join(" "))
}

/// ₩1,234,000,000
pub(crate) fn en(won: u64) -> String {
    format!("₩{}", digits(won))
}

pub(crate) fn digits(number: u64) -> String {
    let plain = number.to_string();
    let mut out = String::new();
    for (at, digit) in plain.chars().enumerate() {
        if at > 0 && (plain.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_said_as_people_say_them() {
        assert_eq!(ko(1_234_000_000), "12억 3,400만원");
        assert_eq!(ko(500_000_000), "5억원");
        assert_eq!(ko(1_432_246), "143만 2,246원");
        assert_eq!(ko(315_000_000), "3억 1,500만원");
        assert_eq!(ko(0), "0원");
        assert_eq!((ko(886_667).as_str(), ko(890_000).as_str()), ("886,667원", "89만원"));
        assert_eq!(en(1_234_000_000), "₩1,234,000,000");
    }
}
