//! JSON values that are equal as `jsonb` though they are written differently: 1 and 1.0.
//!
//! Text is what is stored, so wherever rows are brought together by equal values, they are
//! brought together by a key; what is shown is a value as it was written.

use std::sync::Arc;

use datafusion::common::{Column, DFSchema, Result};
use datafusion::functions_aggregate::first_last::first_value;
use datafusion::logical_expr::expr::InSubquery;
use datafusion::logical_expr::{
    Aggregate, Distinct, Expr, ExprSchemable, LogicalPlan, Projection, Subquery, col,
};

use super::typed::{Calls, Class};
use crate::functions::unsupported;

/// A plan whose groups, sets and joins hold by the values of JSON, not by its text.
pub(super) fn by_value(plan: LogicalPlan, calls: &Calls) -> Result<LogicalPlan> {
    match plan {
        LogicalPlan::Aggregate(aggregate) => grouped(aggregate, calls),
        LogicalPlan::Distinct(Distinct::All(input)) if any_json(input.schema()) => {
            let columns = input.schema().columns().into_iter().map(Expr::Column).collect();
            grouped(Aggregate::try_new(input, columns, Vec::new())?, calls)
        }
        LogicalPlan::Distinct(Distinct::On(on)) => {
            for e in &on.on_expr {
                if is_json(e, on.input.schema())? {
                    return Err(unsupported("DISTINCT ON of a JSON value"));
                }
            }
            Ok(LogicalPlan::Distinct(Distinct::On(on)))
        }
        LogicalPlan::Join(mut join) => {
            for (left, right) in &mut join.on {
                if is_json(left, join.left.schema())? && is_json(right, join.right.schema())? {
                    *left = calls.call("pg_json_key", vec![left.clone()])?;
                    *right = calls.call("pg_json_key", vec![right.clone()])?;
                }
            }
            Ok(LogicalPlan::Join(join))
        }
        plan => Ok(plan),
    }
}

fn any_json(schema: &DFSchema) -> bool {
    schema.fields().iter().any(|field| Class::of(field.data_type()) == Class::Json)
}

fn is_json(e: &Expr, schema: &DFSchema) -> Result<bool> {
    Ok(Class::of(&e.get_type(schema)?) == Class::Json)
}

/// Grouped by keys; of each group, one value as it was written.
fn grouped(aggregate: Aggregate, calls: &Calls) -> Result<LogicalPlan> {
    let schema = aggregate.input.schema();
    if let [Expr::GroupingSet(sets)] = aggregate.group_expr.as_slice() {
        for e in sets.distinct_expr() {
            if is_json(e, schema)? {
                return Err(unsupported("grouping sets of JSON values"));
            }
        }
        return Ok(LogicalPlan::Aggregate(aggregate));
    }
    let (mut groups, mut values) = (Vec::new(), aggregate.aggr_expr.clone());
    let mut shown: Vec<Expr> = aggregate.schema.columns().into_iter().map(Expr::Column).collect();
    for (i, e) in aggregate.group_expr.iter().enumerate() {
        if !is_json(e, schema)? {
            groups.push(e.clone());
            continue;
        }
        let plain = e.clone().unalias();
        groups.push(calls.call("pg_json_key", vec![plain.clone()])?.alias(format!("json_key_{i}")));
        let value = format!("json_value_{i}");
        values.push(first_value(plain, Vec::new()).alias(&value));
        let Column { relation, name, .. } = aggregate.schema.columns().swap_remove(i);
        shown[i] = col(Column::from_name(value)).alias_qualified(relation, name);
    }
    if values.len() == aggregate.aggr_expr.len() {
        return Ok(LogicalPlan::Aggregate(aggregate));
    }
    let grouped = LogicalPlan::Aggregate(Aggregate::try_new(aggregate.input, groups, values)?);
    Ok(LogicalPlan::Projection(Projection::try_new(shown, Arc::new(grouped))?))
}

/// `IN (SELECT …)` becomes a join, after which nobody knows the types any more.
pub(super) fn among(found: InSubquery, schema: &DFSchema, calls: &Calls) -> Result<InSubquery> {
    let plan = &found.subquery.subquery;
    let (Some(column), true) = (plan.schema().columns().pop(), any_json(plan.schema())) else {
        return Ok(found);
    };
    if !is_json(&found.expr, schema)? {
        return Ok(found);
    }
    let key = calls.call("pg_json_key", vec![Expr::Column(column)])?.alias("json_key");
    let keys = LogicalPlan::Projection(Projection::try_new(vec![key], Arc::clone(plan))?);
    let subquery = Subquery { subquery: Arc::new(keys), ..found.subquery };
    let expr = calls.call("pg_json_key", vec![*found.expr])?;
    Ok(InSubquery::new(Box::new(expr), subquery, found.negated))
}

/// Keys instead of JSON values, where only their differences count.
pub(super) fn keys(all: Vec<Expr>, schema: &DFSchema, calls: &Calls) -> Result<Vec<Expr>> {
    let each = all.into_iter().map(|e| match is_json(&e, schema)? {
        true => calls.call("pg_json_key", vec![e]),
        false => Ok(e),
    });
    each.collect()
}
