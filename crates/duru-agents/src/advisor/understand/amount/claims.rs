//! What others may claim from a home.

use super::{Amount, Role};

/// A loan on the home of whoever pays a deposit is no loan of theirs: "대출 3억 낀 집에 보증금 2억".
pub(super) fn claims(text: &str, found: &mut [Amount]) {
    const ON_HOME: &[&str] = &[
        "잡혀",
        "잡힌",
        "껴",
        "낀",
        "끼어",
        "끼고",
        "걸려",
        "걸린",
        "설정",
        "있는 집",
        "있는집",
        "on it",
        "on the home",
        "on the house",
        "on the property",
    ];
    const LANDLORD: &[&str] = &[
        "집주인",
        "임대인",
        "집에 ",
        "등기부",
        "the landlord",
        "the owner",
        "the register",
        "register shows",
        "register says",
        "registry",
    ];
    // Whatever ranks before is a claim, whether or not the deposit is said in the same breath.
    const BEFORE: &[&str] = &["ahead of me", "before me", "ahead of us", "registered on it"];
    let leases = found.iter().any(|amount| amount.role == Role::Deposit);
    for amount in found.iter_mut().filter(|amount| matches!(amount.role, Role::Loan | Role::Debt)) {
        // English takes more letters.
        let reach = if text[amount.span.1..].chars().take(12).all(|c| c.is_ascii()) { 40 } else { 24 };
        let after: String = text[amount.span.1..].chars().take(reach).collect();
        let before: String =
            text[..amount.span.0].chars().rev().take(20).collect::<Vec<_>>().into_iter().rev().collect();
        let on_home = ON_HOME.iter().any(|word| after.contains(word));
        let registered = ["registry", "등기부"].iter().any(|word| before.contains(word))
            || BEFORE.iter().any(|word| text[amount.span.1..].starts_with(word) || after.contains(word));
        if registered || leases && (on_home || LANDLORD.iter().any(|word| before.contains(word))) {
            amount.role = Role::Prior;
        }
    }
}
