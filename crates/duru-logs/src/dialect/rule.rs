//! What depends on types and has no hook in the planner.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::logical_expr::expr::{Case, Cast, ScalarFunction};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    Expr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, Values, WindowFunctionDefinition, lit,
};
use datafusion::optimizer::AnalyzerRule;

use super::equal::{among, by_value, keys};
use super::operators::named;
use super::typed::{Calls, Class, untyped};
use crate::functions::unsupported;

/// The analyzer rule; it goes before DataFusion's own coercion.
#[derive(Debug)]
pub(crate) struct Types(pub(crate) Calls);

impl AnalyzerRule for Types {
    fn name(&self) -> &str {
        "postgresql_types"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let done = plan.transform_up_with_subqueries(|plan| {
            // Its numbers are no values.
            if matches!(plan, LogicalPlan::Limit(_)) {
                return Ok(Transformed::no(plan));
            }
            let schema = match plan.inputs().as_slice() {
                [] => plan.schema().as_ref().clone(),
                inputs => merge_schema(inputs),
            };
            let names = NamePreserver::new(&plan);
            let plan = plan.map_expressions(|e| {
                let name = names.save(&e);
                let done = e.transform_up(|e| self.one(e, &schema))?;
                Ok(done.update_data(|e| name.restore(e)))
            })?;
            if let LogicalPlan::Sort(sort) = &plan.data {
                for by in &sort.expr {
                    check_order(&by.expr.get_type(&schema)?)?;
                }
            }
            let plan = match plan.data {
                LogicalPlan::Values(values) => self.values(values)?,
                plan => by_value(plan, &self.0)?.recompute_schema()?,
            };
            Ok(Transformed::yes(plan))
        })?;
        Ok(done.data)
    }
}

fn check_order(kind: &DataType) -> Result<()> {
    match kind {
        // Months and days don't compare as they are stored.
        DataType::Interval(_) => Err(unsupported("an order of intervals with months or days")),
        kind if Class::of(kind) == Class::Json => Err(unsupported("an order of JSON values")),
        _ => Ok(()),
    }
}

impl Types {
    fn one(&self, e: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
        Ok(match e {
            // An integer that is written is of 32 bits, if it fits.
            Expr::Literal(ScalarValue::Int64(Some(n)), _) => match i32::try_from(n) {
                Ok(n) => Transformed::yes(lit(n)),
                Err(_) => Transformed::no(e),
            },
            Expr::AggregateFunction(mut function) => {
                let name = function.func.name().to_owned();
                check_aggregate(&name, &function.params.args, schema)?;
                if function.params.distinct && name != "count" {
                    check_different(&name, &function.params.args, schema)?;
                }
                for by in &function.params.order_by {
                    check_order(&by.expr.get_type(schema)?)?;
                }
                let mut args = std::mem::take(&mut function.params.args);
                if function.params.distinct && name == "count" {
                    args = keys(args, schema, &self.0)?;
                }
                function.params.args = summands(&name, args, schema)?;
                Transformed::yes(Expr::AggregateFunction(function))
            }
            Expr::WindowFunction(mut function) => {
                let name = function.fun.name().to_owned();
                for by in &function.params.order_by {
                    check_order(&by.expr.get_type(schema)?)?;
                }
                let args = std::mem::take(&mut function.params.args);
                if matches!(function.fun, WindowFunctionDefinition::AggregateUDF(_)) {
                    check_aggregate(&name, &args, schema)?;
                }
                let args = summands(&name, args, schema)?;
                // Offsets are not values of rows.
                let wide = |(i, e): (usize, Expr)| match e {
                    Expr::Literal(ScalarValue::Int32(Some(n)), _) if i == 1 => lit(i64::from(n)),
                    e => e,
                };
                function.params.args = args.into_iter().enumerate().map(wide).collect();
                let by = std::mem::take(&mut function.params.partition_by);
                function.params.partition_by = keys(by, schema, &self.0)?;
                Transformed::yes(Expr::WindowFunction(function))
            }
            Expr::InSubquery(found) => Transformed::yes(Expr::InSubquery(among(found, schema, &self.0)?)),
            Expr::Case(case) => Transformed::yes(Expr::Case(self.branches(case, schema)?)),
            Expr::ScalarFunction(ScalarFunction { func, args }) => {
                let args = match func.name() {
                    "coalesce" | "greatest" | "least" => self.alike(args, schema)?,
                    _ => args,
                };
                for arg in &args {
                    check_argument(func.name(), &arg.get_type(schema)?)?;
                }
                Transformed::yes(Expr::ScalarFunction(ScalarFunction { func, args }))
            }
            Expr::Like(like) => {
                for side in [&like.expr, &like.pattern] {
                    let kind = side.get_type(schema)?;
                    if !matches!(Class::of(&kind), Class::Text | Class::Null) {
                        return Err(unsupported(format!("LIKE of {}", named(&kind))));
                    }
                }
                Transformed::no(Expr::Like(like))
            }
            e => Transformed::no(e),
        })
    }

    /// Literals among them read as the type of the others.
    fn alike(&self, all: Vec<Expr>, schema: &DFSchema) -> Result<Vec<Expr>> {
        let mut beside = None;
        for e in all.iter().filter(|e| untyped(e).is_none()) {
            let kind = e.get_type(schema)?;
            if !matches!(Class::of(&kind), Class::Null) {
                let found = beside.get_or_insert_with(|| kind.clone());
                if Class::of(found) != Class::of(&kind) {
                    return Err(unsupported(format!("{} and {} as one column", named(found), named(&kind))));
                }
            }
        }
        let Some(beside) = beside.filter(|kind| Class::of(kind) != Class::Text) else { return Ok(all) };
        let read = |e: Expr| match untyped(&e) {
            Some(text) => self.0.literal(text, &beside),
            None => Ok(e),
        };
        all.into_iter().map(read).collect()
    }

    /// Rows that are written out, in columns of one type each.
    fn values(&self, values: Values) -> Result<LogicalPlan> {
        let (rows, width) = (values.values.len(), values.schema.fields().len());
        let mut columns: Vec<Vec<Expr>> = vec![Vec::with_capacity(rows); width];
        for row in values.values {
            columns.iter_mut().zip(row).for_each(|(column, e)| column.push(e));
        }
        let mut rows: Vec<Vec<Expr>> = vec![Vec::with_capacity(width); rows];
        for column in columns {
            let column = self.alike(column, &values.schema)?;
            rows.iter_mut().zip(column).for_each(|(row, e)| row.push(e));
        }
        LogicalPlanBuilder::values(rows)?.build()
    }

    fn branches(&self, case: Case, schema: &DFSchema) -> Result<Case> {
        let (whens, results): (Vec<_>, Vec<_>) = case.when_then_expr.into_iter().unzip();
        let otherwise = case.else_expr.is_some();
        let all = results.into_iter().map(|e| *e).chain(case.else_expr.map(|e| *e)).collect();
        let mut all = self.alike(all, schema)?;
        let else_expr = if otherwise { all.pop().map(Box::new) } else { None };
        let when_then_expr = whens.into_iter().zip(all.into_iter().map(Box::new)).collect();
        Ok(Case { expr: case.expr, when_then_expr, else_expr })
    }
}

/// The sum of 64-bit integers is a decimal.
fn summands(name: &str, args: Vec<Expr>, schema: &DFSchema) -> Result<Vec<Expr>> {
    if name != "sum" {
        return Ok(args);
    }
    let each = args.into_iter().map(|e| match e.get_type(schema)? {
        DataType::Int64 => Ok(Expr::Cast(Cast::new(Box::new(e), DataType::Decimal128(20, 0)))),
        _ => Ok(e),
    });
    each.collect()
}

fn check_aggregate(name: &str, args: &[Expr], schema: &DFSchema) -> Result<()> {
    for arg in args {
        let kind = arg.get_type(schema)?;
        let fine = match Class::of(&kind) {
            Class::Level => !matches!(
                name,
                "sum" | "stddev" | "stddev_pop" | "var_samp" | "var_pop" | "string_agg" | "corr"
            ),
            Class::Json => matches!(name, "count" | "array_agg" | "first_value" | "last_value" | "nth_value"),
            Class::Interval => {
                matches!(kind, DataType::Duration(_)) && matches!(name, "count" | "min" | "max")
                    || name == "count"
                    || name.starts_with("pg_percentile")
            }
            Class::Text => !matches!(name, "sum" | "stddev" | "stddev_pop" | "var_samp" | "var_pop"),
            _ => true,
        };
        if !fine {
            return Err(unsupported(format!("{name} of {}", named(&kind))));
        }
    }
    Ok(())
}

/// Which of several ways to write a value is shown must not depend on chance.
fn check_different(name: &str, args: &[Expr], schema: &DFSchema) -> Result<()> {
    for arg in args {
        if Class::of(&arg.get_type(schema)?) == Class::Json {
            return Err(unsupported(format!("{name} of different JSON values")));
        }
    }
    Ok(())
}

/// What is stored as a number or as text and is neither must not be taken for it.
fn check_argument(name: &str, kind: &DataType) -> Result<()> {
    let fine = match Class::of(kind) {
        Class::Level => matches!(
            name,
            "pg_to_text" | "pg_out" | "pg_cat" | "pg_format" | "coalesce" | "greatest" | "least"
        ),
        Class::Json => {
            name.starts_with("pg_json_")
                || name.starts_with("pg_to_")
                || matches!(name, "pg_out" | "pg_cat" | "coalesce")
        }
        _ => true,
    };
    if fine {
        Ok(())
    } else {
        Err(unsupported(format!("{} of {}", name.trim_start_matches("pg_"), named(kind))))
    }
}
