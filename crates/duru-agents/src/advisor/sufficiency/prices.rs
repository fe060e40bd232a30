//! Prices are those of a place, a deal, a kind of home and a time.

use super::dimension::{Fit, Need};
use super::held::{Search, Tier};
use crate::advisor::understand::region::{Region, Relation};
use crate::advisor::understand::{Amount, Area, DataKind, Deal, Measure, Period, Property, Role, bare_areas};

/// Sums up to this share apart are near each other.
const NEAR: f64 = 0.2;
/// Sums up to this share apart are the same.
const SAME: f64 = 0.005;

impl Need<'_> {
    /// What another conversation found is for this one only if it is asked for.
    fn is_elsewhere(&self, held: &Search) -> bool {
        held.tier != Tier::Conversation && !self.question.reference.is_any()
    }

    pub(super) fn by_place(&self, held: &Search) -> Fit {
        let elsewhere = self.is_elsewhere(held);
        let Some(asked) = self.place else {
            return if elsewhere { Fit::Different } else { Fit::Equal };
        };
        if held.regions.is_empty() {
            return if elsewhere { Fit::Different } else { Fit::Unknown };
        }
        let relation = |wanted| held.regions.iter().any(|region| asked.relation(region) == wanted);
        let fit = if relation(Relation::Same) {
            Fit::Equal
        } else if elsewhere {
            Fit::Different
        } else if relation(Relation::Wider) {
            // Of a district that was searched for, its neighbourhoods are a part, however they are asked about.
            Fit::Contains
        } else if relation(Relation::Narrower) && !self.question.widens && !self.is_set_against_a_part(asked)
        {
            Fit::Contained
        } else {
            Fit::Different
        };
        if fit == Fit::Equal { self.by_complex(held) } else { fit }
    }

    /// 서울 평균이랑 대보면 노원이: the whole is meant where it stands beside a part of it.
    fn is_set_against_a_part(&self, whole: &Region) -> bool {
        self.question.regions().iter().any(|place| whole.relation(place) == Relation::Narrower)
    }

    /// Within a place: a housing complex or a station.
    fn by_complex(&self, held: &Search) -> Fit {
        let (asked, known) = (&self.question.terms.complexes, &held.stated.complexes);
        let said = |name: &String| known.contains(name) || held.query.to_lowercase().contains(name.as_str());
        match (asked.is_empty(), known.is_empty()) {
            (false, _) if asked.iter().all(said) => Fit::Equal,
            (false, true) => Fit::Contains,
            (false, false) => Fit::Different,
            (true, false) if self.is_anew() => Fit::Contained,
            (true, _) => Fit::Equal,
        }
    }

    pub(super) fn by_deal(&self, held: &Search) -> Fit {
        let (asked, known) = (&self.question.needed_deals, &held.terms.deals);
        let more = |deal: &Deal| !asked.contains(deal);
        if self.is_elsewhere(held) && held.stated.deals.iter().any(more) {
            return Fit::Different;
        }
        match (asked.is_empty(), known.is_empty()) {
            (false, true) => Fit::Unknown,
            (false, false) if asked.iter().any(|deal| !known.contains(deal)) => Fit::Different,
            // Prices without a word are those of sales.
            (true, false) if self.names_place() && self.is_anew() && !known.contains(&Deal::Sale) => {
                Fit::Unknown
            }
            _ => Fit::Equal,
        }
    }

    pub(super) fn by_property(&self, held: &Search) -> Fit {
        let (asked, known) = (&self.question.terms.properties, &held.terms.properties);
        let stated = &held.stated.properties;
        let more = |property: &Property| !asked.contains(property);
        if self.is_elsewhere(held) && stated.iter().any(more) {
            return Fit::Different;
        }
        match (asked.is_empty(), known.is_empty()) {
            (false, true) => Fit::Unknown,
            (false, false) if asked.iter().all(|property| known.contains(property)) => Fit::Equal,
            // What the question never asked for was a default: its items may hold others too.
            (false, false) if stated.is_empty() => Fit::Unknown,
            (false, false) => Fit::Different,
            (true, false)
                if self.names_place() && self.is_anew() && !known.contains(&Property::Apartment) =>
            {
                Fit::Unknown
            }
            (true, _) => Fit::Equal,
        }
    }

    fn names_place(&self) -> bool {
        let named: Vec<Region> = self.question.regions();
        !named.is_empty() && self.question.named.contains(&DataKind::Market)
    }

    pub(super) fn by_area(&self, held: &Search) -> Fit {
        let (asked, known) = (&self.question.terms.areas, &held.terms.areas);
        if self.is_elsewhere(held) && asked.is_empty() && !held.stated.areas.is_empty() {
            return Fit::Different;
        }
        // Where a size was searched for, a bare number is one.
        if asked.is_empty() && !known.is_empty() {
            let said = bare_areas(&self.question.text);
            let same = |area: &Area| {
                known.iter().any(|known| (known.square_metres - area.square_metres).abs() < 0.5)
            };
            return match said.iter().find(|area| !same(area)) {
                None => Fit::Equal,
                Some(area) if known.iter().any(|known| area.is_like(known)) => Fit::Near,
                Some(_) => Fit::Different,
            };
        }
        let mut fit = Fit::Equal;
        for area in asked {
            if known.iter().any(|known| area.is_like(known)) {
                continue;
            }
            if !known.is_empty() {
                return Fit::Different;
            }
            if !self.picks() {
                fit = Fit::Contains;
            }
        }
        fit
    }

    pub(super) fn by_feature(&self, held: &Search) -> Fit {
        let other = |feature| !held.terms.features.contains(feature);
        if !self.picks() && self.question.terms.features.iter().any(other) {
            Fit::Contains
        } else {
            Fit::Equal
        }
    }

    /// The sums of a search: what it was limited to, and what was paid.
    pub(super) fn by_amount(&self, held: &Search) -> Fit {
        let question = self.question;
        let lends = question.required == [DataKind::Loan] || held.found(DataKind::Market).is_none();
        if lends {
            let roles = [Role::Loan, Role::Debt, Role::Unsaid, Role::Price, Role::Income, Role::Deposit];
            return self.sums(held, &roles);
        }
        let limited = |amount: &Amount| amount.is_limit();
        if self.is_elsewhere(held)
            && question.terms.amounts.is_empty()
            // A budget that was only remembered limited the search all the same.
            && held.stated.amounts.iter().chain(&held.terms.amounts).any(limited)
        {
            return Fit::Different;
        }
        let roles = [Role::Price, Role::Unsaid, Role::Deposit, Role::MonthlyRent, Role::Budget];
        let points = question.reference.is_explicit() && !question.takes_back;
        let fit = if points && question.calculates { Fit::Equal } else { self.sums(held, &roles) };
        let limit =
            question.terms.amounts.iter().any(|amount| amount.is_limit() && roles.contains(&amount.role));
        if fit == Fit::Equal && limit && held.terms.amounts.is_empty() && !self.picks() {
            return Fit::Contains;
        }
        fit
    }

    /// How the asked sums lie to those that were searched with; the worst of them.
    fn sums(&self, held: &Search, roles: &[Role]) -> Fit {
        // An income is never a price, whatever is unsaid.
        let fixed = |role| matches!(role, Role::Income | Role::MonthlyRent);
        let compared = |a: Role, b: Role| a == b || !(fixed(a) && fixed(b));
        let mut fit = Fit::Equal;
        for asked in self.question.terms.amounts.iter().filter(|amount| roles.contains(&amount.role)) {
            let known = held.terms.amounts.iter().filter(|known| compared(asked.role, known.role));
            let apart = known.map(|known| apart(asked.won, known.won)).min_by(f64::total_cmp);
            match apart {
                Some(apart) if apart > NEAR => return Fit::Different,
                Some(apart) if apart > SAME => fit = Fit::Near,
                _ => {}
            }
        }
        fit
    }

    /// Other numbers that a search was limited to: 준공 10년 이내, 500세대 이상.
    pub(super) fn by_measure(&self, held: &Search) -> Fit {
        let mut fit = Fit::Equal;
        for asked in &self.question.terms.measures {
            let known: Vec<&Measure> =
                held.terms.measures.iter().filter(|known| known.unit == asked.unit).collect();
            if known.is_empty() || known.iter().any(|known| known.value == asked.value) {
                continue;
            }
            let apart = known.iter().map(|known| apart(asked.value, known.value)).min_by(f64::total_cmp);
            if apart.is_some_and(|apart| apart > NEAR) {
                return Fit::Different;
            }
            fit = Fit::Near;
        }
        fit
    }

    pub(super) fn by_period(&self, held: &Search) -> Fit {
        let (asked, known) = (&self.question.terms.periods, &held.stated.periods);
        match (asked.is_empty(), known.is_empty()) {
            (true, true) => Fit::Equal,
            (false, _) if asked.iter().all(|period| known.contains(period) || self.is_of(period)) => {
                Fit::Equal
            }
            // What holds now says nothing of a time that is over.
            (false, _) if asked.iter().any(Period::is_past) => Fit::Different,
            (false, true) => Fit::Unknown,
            (false, false) => Fit::Different,
            // What was of another time is asked for as it is now.
            (true, false) if self.is_anew() => Fit::Unknown,
            (true, false) => Fit::Equal,
        }
    }
}

impl Need<'_> {
    /// 어제 값: what was found in that time is of that time.
    fn is_of(&self, period: &Period) -> bool {
        self.days.is_some_and(|days| {
            period.until_days_ago.is_some_and(|until| days + 1 >= until)
                && period.from_days_ago.is_some_and(|from| days <= from)
        })
    }
}

/// How far two sums are apart, as a share of the searched one.
fn apart(asked: u64, held: u64) -> f64 {
    asked.abs_diff(held) as f64 / (held.max(1)) as f64
}
