//! Each sum where it belongs: what it is of, whether it limits, and what of a lease changes with it.

use super::said::{percent, share_of, yearly};
use crate::advisor::tools::{Calculation, Parameters};
use crate::advisor::understand::{Amount, Bound, Deal, Intent, Question, Role, Terms};

pub(super) fn place(
    asked: &mut Parameters,
    amount: &Amount,
    question: &Question,
    calculations: &[Calculation],
) {
    let won = amount.won;
    let role = match amount.role {
        Role::Unsaid => unsaid(question, calculations),
        role => role,
    };
    match (role, amount.bound) {
        (Role::Income, _) => {
            let won = yearly(won, &question.text);
            // 남편 6천, 저 4천: who names two incomes has both; 5천에서 6천으로 has the second.
            let rises = question.text.contains("에서") && !together(&question.text);
            asked.income = Some(asked.income.filter(|_| !rises).unwrap_or(0).saturating_add(won));
        }
        (Role::Prior, _) => {
            asked.prior_claims = Some(asked.prior_claims.unwrap_or(0).saturating_add(won));
        }
        (Role::Loan, _) => asked.loan = Some(won),
        // What is owed takes from what may be borrowed; without that question it is the loan that is spoken of.
        (Role::Debt, _) if calculations.contains(&Calculation::LoanLimit) => {
            asked.debt = Some(asked.debt.unwrap_or(0).saturating_add(won));
        }
        (Role::Debt, _) if calculations.contains(&Calculation::Repayment) => asked.loan = Some(won),
        (Role::Debt, _) => asked.debt = Some(won),
        (Role::OtherDeposits, _) => {
            asked.other_deposits = Some(asked.other_deposits.unwrap_or(0).saturating_add(won));
        }
        (Role::Resale, _) => asked.resale = Some(won),
        (Role::Official, _) => asked.official_price = Some(won),
        (Role::YearlyInterest, _) => asked.other_interest = Some(won),
        (Role::LoanPayments, _) => asked.loan_payments = Some(won),
        (Role::PaidDown, _) => asked.paid_down = Some(won),
        (Role::MonthlyCosts, _) => asked.monthly_costs = Some(won),
        (Role::Extra, _) => asked.extra_costs = Some(won),
        // 샷시에 2천, 취득세에 3천 들었으니: all of them together.
        (Role::Expense, _) => asked.expenses = Some(asked.expenses.unwrap_or(0).saturating_add(won)),
        (Role::Middle, _) => asked.middle = Some(won),
        (Role::Gift, _) => asked.gift = Some(won),
        (Role::EarlierGift, _) => {
            asked.earlier_gifts = Some(asked.earlier_gifts.unwrap_or(0).saturating_add(won));
        }
        (Role::Spared, _) => {}
        (Role::YearlyRepayment, _) => {
            asked.other_repayments = Some(asked.other_repayments.unwrap_or(0).saturating_add(won));
        }
        (Role::MonthlyRepayment, _) => {
            let year = won.saturating_mul(12);
            asked.other_repayments = Some(asked.other_repayments.unwrap_or(0).saturating_add(year));
        }
        (Role::Gain, _) => asked.gain = Some(won),
        (Role::MonthlyRent, Bound::AtMost) => asked.most_rent = Some(won),
        (Role::MonthlyRent, _) => asked.monthly_rent = Some(won),
        // With an income beside it, what somebody has is not all that they can spend.
        (Role::Budget, _)
            if calculations.contains(&Calculation::LoanLimit)
                || costs(question)
                || own_money(&question.text) =>
        {
            asked.own_money = Some(won);
        }
        (Role::Budget, _) | (_, Bound::AtMost) => asked.most_price = Some(won),
        (_, Bound::AtLeast) => asked.least_price = Some(won),
        (_, Bound::Around) => {
            asked.least_price = Some(won);
            asked.most_price = Some(won.saturating_add(around(won)));
        }
        // 전세 2억이랑 3천에 월 70: a lease without a rent and one with it; what stays is of the second.
        (Role::Deposit, Bound::Exact)
            if asked.deposit.is_some_and(|whole| whole > won) && is_let(amount, question) =>
        {
            asked.keep = Some(won);
        }
        (Role::Deposit, Bound::Exact) => asked.deposit = Some(won),
        (Role::Price | Role::Unsaid, Bound::Exact) => asked.price = Some(won),
    }
}

/// Is a deposit said in one with its rent: 3천에 70?
fn is_let(deposit: &Amount, question: &Question) -> bool {
    let amounts = &question.terms.amounts;
    let at = amounts.iter().rposition(|amount| amount.won == deposit.won && amount.role == Role::Deposit);
    at.and_then(|at| amounts.get(at + 1)).is_some_and(|next| next.role == Role::MonthlyRent)
}

/// Which deposit there is, and which stays, where one becomes rent.
pub(super) fn convert(asked: &mut Parameters, question: &Question, terms: &Terms) {
    // 2억을 1억으로 줄이고: the smaller deposit is what stays.
    let sums = terms.amounts.iter().filter(|amount| !matches!(amount.role, Role::MonthlyRent | Role::Income));
    let mut sums: Vec<u64> = sums.map(|amount| amount.won).collect();
    sums.sort_unstable();
    if let [keep, .., from] = &sums[..] {
        (asked.deposit, asked.keep) = (Some(*from), Some(*keep));
    }
    // "월세로 바꾸면 보증금 1억에 얼마": what stays is said, and not what there is now.
    let stays = ["에 얼마", "에 월세", "에 월 "].iter().any(|word| question.text.contains(word));
    if let ([one], true) = (&sums[..], stays) {
        (asked.deposit, asked.price, asked.keep) = (None, None, Some(*one));
    }
    // 2000으로 올리고: the deposit that a lease is to have, in units of 10,000 won.
    if let Some(keep) = changed_to(&question.text).filter(|_| sums.is_empty()) {
        (asked.keep, asked.paid_rent) = (Some(keep), asked.monthly_rent.or(asked.paid_rent));
        asked.monthly_rent = None;
    }
    if let Some((deposit, rent, keep)) = exchange(&terms.amounts) {
        (asked.deposit, asked.keep) = (Some(deposit), Some(keep));
        (asked.monthly_rent, asked.paid_rent) = (None, Some(rent));
    }
    asked.conversion_rate = share_of(&question.text, &["전환율", "전환이율", "conversion rate"])
        .or(asked.rate)
        .or_else(|| percent(&question.text));
    asked.rate = None;
}

/// 2000으로 올리고: a bare number that something is raised or lowered to.
fn changed_to(text: &str) -> Option<u64> {
    ["으로 올", "으로 늘", "으로 낮", "으로 줄", "로 올", "로 늘", "로 줄"].iter().find_map(|word| {
        let at = text.find(word)?;
        let digits: String = text[..at].chars().rev().take_while(char::is_ascii_digit).collect();
        let number: u64 = digits.chars().rev().collect::<String>().parse().ok()?;
        (100..=99_999).contains(&number).then_some(number * 10_000)
    })
}

/// 보증금 2천에 월 80인데 보증금을 5천으로: a lease as it is, and the deposit that it is to have.
pub(super) fn exchange(amounts: &[Amount]) -> Option<(u64, u64, u64)> {
    let [deposit, rent, keep] = amounts else { return None };
    let leased = deposit.role == Role::Deposit && rent.role == Role::MonthlyRent;
    let changed = matches!(keep.role, Role::Deposit | Role::Unsaid) && keep.won != deposit.won;
    (leased && changed).then_some((deposit.won, rent.won, keep.won))
}

/// 3억에서 3억 5천으로, 10% 올려 달라: what it is now, and what it is to be.
pub(super) fn raise(asked: &mut Parameters, question: &Question) {
    asked.rate = percent(&question.text);
    let of = |rent: bool| {
        let own = question.terms.amounts.iter().filter(move |amount| {
            (amount.role == Role::MonthlyRent) == rent && !matches!(amount.role, Role::Income | Role::Loan)
        });
        let mut sums: Vec<u64> = own.map(|amount| amount.won).collect();
        sums.sort_unstable();
        sums
    };
    for rent in [false, true] {
        let sums = of(rent);
        if let ([low, .., high], current) =
            (&sums[..], if rent { &mut asked.monthly_rent } else { &mut asked.deposit })
        {
            // 2억에서 2천을 올려: a sum far below the other is what is added.
            let (now, then) = if *low < high / 2 { (*high, high + low) } else { (*low, *high) };
            (*current, asked.raised_to) = (Some(now), Some(then));
        }
    }
}

/// 내 돈은 3억 2천 들어갔거든: what was put in, not what may be spent.
fn own_money(text: &str) -> bool {
    ["내 돈", "내돈", "제 돈", "own money", "own cash"].iter().any(|word| text.to_lowercase().contains(word))
}

/// Do two earn together?
fn together(text: &str) -> bool {
    ["합", "부부", "맞벌이", "둘이", "together", "combined", "joint"].iter().any(|word| text.contains(word))
}

/// Is it said what the home costs? Then what somebody has is no limit to a search.
fn costs(question: &Question) -> bool {
    let cost = |amount: &Amount| {
        amount.bound == Bound::Exact && matches!(amount.role, Role::Price | Role::Deposit | Role::Unsaid)
    };
    question.terms.amounts.iter().any(cost)
}

/// What a bare sum most likely is.
fn unsaid(question: &Question, calculations: &[Calculation]) -> Role {
    let has = |calculation| calculations.contains(&calculation);
    let leases = question.terms.deals.iter().any(|deal| *deal != Deal::Sale)
        || question.intent == Intent::ContractCreation;
    // Beside a deposit that is called one, a bare sum is what the home costs.
    if question.terms.amounts.iter().any(|amount| amount.role == Role::Deposit)
        && question.terms.amounts.iter().any(|amount| amount.role == Role::Prior)
    {
        return Role::Price;
    }
    // Beside a loan that is called one, a bare sum is what it is for.
    let lent = question.terms.amounts.iter().any(|amount| amount.role == Role::Loan);
    if has(Calculation::Increase) || has(Calculation::Conversion) || leases && !has(Calculation::Returns) {
        Role::Deposit
    } else if has(Calculation::Repayment) && !has(Calculation::LoanLimit) && !lent {
        Role::Loan
    } else {
        Role::Price
    }
}

/// 5억대 ends at 6억, 5천만원대 at 6천만.
fn around(won: u64) -> u64 {
    10_u64.pow(won.max(1).ilog10())
}
