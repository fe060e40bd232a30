//! Keys between tables that nobody declared, by names and types. Values have the last word where names alone say little.

use crate::domain::spelled;
use crate::{Kind, Table};

/// A column that seems to hold another table's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LikelyKey {
    /// Places in the list of tables.
    pub from: usize,
    pub column: String,
    pub to: usize,
    pub to_column: String,
    /// The names alone do not settle it: its values must be there.
    pub doubtful: bool,
}

/// So many columns of a table may be its key.
const CANDIDATES: usize = 12;

/// Last words of names whose values tell rows apart.
const KEY_WORDS: &[&str] = &["id", "code", "key", "no", "nr"];

/// Columns of a table of which it is worth knowing whether no two rows have the same value.
pub fn worth_counting(tables: &[Table], at: usize) -> Vec<&str> {
    let table = &tables[at];
    let elsewhere = |name: &str| {
        tables.iter().enumerate().any(|(other, table)| other != at && table.column(name).is_some())
    };
    let worth = table.columns.iter().filter(|column| class(&column.kind).is_some()).filter(|column| {
        let words = Words::of(&column.name);
        words.is_key() || Words::of(&table.name).begin(&words) || words.0.len() > 1 && elsewhere(&column.name)
    });
    worth.map(|column| column.name.as_str()).take(CANDIDATES).collect()
}

/// The keys that nobody declared. `unique` knows of a table's column whether no two rows have the same value.
pub fn likely_keys(tables: &[Table], unique: &dyn Fn(usize, &str) -> bool) -> Vec<LikelyKey> {
    let mut found = Vec::new();
    for (from, table) in tables.iter().enumerate() {
        for column in &table.columns {
            let declared = table.foreign_keys.iter().any(|key| key.columns.contains(&column.name));
            if declared || class(&column.kind).is_none() || owns(table, &column.name) {
                continue;
            }
            let mut best: Vec<(u8, usize, &str)> = Vec::new();
            for (to, other) in tables.iter().enumerate().filter(|(to, _)| *to != from) {
                let keys = other.columns.iter().filter(|key| class(&key.kind) == class(&column.kind));
                for key in keys.filter(|key| unique(to, &key.name)) {
                    if let Some(score) = score(table, &column.name, other, &key.name) {
                        best.push((score, to, &key.name));
                    }
                }
            }
            let Some(top) = best.iter().map(|(score, ..)| *score).max() else { continue };
            best.retain(|(score, ..)| *score == top);
            // A declared key before one that only looks like it; two that are alike say nothing.
            if best.len() > 1 {
                best.retain(|(_, to, key)| tables[*to].primary_key == [*key]);
            }
            if let [(score, to, key)] = best.as_slice() {
                let same_here = unique(from, &column.name) && *score < 3;
                if !same_here {
                    found.push(LikelyKey {
                        from,
                        column: column.name.clone(),
                        to: *to,
                        to_column: (*key).to_owned(),
                        doubtful: *score < 4,
                    });
                }
            }
        }
    }
    found
}

/// How much speaks for a column holding another table's key.
fn score(table: &Table, column: &str, other: &Table, key: &str) -> Option<u8> {
    let (words, key_words, name) = (Words::of(column), Words::of(key), Words::of(&other.name));
    let bare = matches!(key_words.0.as_slice(), [word] if KEY_WORDS.contains(&word.as_str()));
    let primary = other.primary_key == [key];
    if bare {
        // car_id → cars.id, eye_colour_id → colour.id
        let full: Vec<String> = name.0.iter().chain(&key_words.0).cloned().collect();
        if words.0 == full {
            return Some(5);
        }
        if words.0.ends_with(&full) {
            return Some(4);
        }
    } else if column == key && owns(other, key) {
        return Some(5);
    } else if owns(other, key) && words.0.len() > key_words.0.len() && words.0.ends_with(&key_words.0) {
        // pre_course_id → course.course_id
        return Some(4);
    }
    // semester → semester.semester_id, from_airport → airport.airport_code
    let keyed = (bare || owns(other, key) && key_words.is_key()) && !counts(column, &other.name);
    if keyed && words.0.ends_with(&name.0) && (primary || other.primary_key.is_empty()) {
        return Some(3);
    }
    if column == key
        && (key_words.0.len() > 1 || key_words.is_key())
        && !bare
        && table.primary_key != [column]
    {
        return Some(2);
    }
    // sbtxcustid → sbcustomer.sbcustid: names without a separator.
    let same = column.bytes().rev().zip(key.bytes().rev()).take_while(|(a, b)| a == b).count();
    let glued = words.0.len() == 1 && key_words.0.len() == 1 && primary && same >= 5;
    (glued && KEY_WORDS.iter().any(|word| key.ends_with(word)) && table.primary_key != [column]).then_some(2)
}

/// Whether a name says how many there are: `num_semesters`, `students`.
fn counts(column: &str, table: &str) -> bool {
    let (column, table) = (spelled(column), spelled(table));
    let last = |name: &str| name.rsplit(' ').next().unwrap_or_default().to_owned();
    let first = column.split(' ').next().unwrap_or_default();
    let plural = last(&column) != singular(&last(&column)) && last(&column) != last(&table);
    plural || ["num", "number", "count", "total", "n", "min", "max"].contains(&first)
}

/// Whether a column is what its own table is known by: `state_name` of `state`, `aid` of `author`.
fn owns(table: &Table, column: &str) -> bool {
    let (words, name) = (Words::of(column), Words::of(&table.name));
    if table.primary_key == [column] && !table.foreign_keys.iter().any(|key| key.columns == [column]) {
        return true;
    }
    if matches!(words.0.as_slice(), [word] if KEY_WORDS.contains(&word.as_str())) {
        return true;
    }
    if words.0.len() > name.0.len() && name.begin(&words) {
        let rest = &words.0[name.0.len()..];
        return matches!(rest, [last] if KEY_WORDS.contains(&last.as_str()) || last == "name");
    }
    let initial = table.name.chars().next().map(|initial| format!("{}id", initial.to_lowercase()));
    name.0.len() == 1 && words.0.len() == 1 && initial.as_deref() == Some(words.0[0].as_str())
}

/// Types whose values can be each other's.
fn class(kind: &Kind) -> Option<u8> {
    match kind {
        Kind::Integer | Kind::Bigint => Some(1),
        Kind::Text => Some(2),
        Kind::Uuid => Some(3),
        _ => None,
    }
}

/// A name as words, each in its singular.
struct Words(Vec<String>);

impl Words {
    fn of(name: &str) -> Self {
        Self(spelled(name).split(' ').map(singular).collect())
    }

    fn begin(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }

    fn is_key(&self) -> bool {
        self.0.last().is_some_and(|last| {
            KEY_WORDS.contains(&last.as_str()) || self.0.len() == 1 && last.len() > 2 && last.ends_with("id")
        })
    }
}

fn singular(word: &str) -> String {
    for (plural, one) in [("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")] {
        if let Some(stem) = word.strip_suffix(plural).filter(|stem| stem.len() > 1) {
            return format!("{stem}{one}");
        }
    }
    let plain = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    if plain { word[..word.len() - 1].to_owned() } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalog;

    /// `table(column: type, …)` lines; `!` marks a column without duplicates.
    fn found(schema: &str) -> Vec<String> {
        let mut unique = Vec::new();
        let mut tables = Vec::new();
        for line in schema.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (name, rest) = line.trim_end_matches(')').split_once('(').unwrap();
            let columns: Vec<String> = rest
                .split(", ")
                .map(|column| {
                    let (column, kind) = column.split_once(' ').unwrap_or((column, "bigint"));
                    if column.ends_with('!') {
                        unique.push((tables.len(), column.trim_end_matches('!').to_owned()));
                    }
                    format!("{:?}: {kind:?}", column.trim_end_matches('!'))
                })
                .collect();
            tables.push(format!(r#"{{"name": "{name}", "columns": {{{}}}}}"#, columns.join(", ")));
        }
        let catalog = Catalog::read_json(&format!(r#"{{"tables": [{}]}}"#, tables.join(", "))).unwrap();
        let keys = likely_keys(&catalog.tables, &|table, column| {
            unique.iter().any(|(at, name)| *at == table && name == column)
        });
        let name = |at: usize| catalog.tables[at].name.clone();
        keys.iter()
            .map(|key| {
                let sure = if key.doubtful { "?" } else { "" };
                format!("{}.{} = {}.{}{sure}", name(key.from), key.column, name(key.to), key.to_column)
            })
            .collect()
    }

    #[test]
    fn keys_are_found_by_how_people_name_them() {
        let plain = "cars(id!, make text)\nsales(id!, car_id, buyer_id)\nbuyers(id!, name text)";
        assert_eq!(found(plain), ["sales.car_id = cars.id", "sales.buyer_id = buyers.id"]);
        let roles = "colour(id!, colour text)\nhero(id!, eye_colour_id, hair_colour_id)";
        assert_eq!(found(roles), ["hero.eye_colour_id = colour.id", "hero.hair_colour_id = colour.id"]);
        let short = "author(aid!, name! text, oid!)\norganization(oid!, name! text)\nwrites(aid, pid)\npublication(pid!, title! text)";
        assert_eq!(
            found(short),
            ["author.oid = organization.oid", "writes.aid = author.aid", "writes.pid = publication.pid"]
        );
        let own = "state(state_name! text, area)\nhighlow(state_name! text, highest)\nriver(river_name text, state_name text)";
        assert_eq!(
            found(own),
            ["highlow.state_name = state.state_name", "river.state_name = state.state_name"]
        );
        let prefixed = "course(course_id!)\nneeds(course_id, pre_course_id)";
        assert_eq!(
            found(prefixed),
            ["needs.course_id = course.course_id", "needs.pre_course_id = course.course_id"]
        );
    }

    #[test]
    fn values_decide_where_names_say_little() {
        let shared = "geographic(city_name! text, region text)\nrestaurant(id!, city_name text)";
        assert_eq!(found(shared), ["restaurant.city_name = geographic.city_name?"]);
        let named = "semester(semester_id!, year)\noffering(offering_id!, semester)";
        assert_eq!(found(named), ["offering.semester = semester.semester_id?"]);
        let roles = "airport(airport_code! text)\nfare(fare_id!, from_airport text, to_airport text)";
        assert_eq!(
            found(roles),
            ["fare.from_airport = airport.airport_code?", "fare.to_airport = airport.airport_code?"]
        );
    }

    #[test]
    fn what_everything_has_joins_nothing() {
        assert!(found("a(id!, name! text, year)\nb(id!, name! text, year)").is_empty());
        assert!(found("a(id!, user_id text)\nusers(id!, name text)").is_empty(), "types differ");
        let amounts = "semester(semester_id!)\ncourse(course_id!, num_semesters, semesters)";
        assert!(found(amounts).is_empty());
        assert!(found("x(x_id!, code_a text)\ny(y_id!, code_b text)").is_empty());
    }
}
