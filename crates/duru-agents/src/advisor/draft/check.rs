//! What a form still lacks, and what in it can't be right.

use jiff::ToSpan as _;

use super::form::LeaseForm;

/// A field that a lease can't do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    Landlord,
    Tenant,
    Address,
    Deposit,
    MonthlyRent,
    BalanceOn,
    Start,
    End,
}

impl Field {
    /// Its name in the form.
    pub fn path(self) -> &'static str {
        match self {
            Self::Landlord => "landlord.name",
            Self::Tenant => "tenant.name",
            Self::Address => "address",
            Self::Deposit => "deposit",
            Self::MonthlyRent => "monthly_rent",
            Self::BalanceOn => "balance_on",
            Self::Start => "start",
            Self::End => "end",
        }
    }

    /// In Korean and English.
    pub fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Landlord => ("임대인 이름", "the landlord's name"),
            Self::Tenant => ("임차인 이름", "the tenant's name"),
            Self::Address => ("주택의 주소 (동·호수까지)", "the home's full address"),
            Self::Deposit => ("보증금", "the deposit"),
            Self::MonthlyRent => ("월 차임", "the monthly rent"),
            Self::BalanceOn => ("잔금 지급일", "the day of the last payment"),
            Self::Start => ("임대차 시작일", "the first day"),
            Self::End => ("임대차 종료일", "the last day"),
        }
    }
}

/// Something that can't be right, or should be thought over.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "flaw", rename_all = "snake_case")]
pub enum Flaw {
    EndsBeforeItStarts,
    /// The payments are not the deposit.
    PaymentsDiffer {
        paid: u64,
        deposit: u64,
    },
    /// A jeonse has no rent.
    RentInJeonse,
    NoSuchRentDay {
        day: u8,
    },
    NoSuchArea,
    SameParty,
    /// A text is too long to be what it should be.
    TooLong {
        field: String,
    },
    /// The tenant may insist on two years all the same.
    ShorterThanTwoYears,
    /// The balance is due after the home is handed over.
    BalanceAfterStart,
}

impl Flaw {
    /// With it there is no document.
    pub fn is_grave(&self) -> bool {
        !matches!(self, Self::ShorterThanTwoYears | Self::BalanceAfterStart)
    }

    /// In Korean and English.
    pub fn text(&self) -> (String, String) {
        let of = |ko: &str, en: &str| (ko.to_owned(), en.to_owned());
        match self {
            Self::EndsBeforeItStarts => of("종료일이 시작일보다 앞섭니다.", "It ends before it starts."),
            Self::PaymentsDiffer { paid, deposit } => (
                format!("계약금·중도금·잔금의 합 {paid}원이 보증금 {deposit}원과 다릅니다."),
                format!("The payments add up to {paid} won, not to the deposit of {deposit} won."),
            ),
            Self::RentInJeonse => of("전세에는 월 차임이 없습니다.", "A jeonse lease has no monthly rent."),
            Self::NoSuchRentDay { day } => {
                (format!("매월 {day}일은 없는 날입니다."), format!("There is no day {day} in a month."))
            }
            Self::NoSuchArea => of("면적을 확인하세요.", "Check the area."),
            Self::SameParty => of("임대인과 임차인이 같습니다.", "Landlord and tenant are the same."),
            Self::TooLong { field } => (format!("{field}: 너무 깁니다."), format!("{field} is too long.")),
            Self::ShorterThanTwoYears => of(
                "2년보다 짧게 정해도 임차인은 2년을 주장할 수 있습니다 (주택임대차보호법 제4조).",
                "Even with a shorter term the tenant may insist on two years (Housing Lease Protection Act, article 4).",
            ),
            Self::BalanceAfterStart => of(
                "잔금일이 시작일보다 늦습니다: 잔금과 집의 인도는 같은 날이 안전합니다.",
                "The last payment comes after the first day: it is safer to pay on the day of handing over.",
            ),
        }
    }
}

/// The most characters of a line, and of a special term.
const LINE: usize = 200;
const TERM: usize = 1_000;
const TERMS: usize = 50;

impl LeaseForm {
    /// What must still be filled in, in the order of the form.
    pub fn missing(&self) -> Vec<Field> {
        let said = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
        let needed = [
            (Field::Landlord, said(&self.landlord.name)),
            (Field::Tenant, said(&self.tenant.name)),
            (Field::Address, said(&self.address)),
            (Field::Deposit, self.deposit.is_some()),
            (Field::MonthlyRent, !self.is_monthly() || self.monthly_rent.is_some_and(|rent| rent > 0)),
            (Field::BalanceOn, self.balance_on.is_some()),
            (Field::Start, self.start.is_some()),
            (Field::End, self.end.is_some()),
        ];
        needed.into_iter().filter(|(_, there)| !there).map(|(field, _)| field).collect()
    }

    /// What can't be right or should be thought over.
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        if let (Some(start), Some(end)) = (self.start, self.end) {
            if end <= start {
                flaws.push(Flaw::EndsBeforeItStarts);
            } else if start.checked_add(2.years()).is_ok_and(|two| end.tomorrow().is_ok_and(|end| end < two))
            {
                flaws.push(Flaw::ShorterThanTwoYears);
            }
        }
        if let (Some(start), Some(balance)) = (self.start, self.balance_on)
            && balance > start
        {
            flaws.push(Flaw::BalanceAfterStart);
        }
        if let (Some(deposit), Some(down), Some(balance)) = (self.deposit, self.down_payment, self.balance) {
            let paid = down.saturating_add(self.interim.unwrap_or_default()).saturating_add(balance);
            if paid != deposit {
                flaws.push(Flaw::PaymentsDiffer { paid, deposit });
            }
        } else if let (Some(deposit), Some(down)) = (self.deposit, self.down_payment)
            && down.saturating_add(self.interim.unwrap_or_default()) > deposit
        {
            flaws.push(Flaw::PaymentsDiffer { paid: down, deposit });
        }
        if !self.is_monthly() && self.monthly_rent.is_some_and(|rent| rent > 0) {
            flaws.push(Flaw::RentInJeonse);
        }
        if let Some(day) = self.rent_day.filter(|day| !(1..=31).contains(day)) {
            flaws.push(Flaw::NoSuchRentDay { day });
        }
        if self.area.is_some_and(|area| !area.is_finite() || !(1.0..=100_000.0).contains(&area)) {
            flaws.push(Flaw::NoSuchArea);
        }
        if self.landlord.name.is_some()
            && self.landlord.name == self.tenant.name
            && self.landlord.phone == self.tenant.phone
            && self.landlord.address == self.tenant.address
        {
            flaws.push(Flaw::SameParty);
        }
        flaws.extend(self.too_long());
        flaws
    }

    fn too_long(&self) -> Vec<Flaw> {
        let lines = [
            ("임대인 이름", &self.landlord.name),
            ("임대인 주소", &self.landlord.address),
            ("임대인 전화", &self.landlord.phone),
            ("임차인 이름", &self.tenant.name),
            ("임차인 주소", &self.tenant.address),
            ("임차인 전화", &self.tenant.phone),
            ("주소", &self.address),
            ("임대할 부분", &self.part),
        ];
        let long = |text: &str, most| text.chars().count() > most;
        let mut flaws: Vec<Flaw> = lines
            .into_iter()
            .filter(|(_, text)| text.as_deref().is_some_and(|text| long(text, LINE)))
            .map(|(field, _)| Flaw::TooLong { field: field.to_owned() })
            .collect();
        if self.special_terms.len() > TERMS || self.special_terms.iter().any(|term| long(term, TERM)) {
            flaws.push(Flaw::TooLong { field: "특약사항".to_owned() });
        }
        flaws
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::advisor::draft::LeaseKind;

    #[test]
    fn what_is_missing_depends_on_the_kind_of_lease() {
        let form = LeaseForm { kind: Some(LeaseKind::MonthlyRent), ..LeaseForm::default() };
        assert_eq!(form.missing().len(), 8);
        let form = LeaseForm { kind: Some(LeaseKind::Jeonse), deposit: Some(1), ..LeaseForm::default() };
        assert!(!form.missing().contains(&Field::MonthlyRent) && !form.missing().contains(&Field::Deposit));
    }

    #[test]
    fn what_can_not_be_right_is_said() {
        let form = LeaseForm {
            kind: Some(LeaseKind::Jeonse),
            deposit: Some(300),
            down_payment: Some(30),
            balance: Some(200),
            monthly_rent: Some(5),
            rent_day: Some(32),
            start: Some(date(2026, 7, 1)),
            end: Some(date(2026, 6, 30)),
            special_terms: vec!["가".repeat(2_000)],
            ..LeaseForm::default()
        };
        let flaws = form.flaws();
        for flaw in [
            Flaw::EndsBeforeItStarts,
            Flaw::PaymentsDiffer { paid: 230, deposit: 300 },
            Flaw::RentInJeonse,
            Flaw::NoSuchRentDay { day: 32 },
            Flaw::TooLong { field: "특약사항".to_owned() },
        ] {
            assert!(flaws.contains(&flaw) && flaw.is_grave(), "{flaw:?}: {flaws:?}");
        }
    }

    #[test]
    fn two_years_to_the_day_before_are_two_years() {
        let form = |end| LeaseForm { start: Some(date(2026, 7, 1)), end: Some(end), ..LeaseForm::default() };
        assert_eq!(form(date(2028, 6, 30)).flaws(), []);
        assert_eq!(form(date(2028, 6, 29)).flaws(), [Flaw::ShorterThanTwoYears]);
    }
}
