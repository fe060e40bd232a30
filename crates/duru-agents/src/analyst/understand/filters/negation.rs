//! What is to be left out.

use crate::analyst::understand::scan::{Scan, re};

/// Whether the value that stands here is to be left out.
pub(super) fn negated(scan: &mut Scan, start: usize, end: usize) -> bool {
    let after = re!(
        r"^\s*(?:서비스|환경|레벨|로그|에러|사용자)?\s*(?:을|를|은|는|이|가)?\s*(?:제외(?:하고|한|하면|하니|된)?|빼고|뺀|빼면|제하고|말고|아닌|아니라|이외(?:의|에)?|외의|외에)"
    );
    let before = re!(
        r"(?:\bexcept(?:\s+for)?|\bexcluding|\bexclude|\bwithout|\bnot(?:\s+(?:from|in|counting|including))?|\bother\s+than|\bapart\s+from|\baside\s+from|\bbesides|\bleaving\s+out|\bminus|\bignoring|\bignore|\bskipping|\bnon-?)\s*(?:the\s+)?$"
    );
    if let Some(found) = scan.rest.get(end..).and_then(|rest| after.find(rest)) {
        let (from, until) = (end + found.start(), end + found.end());
        scan.blank(from, until);
        return true;
    }
    if let Some(found) = scan.rest.get(..start).and_then(|rest| before.find(rest)) {
        let (from, until) = (found.start(), found.end());
        scan.blank(from, until);
        return true;
    }
    false
}
