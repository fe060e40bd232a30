//! Where an answer is to end.

use serde::Deserialize;
use utoipa::ToSchema;

/// As a client says it: one text, or several.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(untagged)]
pub(super) enum Stops {
    #[default]
    None,
    One(String),
    Several(Vec<String>),
}

impl Stops {
    /// An answer that ends before the first of these texts; why not, if they make no sense.
    pub(super) fn read(self) -> Result<Ending, &'static str> {
        let stops = match self {
            Self::None => Vec::new(),
            Self::One(stop) => vec![stop],
            Self::Several(stops) => stops,
        };
        if stops.len() > 4 || stops.iter().any(String::is_empty) {
            return Err("up to 4 texts, none of them empty");
        }
        Ok(Ending { stops, ..Ending::default() })
    }
}

/// An answer that comes in pieces and ends before certain texts.
#[derive(Debug, Clone, Default)]
pub(super) struct Ending {
    stops: Vec<String>,
    /// What may be the beginning of one of them.
    held: String,
    over: bool,
}

impl Ending {
    /// What of the answer can be shown, now that there is more of it.
    pub(super) fn more(&mut self, text: &str) -> String {
        if self.over {
            return String::new();
        }
        self.held += text;
        let first = self.stops.iter().filter_map(|stop| self.held.find(stop.as_str())).min();
        if let Some(first) = first {
            self.over = true;
            self.held.truncate(first);
            return std::mem::take(&mut self.held);
        }
        let held = self.stops.iter().map(|stop| begun(&self.held, stop)).max().unwrap_or(0);
        let open = self.held.split_off(self.held.len() - held);
        std::mem::replace(&mut self.held, open)
    }

    /// What was held back, now that nothing more comes.
    pub(super) fn rest(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// A whole answer.
    pub(super) fn whole(mut self, text: &str) -> String {
        self.more(text) + &self.rest()
    }
}

/// How many bytes at the end of a text may be the beginning of another.
fn begun(text: &str, stop: &str) -> usize {
    let lengths = stop.char_indices().map(|(at, _)| at).filter(|at| *at > 0);
    lengths.filter(|length| text.ends_with(&stop[..*length])).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(stops: &[&str]) -> Ending {
        Stops::Several(stops.iter().map(|stop| (*stop).to_owned()).collect()).read().unwrap()
    }

    #[test]
    fn an_answer_ends_before_the_first_stop_however_it_is_cut_into_pieces() {
        let (text, stops) = ("하나, 둘. 셋END넷", ["END", "둘둘", ". 넷"]);
        for cut in text.char_indices().map(|(at, _)| at) {
            let mut ending = ending(&stops);
            let shown = [&text[..cut], &text[cut..]].map(|piece| ending.more(piece)).concat();
            assert_eq!(shown + &ending.rest(), "하나, 둘. 셋", "{cut}");
            assert_eq!(ending.more("다섯"), "", "nothing comes after the end");
        }
        assert_eq!(ending(&["x"]).whole("가나다"), "가나다");
        assert_eq!(ending(&[]).whole("가나다"), "가나다");
    }

    #[test]
    fn what_only_looked_like_a_stop_is_shown_in_the_end() {
        let mut ending = ending(&["END"]);
        assert_eq!(
            (ending.more("aEN"), ending.more("x EN"), ending.rest()),
            ("a".into(), "ENx ".into(), "EN".into())
        );
        assert!(Stops::One(String::new()).read().is_err());
    }
}
