//! Loans are somebody's, law is about a subject, and a contract is one paper in one version.

use super::dimension::{Fit, Need};
use super::held::{Search, Tier};
use crate::advisor::understand::region::{Region, Relation};
use crate::advisor::understand::{
    DataKind, Deal, Intent, LoanKind, Person, Property, Subject, Terms, Version,
};

impl Need<'_> {
    /// Kinds of loans, and the groups that they are for.
    pub(super) fn by_loan(&self, held: &Search) -> Fit {
        let (asked, known) = (&self.question.terms, &held.terms);
        if asked.groups.iter().any(|group| !known.groups.contains(group)) {
            return Fit::Different;
        }
        // Another conversation may have been about somebody else.
        let narrower = known.groups.iter().any(|group| !asked.groups.contains(group))
            || known.loans.iter().any(|kind| !asked.loans.contains(kind))
            || !known.amounts.is_empty() && asked.amounts.is_empty();
        if held.tier != Tier::Conversation && !self.question.reference.is_any() && narrower {
            return Fit::Different;
        }
        // 전세용으로는: what a loan is for may be said by the deal.
        let lease = |terms: &Terms| terms.loans.is_empty() && terms.deals == [Deal::Jeonse];
        if lease(asked) && !known.loans.is_empty() && !known.loans.contains(&LoanKind::Jeonse) {
            return Fit::Different;
        }
        match (asked.loans.is_empty(), known.loans.is_empty()) {
            (false, false) if asked.loans.iter().all(|kind| !known.loans.contains(kind)) => Fit::Different,
            (false, true) if self.is_anew() => Fit::Unknown,
            _ => Fit::Equal,
        }
    }

    /// Whose loan it is.
    pub(super) fn by_borrower(&self, held: &Search) -> Fit {
        let (asked, known) = (&self.question.terms.people, &held.stated.people);
        let own = |people: &[Person]| people.is_empty() || people == [Person::Myself];
        // 남편과 아내의 한도 중에 "그쪽": whose?
        if asked.is_empty() && known.len() > 1 && !known.contains(&Person::Couple) {
            return Fit::Unknown;
        }
        if own(asked) {
            return match (own(known), asked.is_empty()) {
                (true, _) => Fit::Equal,
                (false, false) => Fit::Different,
                (false, true) if self.is_anew() => Fit::Unknown,
                (false, true) => Fit::Equal,
            };
        }
        if asked.iter().all(|person| known.contains(person)) { Fit::Equal } else { Fit::Different }
    }

    /// It neither points back nor asks for the same once more: what it goes on from it has to name, unless nothing in it
    /// is new.
    fn is_own(&self, held: &Search) -> bool {
        let question = self.question;
        let reference = question.reference;
        let new = question.named.contains(&DataKind::Legal) || self.unread(held).next().is_some();
        !reference.is_any() && !reference.again && (new || !reference.onward)
    }

    /// A subject that the law which was found is not about. Some subjects are families of things with a name each, and
    /// a tax is not another one.
    fn is_other_subject(&self, subject: Subject, held: &Search) -> bool {
        let said = held.query.to_lowercase();
        let words = || self.question.subject_words.iter().filter(|(of, _)| *of == subject);
        let named = || words().any(|(_, word)| said.contains(word.as_str()));
        !held.stated.subjects.contains(&subject) || subject == Subject::Tax && !named()
    }

    /// Another subject needs other law.
    pub(super) fn by_subject(&self, held: &Search) -> Fit {
        let question = self.question;
        let (asked, known) = (&question.terms.subjects, &held.stated.subjects);
        let elsewhere = held.tier != Tier::Conversation;
        // "계약이 그대로 유효한가요" keeps a contract, not what another conversation found.
        let reference = question.reference;
        let points = match held.tier {
            Tier::Conversation => reference.is_explicit(),
            _ => {
                reference.just_now
                    || reference.before
                    || reference.dated
                    || reference.to_result && !reference.keep
            }
        };
        let shop = |terms: &Terms| {
            terms.subjects.contains(&Subject::Shop) || terms.properties.contains(&Property::Shop)
        };
        if shop(&question.terms) != shop(&held.stated) && (shop(&question.terms) || elsewhere) && !points {
            return Fit::Different;
        }
        let other = |subject: &Subject| self.is_other_subject(*subject, held);
        let shared = match self.is_anew() {
            // What it asks for by itself must be held as a whole; what only goes on from it may add a word.
            true => !asked.is_empty() && !asked.iter().any(other),
            false => !asked.iter().all(other),
        };
        // A review's law is that of the paper, whichever of its clauses is asked about.
        let of_paper = question.intent == Intent::ContractReview && held.found(DataKind::Contract).is_some();
        let shares = held.query.split_whitespace().any(|word| question.text.contains(word));
        let goes_on = reference.is_any() || reference.again || reference.is_about_held();
        match (asked.is_empty(), known.is_empty()) {
            _ if shared => Fit::Equal,
            (false, false) if of_paper => Fit::Equal,
            (false, false) => Fit::Different,
            (_, _) if points || of_paper => Fit::Equal,
            (true, _) if elsewhere => Fit::Different,
            (false, true) => Fit::Different,
            // A question of its own about something that no subject is known of: other words are another subject.
            (true, _) if question.intent == Intent::LegalConsult && self.is_own(held) => {
                let unread = self.unread(held).next().is_some();
                if unread || !shares { Fit::Different } else { Fit::Unknown }
            }
            // 그럼 중개사가 말 안 한 건요: it goes on, and may go on to something else.
            (true, _) if question.intent == Intent::LegalConsult && !goes_on && !shares => Fit::Unknown,
            (true, _) => Fit::Equal,
        }
    }

    /// Which contract, and in which version.
    pub(super) fn by_document(&self, held: &Search) -> Fit {
        let question = self.question;
        if question.version != Version::Unsaid || self.talk.paper_changed {
            return Fit::Different;
        }
        let (asked, known) = (&question.terms, &held.stated);
        fn one<T: PartialEq>(asked: &[T], known: &[T]) -> Fit {
            match (asked.is_empty(), known.is_empty()) {
                (true, _) => Fit::Equal,
                (false, true) => Fit::Unknown,
                (false, false) if asked.iter().any(|it| known.contains(it)) => Fit::Equal,
                (false, false) => Fit::Different,
            }
        }
        let places = question.regions();
        let place = match (places.is_empty(), held.regions.is_empty()) {
            (true, _) => Fit::Equal,
            (false, true) => Fit::Unknown,
            (false, false) => {
                let same = |asked: &Region| {
                    held.regions.iter().any(|region| asked.relation(region) != Relation::Elsewhere)
                };
                if places.iter().any(same) { Fit::Equal } else { Fit::Different }
            }
        };
        let people = match self.by_borrower(held) {
            Fit::Unknown => Fit::Equal,
            fit => fit,
        };
        let fits =
            [one(&asked.deals, &known.deals), one(&asked.properties, &known.properties), place, people];
        let points = question.reference.that || question.reference.to_place;
        let several = points && held.found(DataKind::Contract).is_some_and(|found| found.count > 1)
            || known.deals.len() > 1
            || known.properties.len() > 1;
        // 옆집 계약서: a name that nobody has heard of may be that of another one.
        let renamed =
            self.unread(held).any(|word| question.paper_names.iter().any(|name| name.contains(word)));
        let unnamed = asked.deals.is_empty() && asked.properties.is_empty() && places.is_empty();
        if fits.contains(&Fit::Different) {
            Fit::Different
        } else if fits.contains(&Fit::Unknown) || renamed || several && unnamed {
            Fit::Unknown
        } else {
            Fit::Equal
        }
    }
}
