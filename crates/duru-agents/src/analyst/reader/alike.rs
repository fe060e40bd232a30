//! Whether two readings of a question find the same, so that two readers who say it in different frames agree.

use crate::analyst::frame::{
    By, Column, Compare, Dimension, Filter, Frame, Having, Measure, Order, Stat, Test, Than,
};

/// What rows are asked about: lines of events, all of whose columns are shown anyway, or things, which are called by names.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rows {
    Events,
    /// With the columns that rows are called by, of every table.
    Things(Vec<Column>),
}

/// Whether two frames find the same: order, also of groups, and columns beside those asked for don't count where all rows are shown.
pub(super) fn same(one: &Frame, other: &Frame, rows: &Rows) -> bool {
    let Rows::Things(names) = rows else {
        let bare = |frame: &Frame| Frame { show: Vec::new(), ..plain(&as_groups(frame)) };
        return bare(one) == bare(other);
    };
    let bare = |frame: &Frame| {
        let mut frame = plain(&as_rows(frame));
        let mut shown = std::mem::take(&mut frame.show);
        if let Some(Order { by: By::Column(column), .. }) = &frame.order {
            shown.retain(|known| known != column);
        }
        let everything = shown.is_empty() && frame.order.is_none() && frame.is_rows();
        shown.retain(|known| !names.contains(known));
        shown.sort();
        (frame, shown, everything)
    };
    let ((one, shown, all), (other, also_shown, also_all)) = (bare(one), bare(other));
    one == other && (shown == also_shown || all || also_all)
}

/// Names of things as rows of them, and the greatest number as that of the first row.
fn as_rows(frame: &Frame) -> Frame {
    let plain = frame.having.is_empty()
        && frame.none_of.is_empty()
        && frame.some_of.is_empty()
        && frame.silent.is_none()
        && frame.compare.is_none()
        && !frame.count_groups
        && !frame.both_ends
        && frame.best_each.is_none();
    let columns: Option<Vec<Column>> = frame
        .dimensions
        .iter()
        .map(|one| if let Dimension::Column(column) = one { Some(column.clone()) } else { None })
        .collect();
    let Some(columns) = columns.filter(|_| plain) else { return frame.clone() };
    let rows = Frame { dimensions: Vec::new(), measures: Vec::new(), ..frame.clone() };
    match frame.measures.as_slice() {
        [] if !columns.is_empty() => Frame { show: columns, order: None, ..rows },
        [Measure::Stat(stat @ (Stat::Maximum | Stat::Minimum), column, filters)]
            if columns.is_empty() && filters.is_empty() =>
        {
            let order = Order { by: By::Column(column.clone()), descending: *stat == Stat::Maximum };
            Frame { order: Some(order), limit: Some(1), ..rows }
        }
        [Measure::Stat(_, column, filters), ..]
            if filters.is_empty() && columns.iter().all(|own| own.table == column.table) =>
        {
            match &frame.order {
                Some(Order { by: By::Measure(0), descending }) if frame.limit.is_some() => {
                    let order = Order { by: By::Column(column.clone()), descending: *descending };
                    Frame { show: columns, order: Some(order), ..rows }
                }
                _ => frame.clone(),
            }
        }
        _ => frame.clone(),
    }
}

fn plain(frame: &Frame) -> Frame {
    let mut frame = frame.clone();
    let key = |filter: &Filter| format!("{filter:?}");
    for filter in &mut frame.filters {
        if let Test::OneOf(values) | Test::NoneOf(values) = &mut filter.test {
            values.sort();
            values.dedup();
        }
    }
    frame.filters.retain(|filter| filter.test != Test::Present);
    frame.filters.sort_by_key(key);
    frame.filters.dedup();
    if frame.measures.len() > 1 {
        let ordered = match frame.order {
            Some(Order { by: By::Measure(place), .. }) => frame.measures.get(place).cloned(),
            _ => None,
        };
        frame.measures.retain(|measure| *measure != Measure::Count || ordered.as_ref() == Some(measure));
        if let (Some(ordered), Some(order)) = (ordered, &mut frame.order)
            && let Some(place) = frame.measures.iter().position(|measure| *measure == ordered)
        {
            order.by = By::Measure(place);
        }
    }
    // That every group has rows is known.
    frame.having.retain(|having| !always(having));
    // How many rows each group has stands beside the names of groups, and takes none of them away.
    let named = frame.measures.as_slice() == [Measure::Count]
        && !frame.dimensions.is_empty()
        && frame.limit.is_none()
        && frame.window.is_none()
        && frame.compare.is_none()
        && frame.best_each.is_none();
    if named && (!frame.having.is_empty() || !frame.none_of.is_empty() || !frame.some_of.is_empty()) {
        frame.measures.clear();
        frame.order = None;
    }
    let rows = frame.is_rows();
    let newest = Some(Order { by: By::Time, descending: true });
    if rows && frame.order == newest || !rows && frame.limit.is_none() {
        frame.order = None;
    }
    // By hour and service, by service and hour: the same groups.
    if frame.best_each.is_none() && frame.window.is_none() && frame.order.is_none() {
        frame.dimensions.sort_by_key(|dimension| format!("{dimension:?}"));
    }
    // The best and the worst are the worst and the best.
    if let (true, Some(order)) = (frame.both_ends, &mut frame.order) {
        order.descending = true;
    }
    if let Some(compare) = &mut frame.compare {
        compare.whole = None;
    }
    frame
}

/// How many there are of each of several values of a column, side by side or one under the other; when the last row was, and that row.
fn as_groups(frame: &Frame) -> Frame {
    if !frame.dimensions.is_empty() || frame.compare.is_some() || frame.window.is_some() {
        return frame.clone();
    }
    if let (true, Some(1), Some(Order { by: By::Time, descending })) =
        (frame.is_rows(), frame.limit, &frame.order)
    {
        let measure = if *descending { Measure::Last } else { Measure::First };
        return Frame { measures: vec![measure], order: None, limit: None, ..frame.clone() };
    }
    let one = |measure: &Measure| match measure {
        Measure::CountOf(filters) => match filters.as_slice() {
            [Filter { column, test: Test::OneOf(values) }] if values.len() == 1 => {
                Some((column.clone(), values[0].clone()))
            }
            _ => None,
        },
        _ => None,
    };
    let all: Option<Vec<(Column, String)>> = frame.measures.iter().map(one).collect();
    let Some(all) = all.filter(|all| all.len() > 1 && all.iter().all(|(column, _)| *column == all[0].0))
    else {
        return frame.clone();
    };
    let column = all[0].0.clone();
    let values = all.into_iter().map(|(_, value)| value).collect();
    let mut frame = frame.clone();
    frame.filters.push(Filter::new(column.clone(), Test::OneOf(values)));
    Frame { measures: vec![Measure::Count], dimensions: vec![Dimension::Column(column)], ..frame }
}

/// Whether groups fulfil a condition whatever their rows are.
fn always(having: &Having) -> bool {
    let one_at_least = match (having.compare, having.than) {
        (Compare::More, Than::Number(number)) => number < 1.0,
        (Compare::AtLeast, Than::Number(number)) => number <= 1.0,
        _ => false,
    };
    having.measure == Measure::Count && one_at_least
}

#[cfg(test)]
mod tests {
    use super::*;
    use duru_language::Unit;
    use duru_language::time::Length;

    fn grouped(dimensions: &[Dimension]) -> Frame {
        Frame {
            table: "logs".into(),
            measures: vec![Measure::Count],
            dimensions: dimensions.to_vec(),
            ..Frame::default()
        }
    }

    #[test]
    fn the_same_groups_in_another_order_are_the_same_reading_but_not_the_best_of_each() {
        let hour = Dimension::Every(Length::new(1, Unit::Hour));
        let service = Dimension::Column(Column::new("logs", "service"));
        let (one, other) = (grouped(&[hour.clone(), service.clone()]), grouped(&[service.clone(), hour]));
        assert!(same(&one, &other, &Rows::Events));
        assert!(!same(&one, &grouped(&[service]), &Rows::Events));
        let best = |frame: &Frame| Frame { best_each: Some(1), ..frame.clone() };
        assert!(!same(&best(&one), &best(&other), &Rows::Events));
    }

    #[test]
    fn the_best_and_the_worst_are_the_worst_and_the_best() {
        let ends = |descending| Frame {
            order: Some(Order { by: By::Measure(0), descending }),
            limit: Some(1),
            both_ends: true,
            ..grouped(&[Dimension::HourOfDay])
        };
        assert!(same(&ends(true), &ends(false), &Rows::Events));
        assert!(!same(&ends(true), &Frame { both_ends: false, ..ends(false) }, &Rows::Events));
    }

    #[test]
    fn the_greatest_number_is_that_of_the_first_row_and_other_columns_are_another_question() {
        let (name, area) = (Column::new("state", "name"), Column::new("state", "area"));
        let things = Rows::Things(vec![name.clone()]);
        let states = Frame { table: "state".into(), ..Frame::default() };
        let order = Some(Order { by: By::Column(area.clone()), descending: true });
        let first = Frame { order, limit: Some(1), show: vec![name.clone()], ..states.clone() };
        let greatest = Measure::Stat(Stat::Maximum, area.clone(), Vec::new());
        let number = Frame { measures: vec![greatest], ..states.clone() };
        assert!(same(&first, &number, &things));
        let names = Frame { dimensions: vec![Dimension::Column(name.clone())], ..states.clone() };
        let named = Frame { show: vec![name], ..states.clone() };
        assert!(same(&names, &named, &things));
        let other = Frame { show: vec![Column::new("state", "capital")], ..states.clone() };
        assert!(!same(&other, &Frame { show: vec![area], ..states }, &things));
    }
}
