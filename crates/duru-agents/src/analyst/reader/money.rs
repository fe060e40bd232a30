//! Sums of money are compared with money: never with how long something took, and never with how many rows there are.

use duru_language::Unit;
use duru_sql::domain::DomainColumn;

use super::assemble::Unfit;
use super::draft::Bound;
use super::reading::Reading;
use crate::analyst::frame::{Column, Filter, Frame, Having, Measure, Test, Than};

/// What columns of money are called where their unit does not say it.
const NOUNS: [&str; 12] = [
    "amount", "price", "cost", "fee", "revenue", "salary", "payment", "금액", "가격", "비용", "요금", "매출",
];

pub(super) fn is_currency(unit: Option<Unit>) -> bool {
    matches!(unit, Some(Unit::Won | Unit::Dollar))
}

/// Whether a column may hold sums of money: numbers that are in no other unit.
pub(super) fn may_be_money(column: &DomainColumn) -> bool {
    let unit = column.unit.as_deref();
    column.is_number() && !column.code && unit.is_none_or(|unit| ["won", "usd"].contains(&unit))
}

impl Reading<'_> {
    /// The column of the table that holds sums of money, if there is one and no other.
    fn money_column(&self) -> Option<Column> {
        let table = self.table_of()?;
        let is_money = |column: &&DomainColumn| {
            let named = column.nouns.iter().any(|noun| NOUNS.contains(&noun.as_str()));
            may_be_money(column) && (named || column.unit.is_some())
        };
        let mut all = table.columns.iter().filter(is_money);
        match (all.next(), all.next()) {
            (Some(column), None) => Some(Column::new(&table.name, &column.name)),
            _ => None,
        }
    }

    /// A bound in won or dollars: of a figure of the groups, or of each row.
    pub(super) fn bound_of_money(&self, frame: &mut Frame, bound: &Bound) -> Result<(), Unfit> {
        let is_money = |column: &Column| self.described(column).is_some_and(may_be_money);
        let near = (bound.at.saturating_sub(4)..bound.at)
            .rev()
            .chain(bound.end + 1..bound.end + 4)
            .find_map(|place| self.column_at(place).filter(is_money));
        let of_measure = |measure: &Measure| match measure {
            Measure::Stat(_, column, _) if is_money(column) => Some(column.clone()),
            _ => None,
        };
        let column = near
            .or_else(|| frame.measures.iter().find_map(of_measure))
            .or_else(|| self.money_column())
            .ok_or(Unfit::Number)?;
        let figure =
            frame.measures.iter().find(|measure| of_measure(measure).as_ref() == Some(&column)).cloned();
        match figure.filter(|_| !frame.dimensions.is_empty()) {
            Some(measure) => {
                frame.having.push(Having {
                    measure,
                    compare: bound.compare,
                    than: Than::Number(bound.value),
                });
            }
            None => frame.filters.push(Filter::new(column, Test::Number(bound.compare, bound.value))),
        }
        Ok(())
    }
}
