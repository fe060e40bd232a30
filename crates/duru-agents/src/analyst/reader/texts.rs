//! Names and texts: identifiers, quotations, and words that are searched for.

use duru_language::{Link, Op, Particle, Sense};

use super::items::ItemKind;
use super::reading::Reading;
use crate::analyst::frame::{Column, Filter, Test};

impl Reading<'_> {
    /// An identifier that is no known value: its form, or the noun beside it, tells the column.
    pub(super) fn name(&mut self, at: usize, name: &str) {
        // 2.4.0 for v2.4.0, checkout for /checkout.
        if let Some((column, value)) =
            ["v", "/"].iter().find_map(|mark| self.linked.exact(&format!("{mark}{name}")))
        {
            return self.equals(at, column, vec![value]);
        }
        let shaped = self.linked.shaped(name);
        let named = self.neighbours(at);
        // 2.3.1 for v2.3.1, which need not be among the values that are known.
        let version = format!("v{name}");
        let begins = name.starts_with(|letter: char| letter.is_ascii_digit());
        if begins
            && self.linked.exact(name).is_none()
            && !shaped.iter().any(|column| named.contains(column))
            && let [column] = self.linked.shaped(&version).as_slice()
        {
            return self.equals(at, column.clone(), vec![version]);
        }
        let column = match shaped.as_slice() {
            [one] => Some(one.clone()),
            several => several
                .iter()
                .find(|column| named.contains(column))
                .or_else(|| {
                    named.iter().find(|column| {
                        self.described(column).is_some_and(|column| !column.is_number() && !column.is_time())
                    })
                })
                .or(several.first())
                .cloned(),
        };
        // A column whose values are all known has no other.
        let listed = |column: &Column| {
            self.described(column).is_some_and(|known| !known.values.is_empty() && known.key.is_none())
        };
        match column {
            // Written as its values are, it may be one that is not known.
            Some(column) if listed(&column) && !(is_version(name) && shaped.contains(&column)) => {
                let near: Vec<String> = self
                    .described(&column)
                    .map(|known| {
                        known
                            .values
                            .iter()
                            .map(|value| value.value.clone())
                            .filter(|value| close(value, name))
                            .collect()
                    })
                    .unwrap_or_default();
                if !near.is_empty() {
                    self.unclear(at, column, near);
                }
            }
            Some(column) => self.equals(at, column, vec![name.to_owned()]),
            None => {
                if let Some(column) = self.text_column().filter(|_| self.is_searched(at)) {
                    self.use_item(at);
                    self.draft.filter(at, Filter::new(column, Test::Contains(vec![name.to_owned()])));
                } else if let Some((column, values)) = self.named_in_part(name) {
                    match values.as_slice() {
                        [_] => self.equals(at, column, values),
                        _ => self.unclear(at, column, values),
                    }
                } else if let Some((column, near)) = self.nearly_named(name) {
                    self.unclear(at, column, near);
                }
            }
        }
    }

    /// What tells rows apart, if all but the empty words of a name are in one of its values: order-service, order-api.
    fn named_in_part(&self, name: &str) -> Option<(Column, Vec<String>)> {
        let table = self.table_of()?;
        let column = Column::new(&table.name, table.identify.as_ref()?);
        let telling = |text: &str| {
            let words = duru_sql::domain::spelled(text);
            let generic = |word: &&str| !duru_language::words::glossary().is_generic(word);
            words.split(' ').filter(generic).map(str::to_owned).collect::<Vec<_>>()
        };
        let wanted = telling(name);
        let known = self.described(&column)?.values.iter().map(|known| known.value.clone());
        let same: Vec<String> = known.filter(|value| telling(value) == wanted).collect();
        (!wanted.is_empty() && !same.is_empty()).then_some((column, same))
    }

    /// What tells rows apart, if one of its values is a misspelling away.
    pub(super) fn nearly_named(&self, name: &str) -> Option<(Column, Vec<String>)> {
        let table = self.table_of()?;
        let column = Column::new(&table.name, table.identify.as_ref()?);
        let known = self.described(&column)?.values.iter().map(|known| known.value.clone());
        let near: Vec<String> = known.filter(|value| close(value, name)).collect();
        (!near.is_empty()).then_some((column, near))
    }

    /// Whether an item is what texts are searched for: the text is named, or a word such as "containing" is beside it.
    pub(super) fn is_searched(&self, at: usize) -> bool {
        let near = at.saturating_sub(3)..(at + 4).min(self.items.len());
        let beside = at.saturating_sub(2)..(at + 3).min(self.items.len());
        let says = beside.into_iter().any(|place| {
            self.items[place].any_op(&[Op::Contains, Op::Word, Op::Begins, Op::Finishes]).is_some()
        });
        let text = self.text_column();
        says || near.into_iter().any(|place| {
            place != at && text.is_some() && self.column_at(place) == text && !self.items[place].used
        }) || self.items[at].particle(Particle::Quote)
            || self.goes_on_with_texts(at)
    }

    /// Containing timeout but not gateway: one more text after another.
    pub(super) fn goes_on_with_texts(&self, at: usize) -> bool {
        self.draft.filters.iter().any(|placed| {
            matches!(placed.it.test, Test::Contains(_) | Test::Lacks(_))
                && (placed.at + 2..=placed.at + 3).contains(&at)
                && self.items[placed.at + 1..at].iter().all(|item| {
                    item.any_op(&[Op::Not, Op::Exclude]).is_some()
                        || item.senses.iter().any(|sense| matches!(sense, Sense::Link(Link::And | Link::Or)))
                })
        })
    }

    pub(super) fn quoted(&mut self, at: usize, text: &str) {
        let known = self.linked.exact(text);
        let named = self.neighbours(at);
        let column = named
            .iter()
            .find(|column| {
                self.described(column).is_some_and(|column| !column.is_number() && !column.is_time())
            })
            .cloned();
        let (begins, finishes) = (self.near_op(at, Op::Begins), self.near_op(at, Op::Finishes));
        let partial = self.is_searched(at) || begins.is_some() || finishes.is_some();
        if let (Some((value_of, value)), false) = (&known, partial)
            && column.as_ref().is_none_or(|column| column == value_of)
        {
            return self.equals(at, value_of.clone(), vec![value.clone()]);
        }
        let Some(column) = column.or_else(|| self.text_column()) else { return };
        if self.is_foreign_to(&column, text) {
            return;
        }
        self.use_item(at);
        self.use_neighbour(at, &column);
        let negated = self.negated(at);
        let test = match (begins, finishes) {
            (Some(place), _) => {
                self.use_item(place);
                Test::StartsWith(text.to_owned())
            }
            (_, Some(place)) => {
                self.use_item(place);
                Test::EndsWith(text.to_owned())
            }
            _ if negated => Test::Lacks(text.to_owned()),
            _ => Test::Contains(vec![text.to_owned()]),
        };
        let either = self.is_alternative(at);
        self.draft.filter_or(at, Filter::new(column, test), either);
    }

    pub(super) fn near_op(&self, at: usize, op: Op) -> Option<usize> {
        (at.saturating_sub(3)..(at + 4).min(self.items.len())).find(|place| self.items[*place].op(op))
    }

    /// A word that nobody knows, where texts are searched: 메시지에 deadlock이 들어간.
    pub(super) fn searched(&mut self, at: usize) {
        let Some(column) = self.text_column() else { return };
        if !self.is_searched(at) {
            return;
        }
        // Words that stand together are one text.
        let mut end = at;
        while self.items.get(end + 1).is_some_and(|item| item.kind == ItemKind::Unknown && !item.used)
            && self.items[end].particles.is_empty()
        {
            end += 1;
        }
        let particle = |text: &str| text.to_owned();
        let words: Vec<String> = (at..=end).map(|place| particle(self.bare(place))).collect();
        (at..=end).for_each(|place| self.use_item(place));
        let text = words.join(" ");
        if self.is_foreign_to(&column, &text) {
            (at..=end).for_each(|place| self.items[place].used = false);
            return;
        }
        let test = if self.negated(end) { Test::Lacks(text) } else { Test::Contains(vec![text]) };
        let either = self.is_alternative(at);
        self.draft.filter_or(at, Filter::new(column, test), either);
    }

    /// Whether texts are never written in this script: Korean words are not found in English messages.
    fn is_foreign_to(&self, column: &Column, text: &str) -> bool {
        let hangul = |text: &str| text.chars().any(duru_language::hangul::is_hangul);
        let samples = self.described(column).map(|known| known.samples.as_slice()).unwrap_or_default();
        hangul(text) && samples.len() > 3 && !samples.iter().any(|sample| hangul(sample))
    }

    /// An item's word without its particles.
    pub(super) fn bare(&self, at: usize) -> &str {
        let item = &self.items[at];
        item.text.get(..item.own_length).unwrap_or(&item.text)
    }
}

/// v3.1.0.
fn is_version(name: &str) -> bool {
    let plain = name.strip_prefix('v').unwrap_or(name);
    let parts: Vec<&str> = plain.split('.').collect();
    parts.len() > 1 && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit()))
}

/// Whether one is the other, misspelt: at most two letters are missing, too many, other or swapped.
fn close(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let most = if a.len().min(b.len()) >= 8 { 2 } else { 1 };
    a.len() >= 4 && b.len() >= 4 && a != b && distance(&a, &b) <= most
}

/// The number of letters that must change, where two that are swapped are one change.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}
