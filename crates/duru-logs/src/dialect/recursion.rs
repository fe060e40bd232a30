//! Recursive queries: the types of their columns are known before they are planned.

use sqlparser::ast::{
    CastKind, Cte, DataType, Expr, Select, SelectItem, SetExpr, Value, visit_expressions_mut,
};

use std::ops::ControlFlow;

/// Whole numbers of the part that begins are of 32 bits from the start: the planner
/// takes the columns' types from it, before literals are given PostgreSQL's types.
pub(super) fn typed(cte: &mut Cte) {
    if let SetExpr::SetOperation { left, .. } = cte.query.body.as_mut() {
        selects(left);
    }
}

fn selects(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => items(select),
        SetExpr::SetOperation { left, right, .. } => {
            selects(left);
            selects(right);
        }
        SetExpr::Query(query) => selects(&mut query.body),
        SetExpr::Values(values) => {
            values.rows.iter_mut().flat_map(|row| &mut row.content).for_each(whole_numbers);
        }
        _ => {}
    }
}

fn items(select: &mut Select) {
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(e) | SelectItem::ExprWithAlias { expr: e, .. } = item {
            whole_numbers(e);
        }
    }
}

fn whole_numbers(e: &mut Expr) {
    let _: ControlFlow<()> = visit_expressions_mut(e, |e| {
        if let Expr::Value(value) = e
            && let Value::Number(digits, _) = &value.value
            && digits.parse::<i32>().is_ok()
        {
            *e = Expr::Cast {
                kind: CastKind::DoubleColon,
                expr: Box::new(e.clone()),
                data_type: DataType::Integer(None),
                array: false,
                format: None,
            };
        }
        ControlFlow::Continue(())
    });
}
