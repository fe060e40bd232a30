//! What a question wants worked out.

use super::manner::defines;
use super::placed::exchange;
use super::said::{drops_tax, percent};
use crate::advisor::formulas;
use crate::advisor::tools::Calculation;
use crate::advisor::understand::{Amount, DataKind, Deal, Intent, LoanKind, Question, Role, Subject};

/// The calculations that a question asks for. Loans and rents are looked up and worked out.
pub(in crate::advisor) fn calculations(question: &Question) -> Vec<Calculation> {
    if defines(question) {
        return Vec::new();
    }
    let asked = Asked { question, text: question.text.to_lowercase() };
    let mut found = asked.by_name();
    asked.leave_out_what_is_ruled_out(&mut found);
    asked.add_by_subject(&mut found);
    asked.add_conversion(&mut found);
    asked.add_increase(&mut found);
    // "상한", "전환율" speak of law unless there is something to work with.
    if question.terms.amounts.is_empty() {
        found.retain(|calculation| *calculation != Calculation::Conversion);
    }
    asked.settle_loans(&mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// A question, and its text in small letters.
struct Asked<'a> {
    question: &'a Question,
    text: String,
}

impl Asked<'_> {
    fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.contains(word))
    }

    fn amounts(&self) -> &[Amount] {
        &self.question.terms.amounts
    }

    /// Is something let rather than sold?
    fn leases(&self) -> bool {
        self.question.terms.deals.iter().any(|deal| *deal != Deal::Sale)
    }

    /// What the registry has under the names that are said.
    fn by_name(&self) -> Vec<Calculation> {
        let mut found = formulas::named(&self.text);
        // Of what is bought, the tax is that of buying, unless another is named.
        let other_tax = self.says(&[
            "capital gains",
            "gains tax",
            "on the gain",
            "property tax",
            "holding tax",
            "comprehensive",
            "gift tax",
            "inheritance",
        ]);
        if other_tax && !self.says(&["acquisition tax", "취득세"]) {
            found.retain(|one| *one != Calculation::AcquisitionTax);
        }
        // What comes back of a home, not a deposit that does.
        let earned = self.says(&["return"])
            && self.says(&["buy", "bought", "purchas", "invest"])
            && !self.says(&["deposit"]);
        found.extend(earned.then_some(Calculation::Returns));
        found
    }

    /// 환산보증금 turns nothing into anything; a tax that is left out is not worked out, nor a loan that there is none of.
    fn leave_out_what_is_ruled_out(&self, found: &mut Vec<Calculation>) {
        if self.says(&["converted deposit"]) && !self.says(&["convert at", "convert the"]) {
            found.retain(|one| *one != Calculation::Conversion);
        }
        // 취득세와 복비로 3천 들었는데: what was paid is not asked for.
        let spent = self.amounts().iter().any(|amount| amount.role == Role::Expense);
        let capped = self.says(&["상한", "최대", "얼마까지", "max", "cap", "at most"]);
        if spent && !capped {
            found.retain(|one| !matches!(one, Calculation::AcquisitionTax | Calculation::Brokerage));
        }
        if drops_tax(&self.text) {
            found.retain(|one| *one != Calculation::AcquisitionTax);
        }
        let unlent =
            self.says(&["no loan", "without a loan", "대출 없이", "대출없이", "대출x", "대출 x", "무대출"]);
        // 원리금 일년에 480: what is paid already asks for nothing.
        let repaid = |amount: &Amount| {
            matches!(
                amount.role,
                Role::YearlyRepayment | Role::YearlyInterest | Role::LoanPayments | Role::MonthlyRepayment
            )
        };
        let lent = |amount: &Amount| matches!(amount.role, Role::Loan | Role::Debt);
        let settled = self.amounts().iter().any(repaid)
            && !self.amounts().iter().any(lent)
            && !self.says(&["월 납입", "월납입", "한 달에 얼마", "한달에 얼마"]);
        if unlent || settled {
            found.retain(|one| *one != Calculation::Repayment);
        }
    }

    /// What the subject of the law asks for, where there are figures to work with.
    fn add_by_subject(&self, found: &mut Vec<Calculation>) {
        let subject = |subject| self.question.terms.subjects.contains(&subject);
        if self.amounts().is_empty() {
            return;
        }
        // The cap of a fee or a tax is none of a rent.
        let capped =
            found.iter().any(|one| matches!(one, Calculation::Brokerage | Calculation::AcquisitionTax));
        let raises = self.says(&["올리", "올려", "올린", "인상", "증액", "raise", "increase", "bump"]);
        if subject(Subject::RentIncrease) && (raises || !capped) {
            found.push(Calculation::Increase);
        }
        if subject(Subject::Conversion) && !found.contains(&Calculation::Conversion) {
            found.push(Calculation::Conversion);
        }
    }

    /// A deposit that becomes rent, or a lease whose deposit changes, though nobody says that it is converted.
    fn add_conversion(&self, found: &mut Vec<Calculation>) {
        // 3억 전세를 2억에 월세 50으로 바꾸자고: two deposits and a rent between them.
        let rents = self.amounts().iter().filter(|amount| amount.role == Role::MonthlyRent).count();
        let changes = self.says(&["바꾸", "바꿔", "돌리", "돌려", "change", "switch"]);
        let offered = changes && rents == 1 && self.amounts().len() == 3;
        if offered && !found.contains(&Calculation::Conversion) {
            found.push(Calculation::Conversion);
        }
        // 보증금 2천에 월 80인데 보증금을 5천으로 올리면: what the rent is then.
        let moves = changes
            || self.says(&["올리", "올려", "늘리", "늘려", "높이", "높여", "낮추", "낮춰", "줄이", "줄여"]);
        if moves && exchange(self.amounts()).is_some() && !found.contains(&Calculation::Conversion) {
            found.retain(|calculation| *calculation != Calculation::Increase);
            found.push(Calculation::Conversion);
        }
    }

    /// 월세 60만원인데 5% 올리면: a share of what is paid now.
    fn add_increase(&self, found: &mut Vec<Calculation>) {
        let paid = |amount: &Amount| {
            matches!(amount.role, Role::MonthlyRent | Role::Deposit)
                || self.leases() && amount.role == Role::Unsaid
        };
        let rises = self.says(&[
            "올리",
            "올려",
            "올린",
            "오르면",
            "올랐",
            "인상",
            "raise",
            "increase",
            "bump",
            "he may ask",
            "she may ask",
            "can he ask",
            "may they ask",
        ]);
        let at_most = self.says(&["얼마까지", "최대", "법으로", "법대로", "the most", "how far", "how much"]);
        if rises
            && (percent(&self.text).is_some() || at_most)
            && !found.contains(&Calculation::Increase)
            && self.amounts().iter().any(paid)
            && !found.iter().any(|one| matches!(one, Calculation::Returns | Calculation::Conversion))
            && !self.says(&["금리", "interest"])
        {
            found.push(Calculation::Increase);
        }
    }

    /// 한도 may be of something else than a loan; and who says what they earn and what a home costs asks what they can
    /// borrow for it, whether or not they say so.
    fn settle_loans(&self, found: &mut Vec<Calculation>) {
        let question = self.question;
        let lends = question.required.contains(&DataKind::Loan) || question.named.contains(&DataKind::Loan);
        let with = |role: Role| self.amounts().iter().any(|amount| amount.role == role);
        let has = !self.leases() && with(Role::Budget);
        let earns = with(Role::Income);
        let affords = earns && (has || figures_of_a_home(question) || !question.regions().is_empty());
        if !lends && !affords {
            found.retain(|calculation| !calculation.lends());
        } else if earns && !found.contains(&Calculation::LoanLimit) {
            found.push(Calculation::LoanLimit);
        }
    }
}

/// What a question wants that asks for such a calculation and says nothing else.
pub(in crate::advisor) fn intent_of(calculation: Calculation) -> Intent {
    match calculation {
        Calculation::LoanLimit | Calculation::Repayment => Intent::LoanConsult,
        Calculation::Returns => Intent::MarketInquiry,
        _ => Intent::LegalConsult,
    }
}

/// Is a home's price said, or that one is to be bought?
fn figures_of_a_home(question: &Question) -> bool {
    let leases = question.terms.deals.iter().any(|deal| *deal != Deal::Sale);
    let priced = |amount: &Amount| matches!(amount.role, Role::Price | Role::Unsaid);
    !leases && question.terms.amounts.iter().any(priced)
}

/// Is something worked out from a price that the question does not say?
pub(in crate::advisor) fn needs_prices(question: &Question, calculations: &[Calculation]) -> bool {
    let from_price = |one: &Calculation| {
        matches!(
            one,
            Calculation::LoanLimit
                | Calculation::Returns
                | Calculation::AcquisitionTax
                | Calculation::PropertyTax
                | Calculation::ComprehensiveTax
                | Calculation::Registration
        )
    };
    let said = question
        .terms
        .amounts
        .iter()
        .any(|amount| matches!(amount.role, Role::Price | Role::Official | Role::Unsaid));
    let leases = question.terms.loans.contains(&LoanKind::Jeonse);
    // How dear a home somebody can afford depends on what they have and earn, not on what homes cost.
    let amounts = &question.terms.amounts;
    let with = |role: Role| amounts.iter().any(|amount| amount.role == role);
    let reaches = with(Role::Budget) && with(Role::Income) && question.regions().is_empty();
    calculations.iter().any(from_price) && !said && !leases && !reaches
}
