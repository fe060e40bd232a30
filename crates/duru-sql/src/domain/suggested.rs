//! Words that a model suggested are nouns of lower standing: they come last, and only where no name and no word of a
//! person says the same, so that whatever people write later wins over them.

use std::collections::HashSet;

use super::{Description, Domain};

impl Domain {
    pub(super) fn add_suggested(&mut self, description: &Description) {
        let own = self.own_words();
        let add = |nouns: &mut Vec<String>, suggested: &[String]| {
            nouns.extend(suggested.iter().filter(|word| !own.contains(&word.to_lowercase())).cloned());
        };
        for table in &mut self.tables {
            let Some(words) = description.table.get(&table.name) else { continue };
            add(&mut table.nouns, &words.suggested);
            for column in &mut table.columns {
                if let Some(words) = words.column.get(&column.name) {
                    add(&mut column.nouns, &words.suggested);
                }
            }
        }
    }

    /// Every word that stands for something already: names, comments, and what people wrote.
    fn own_words(&self) -> HashSet<String> {
        let mut own = HashSet::new();
        for table in &self.tables {
            let columns = table.columns.iter();
            let of_columns = columns.flat_map(|column| {
                column.nouns.iter().chain(column.values.iter().flat_map(|value| &value.words))
            });
            let of_figures = table.measures.iter().flat_map(|measure| &measure.words);
            let of_conditions = table.conditions.iter().flat_map(|condition| &condition.words);
            let all = table.nouns.iter().chain(of_columns).chain(of_figures).chain(of_conditions);
            own.extend(all.map(|word| word.to_lowercase()));
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::store::{Knowledge, TableKnowledge};
    use crate::{Answer, Catalog};

    fn domain(description: &str) -> Domain {
        let json = r#"{"tables": [{"name": "ord", "columns": {"amt": "numeric", "cst": "text"}}]}"#;
        let newest = Answer { columns: Vec::new(), rows: Vec::new(), cut: None, took: Duration::ZERO };
        let tables = Catalog::read_json(json).unwrap().tables.into_iter().map(|table| TableKnowledge {
            table,
            columns: Vec::new(),
            indexes: Vec::new(),
            estimated_rows: 1,
            newest: newest.clone(),
        });
        let knowledge = Knowledge { tables: tables.collect() };
        Domain::of(&knowledge, &Description::read(description).unwrap())
    }

    #[test]
    fn a_suggested_word_comes_last_and_never_against_a_word_of_a_person() {
        let text = "[table.ord]\nnouns = [\"purchases\"]\nsuggested = [\"order\", \"Amount\"]\n\
                    [table.ord.column.amt]\nnouns = [\"amount\"]\nsuggested = [\"price\", \"cst\", \"revenue\"]\n\
                    [[table.ord.measure]]\nname = \"revenue\"\nwords = [\"Revenue\"]\nexpression = \"sum(amt)\"\n";
        let domain = domain(text);
        let table = &domain.tables[0];
        assert_eq!(table.nouns, ["ord", "purchases", "order"]);
        assert_eq!(table.column("amt").unwrap().nouns, ["amt", "amount", "price"]);
        let alone = Description::read(text).unwrap().without_suggestions();
        assert!(alone.table["ord"].suggested.is_empty() && alone.table["ord"].nouns == ["purchases"]);
        assert!(alone.table["ord"].column["amt"].suggested.is_empty());
    }
}
