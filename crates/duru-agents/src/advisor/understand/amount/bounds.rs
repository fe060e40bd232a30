//! Whether a sum is a limit, by the words around it.

use super::{Bound, Role};

/// Words of English that stand before a limit.
pub(super) fn limited(before: &str) -> Option<Bound> {
    let before = before.trim_end();
    let ends = |words: &[&str]| words.iter().any(|word| before.ends_with(word));
    if ends(&["under", "below", "up to", "at most", "less than", "no more than", "within", "maximum", "max"])
    {
        Some(Bound::AtMost)
    } else if ends(&["over", "above", "at least", "more than"]) {
        Some(Bound::AtLeast)
    } else {
        None
    }
}

pub(super) fn bound(after: &str, role: Role) -> Bound {
    let after = after.trim_start();
    let begins = |words: &[&str]| words.iter().any(|word| after.starts_with(word));
    // 1억 9천까지 깎으면: what it comes to.
    let reaches = after.strip_prefix("까지").map(str::trim_start);
    if reaches.is_some_and(|rest| rest.starts_with(['깎', '낮', '줄', '내', '올'])) {
        return Bound::Exact;
    }
    if begins(&["이하", "이내", "까지", "미만", "안쪽", "아래", "안에", "밑", "or less", "or under"])
    {
        Bound::AtMost
    } else if begins(&["이상", "초과", "넘", "부터", "or more"]) {
        Bound::AtLeast
    } else if begins(&["대 ", "대로", "대의", "대는", "대 아", "대인", "대,"]) || after == "대" {
        Bound::Around
    } else if role == Role::Budget {
        Bound::AtMost
    } else {
        Bound::Exact
    }
}
