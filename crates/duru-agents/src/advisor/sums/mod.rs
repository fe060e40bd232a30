//! Plain sums that people reckon with while they decide: a loan's share of a price, what is paid a year of what is earned,
//! what is left to pay, interest for some months. Which were asked is kept in the ledger, so that a correction has the same
//! sums reckoned anew.

mod change;
mod dates;
mod deal;
mod gift;
mod home;
mod lend;
mod pay;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lang::Lang;
use super::tally::{self, Tally};
use super::tools::{Constants, Parameters};
pub(super) use change::rent_after;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sum {
    /// The deposit and whatever ranks before it, of the price.
    Claims,
    /// The deposit of the price.
    JeonseRatio,
    /// What comes back of a deposit when the home is auctioned.
    Auction,
    /// The loan's share of the price, or what a share of the price is.
    Ltv,
    /// What is owed of the price.
    OwedShare,
    /// What is paid a year for all loans, of the income.
    Dsr,
    /// The same with no more than the interest of other loans.
    Dti,
    /// What a share of the income is a year and a month.
    DsrYear,
    /// How much may be lent by that share alone.
    DsrLimit,
    /// How much more may be paid a year.
    DsrRoom,
    /// What of a price or deposit is paid first, and what is left.
    DownPayment,
    /// What is left to pay out of one's own pocket.
    OwnPart,
    /// What is left of a loan when another is paid back.
    LeftOfLoan,
    /// Interest for some months.
    Interest,
    /// 환산보증금.
    ConvertedDeposit,
    /// What a rent brings of the money that is one's own.
    Yield,
    /// A tax that somebody says as a share of the price.
    TaxOfPrice,
    /// How much money of one's own a home binds.
    Invested,
    /// A rent by the year, and of the price.
    YearOfRent,
    /// What was gained by a sale.
    Gain,
    /// The same by the year.
    GainByYear,
    /// What is left of a sale for each of two.
    Halves,
    /// What is left of a deposit after unpaid rent.
    Arrears,
    /// How much unpaid rent lets a landlord terminate.
    Threshold,
    /// Rents of some months.
    RentTotal,
    /// Interest against rent, by the month.
    RentOrLoan,
    /// The rate at which both cost the same.
    BreakEven,
    /// What of a deposit that is to be added costs as rent.
    AsRent,
    /// Between which days a renewal is asked for.
    RenewalWindow,
    /// A fee with value-added tax.
    WithTax,
    /// What is lost of a down payment by whoever withdraws, and what the other side pays.
    Forfeit,
    /// What of a rent is left once the interest is paid.
    NetRent,
    /// Up to which deposit a guarantee is given, by the official price.
    Insurable,
    /// At which rate a deposit was turned into a rent.
    ImpliedRate,
    /// The day on which a notice takes effect.
    NoticeEnds,
    /// What a loan costs a month and in all.
    Payment,
    /// Amounts that are only named: the amounts stand in the ledger, and the sentence is made of them.
    Tally,
    /// The tax on a gift.
    GiftTax,
    /// What of a year's rent comes back as a tax credit.
    RentCredit,
    /// By when taxes are filed.
    FilingGains,
    FilingGift,
    FilingAcquisition,
    /// What is left of a sale.
    SaleLeft,
    /// The rent of a lease whose deposit changes.
    RentAfter,
    /// What a rent is of an income.
    RentShare,
    /// What a sum bears by the year.
    YearOfInterest,
}

impl Sum {
    /// Does it rest on a day that the question says?
    pub(super) fn is_dated(self) -> bool {
        matches!(
            self,
            Self::NoticeEnds
                | Self::RenewalWindow
                | Self::FilingGains
                | Self::FilingGift
                | Self::FilingAcquisition
        )
    }
}

/// What a sum is reckoned from.
pub(super) struct Given<'a> {
    /// What this question says, and all that is known.
    pub(super) said: &'a Parameters,
    pub(super) all: &'a Parameters,
    pub(super) text: &'a str,
    pub(super) tally: Option<&'a Tally>,
    pub(super) constants: &'a Constants,
    pub(super) lang: Lang,
}

/// Sentences with the sums that are asked for; one that lacks a figure says nothing.
pub(super) fn sentences(sums: &[Sum], given: &Given<'_>) -> Vec<String> {
    sums.iter().filter_map(|sum| sentence(*sum, given)).collect()
}

fn sentence(sum: Sum, given: &Given<'_>) -> Option<String> {
    match sum {
        Sum::Claims => home::claims(given),
        Sum::JeonseRatio => home::jeonse_ratio(given),
        Sum::Auction => home::auction(given),
        Sum::Ltv => lend::ltv(given),
        Sum::OwedShare => lend::owed_share(given),
        Sum::Dsr => lend::dsr(given),
        Sum::Dti => lend::dti(given),
        Sum::DsrYear => lend::dsr_year(given),
        Sum::DsrLimit => lend::dsr_limit(given),
        Sum::DsrRoom => lend::dsr_room(given),
        Sum::LeftOfLoan => lend::left_of_loan(given),
        Sum::DownPayment => pay::down_payment(given),
        Sum::OwnPart => pay::own_part(given),
        Sum::Interest => pay::interest(given),
        Sum::ConvertedDeposit => pay::converted(given),
        Sum::Yield => home::rent_yield(given),
        Sum::TaxOfPrice => home::tax_of_price(given),
        Sum::Invested => home::invested(given),
        Sum::YearOfRent => home::year_of_rent(given),
        Sum::Gain => home::gain(given),
        Sum::GainByYear => home::gain_by_year(given),
        Sum::Halves => home::halves(given),
        Sum::Arrears => pay::arrears(given),
        Sum::Threshold => pay::threshold(given),
        Sum::RentTotal => pay::rent_total(given),
        Sum::RentOrLoan => pay::rent_or_loan(given),
        Sum::BreakEven => pay::break_even(given),
        Sum::AsRent => pay::as_rent(given),
        Sum::RenewalWindow => dates::renewal_window(given),
        Sum::Tally => given.tally.map(|tally| tally::sentence(tally, given.lang)),
        Sum::GiftTax => gift::tax_of_gift(given),
        Sum::RentCredit => change::rent_credit(given),
        Sum::FilingGains => dates::filing_gains(given),
        Sum::FilingGift => dates::filing_gift(given),
        Sum::FilingAcquisition => dates::filing_acquisition(given),
        Sum::WithTax => pay::with_tax(given),
        Sum::Forfeit => deal::forfeit(given),
        Sum::NetRent => deal::net_rent(given),
        Sum::Insurable => deal::insurable(given),
        Sum::ImpliedRate => deal::implied_rate(given),
        Sum::NoticeEnds => dates::notice_ends(given),
        Sum::Payment => deal::payment(given),
        Sum::SaleLeft => change::sale_left(given),
        Sum::RentAfter => change::changed_lease(given),
        Sum::RentShare => change::rent_share(given),
        Sum::YearOfInterest => change::year_of_interest(given),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(sum: Sum, all: &Parameters) -> String {
        let given =
            Given { said: all, all, text: "", tally: None, constants: Constants::built_in(), lang: Lang::Ko };
        sentence(sum, &given).unwrap_or_default()
    }

    /// 2.4억, a deposit of 2천, a loan of 1억 at 5 %, 85만 a month for eleven months: (935 − 500) / 12,000 = 3.625 %.
    #[test]
    fn a_yield_of_ones_own_money_by_hand() {
        let all = Parameters {
            price: Some(240_000_000),
            deposit: Some(20_000_000),
            loan: Some(100_000_000),
            rate: Some(0.05),
            monthly_rent: Some(850_000),
            vacancy: Some(1.0 / 12.0),
            ..Parameters::default()
        };
        assert!(said(Sum::Yield, &all).contains("연 3.62%"), "{}", said(Sum::Yield, &all));
    }

    /// 2,400만 and 1,200만 of 8,000만: DSR 45 %; with 400만 of interest alone DTI 35 %; 40 % of 1.2억 leaves 1,200만 more.
    #[test]
    fn what_other_loans_take_counts_by_hand() {
        let all = Parameters {
            income: Some(80_000_000),
            loan_payments: Some(24_000_000),
            other_interest: Some(4_000_000),
            other_repayments: Some(12_000_000),
            ..Parameters::default()
        };
        assert!(said(Sum::Dsr, &all).contains("45%"));
        assert!(said(Sum::Dti, &all).contains("35%"));
        let both = Parameters { income: Some(120_000_000), ..all };
        assert!(said(Sum::DsrRoom, &both).contains("1,200만원"));
    }

    /// 2.6억, 1.8억 before: of 1.3억 come back 8천만, and 5천만 are lost.
    #[test]
    fn what_an_auction_leaves_by_hand() {
        let all = Parameters {
            price: Some(260_000_000),
            deposit: Some(130_000_000),
            prior_claims: Some(180_000_000),
            ..Parameters::default()
        };
        let line = said(Sum::Auction, &all);
        assert!(line.contains("8,000만원을 받고 5,000만원을 못"), "{line}");
    }

    /// 1,200만 are lost by who paid them, 2,400만 are paid by who took them; 90만 less 25만 of interest are 65만; 126 % of
    /// 1.5억 are 1.89억; 60만 a month for 1.2억 are 6 %.
    #[test]
    fn what_is_lost_left_insured_and_implied_by_hand() {
        let all = Parameters {
            paid_down: Some(12_000_000),
            monthly_rent: Some(900_000),
            loan: Some(60_000_000),
            rate: Some(0.05),
            official_price: Some(150_000_000),
            ..Parameters::default()
        };
        assert!(said(Sum::Forfeit, &all).contains("배액인 2,400만원"));
        assert!(said(Sum::NetRent, &all).contains("매달 65만원이 남습니다"));
        assert!(said(Sum::Insurable, &all).contains("1억 8,900만원까지"));
        let leased = Parameters {
            deposit: Some(150_000_000),
            keep: Some(30_000_000),
            monthly_rent: Some(600_000),
            ..Parameters::default()
        };
        assert!(said(Sum::ImpliedRate, &leased).contains("연 6%"));
    }

    #[test]
    fn a_notice_takes_effect_after_three_months() {
        let all = Parameters::default();
        let given = |text, lang| Given {
            said: &all,
            all: &all,
            text,
            tally: None,
            constants: Constants::built_in(),
            lang,
        };
        let ends = |text, lang| sentence(Sum::NoticeEnds, &given(text, lang)).unwrap_or_default();
        assert!(ends("3월 5일에 문자를 읽었대요", Lang::Ko).contains("6월 5일"));
        assert!(ends("he read it on april 7 i think", Lang::En).contains("7 July"));
        assert_eq!(ends("언제예요?", Lang::Ko), "");
    }
}
