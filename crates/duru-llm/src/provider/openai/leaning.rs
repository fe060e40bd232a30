//! How far a model leans to a yes or a no, by how likely it was to write either: the log odds of both, from `logprobs`.

use super::wire::Place;

/// The logarithm of how much likelier a yes was than a no at the first place that has one of them; none if none has.
pub(super) fn leaning(places: &[Place]) -> Option<f64> {
    let place = places.iter().find(|place| matches!(word(&place.token).as_str(), "yes" | "no"))?;
    // What is not among those that are told is at most as likely as the last of them.
    let least = place.top_logprobs.iter().map(|one| one.logprob).reduce(f64::min)?;
    let likely = |wanted: &str| {
        let all = place.top_logprobs.iter().filter(|one| word(&one.token) == wanted);
        let sum: f64 = all.map(|one| one.logprob.exp()).sum();
        if sum > 0.0 { sum.ln() } else { least }
    };
    Some(likely("yes") - likely("no"))
}

/// `"Yes`, ` yes` and `yes` are one word.
fn word(token: &str) -> String {
    token.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::openai::wire::Likelihood;

    fn place(token: &str, likely: &[(&str, f64)]) -> Place {
        let one =
            |(token, share): &(&str, f64)| Likelihood { token: (*token).to_owned(), logprob: share.ln() };
        Place { token: token.to_owned(), top_logprobs: likely.iter().map(one).collect() }
    }

    #[test]
    fn what_was_nearly_said_counts_too() {
        let open = place("{\"", &[("{\"", 0.9), ("Yes", 0.1)]);
        let said = place("yes", &[("yes", 0.5), ("Yes", 0.1), ("no", 0.3)]);
        assert!((leaning(&[open, said]).unwrap() - 2f64.ln()).abs() < 1e-9);
        let no = place(" \"no", &[(" \"no", 0.8), ("yes", 0.2)]);
        assert!((leaning(&[no]).unwrap() + 4f64.ln()).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_told_is_at_most_as_likely_as_the_last_that_is() {
        let sure = place("yes", &[("yes", 0.98), ("maybe", 0.01)]);
        assert!((leaning(&[sure]).unwrap() - 98f64.ln()).abs() < 1e-9);
        assert_eq!(leaning(&[place("perhaps", &[("perhaps", 1.0)])]), None);
        assert_eq!(leaning(&[place("yes", &[])]), None);
    }
}
