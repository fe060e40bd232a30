//! Aggregates and window functions.

use sqlparser::ast::{
    CastKind, DataType, DuplicateTreatment, Expr, Function, FunctionArguments, OrderByExpr,
};

use super::build::{call, function, object};
use super::calls::args;

const SAME: &[&str] = &[
    "array_agg",
    "bool_and",
    "bool_or",
    "count",
    "cume_dist",
    "first_value",
    "lag",
    "last_value",
    "lead",
    "max",
    "min",
    "nth_value",
    "percent_rank",
    "string_agg",
    "sum",
];
/// Whose result is a number like its argument.
const MOMENTS: &[(&str, &str)] = &[
    ("stddev", "stddev"),
    ("stddev_samp", "stddev"),
    ("stddev_pop", "stddev_pop"),
    ("variance", "var_samp"),
    ("var_samp", "var_samp"),
    ("var_pop", "var_pop"),
];
/// Of two floats.
const PAIRS: &[&str] = &[
    "corr",
    "covar_pop",
    "covar_samp",
    "regr_avgx",
    "regr_avgy",
    "regr_intercept",
    "regr_r2",
    "regr_slope",
    "regr_sxx",
    "regr_sxy",
    "regr_syy",
];
/// DataFusion's are unsigned, so that a difference of two would be wrong.
const COUNTING: &[&str] = &["dense_rank", "ntile", "rank", "row_number", "regr_count"];
const ORDERED: &[(&str, &str)] = &[
    ("percentile_cont", "pg_percentile_cont"),
    ("percentile_disc", "pg_percentile_disc"),
    ("mode", "pg_mode"),
];

pub(super) fn is(name: &str) -> bool {
    SAME.contains(&name)
        || PAIRS.contains(&name)
        || COUNTING.contains(&name)
        || matches!(name, "avg" | "every")
        || [MOMENTS, ORDERED].concat().iter().any(|(theirs, _)| *theirs == name)
}

pub(super) fn rewrite(name: &str, mut of: Function) -> Result<Expr, String> {
    if let Some((_, ours)) = ORDERED.iter().find(|(theirs, _)| *theirs == name) {
        return ordered(ours, of);
    }
    if !of.within_group.is_empty() {
        return Err(format!("WITHIN GROUP of {name}"));
    }
    if name == "avg" {
        let like = |name: &str| Function { name: object(name), ..of.clone() };
        return Ok(call("pg_ratio", vec![Expr::Function(like("sum")), Expr::Function(like("count"))]));
    }
    if let Some((_, ours)) = MOMENTS.iter().find(|(theirs, _)| *theirs == name) {
        let least = Function { name: object("min"), ..without_distinct(of.clone()) };
        of.name = object(ours);
        return Ok(call("pg_moment", vec![Expr::Function(of), Expr::Function(least)]));
    }
    of.name = object(if name == "every" { "bool_and" } else { name });
    if COUNTING.contains(&name) {
        return Ok(Expr::Cast {
            kind: CastKind::Cast,
            expr: Box::new(Expr::Function(of)),
            data_type: DataType::BigInt(None),
            array: false,
            format: None,
        });
    }
    let result = Expr::Function(of);
    // DataFusion's is of the type that stands for JSON here.
    Ok(if name == "string_agg" { call("pg_to_text", vec![result]) } else { result })
}

fn without_distinct(mut of: Function) -> Function {
    if let FunctionArguments::List(list) = &mut of.args
        && list.duplicate_treatment == Some(DuplicateTreatment::Distinct)
    {
        list.duplicate_treatment = None;
    }
    of
}

/// `f(p) WITHIN GROUP (ORDER BY x)` as `f(x, p)`.
fn ordered(ours: &str, of: Function) -> Result<Expr, String> {
    let [OrderByExpr { expr: by, options, .. }] = of.within_group.as_slice() else {
        return Err(format!("{ours} without exactly one order"));
    };
    if of.over.is_some() {
        return Err("percentiles as window functions".into());
    }
    let name = if options.asc == Some(false) { format!("{ours}_desc") } else { ours.to_owned() };
    let given = args(&of)?;
    if given.iter().any(|e| matches!(e, Expr::Array(_))) {
        return Err("several percentiles at once".into());
    }
    let all = std::iter::once(by.clone()).chain(given).collect();
    Ok(Expr::Function(Function { filter: of.filter, ..function(&name, all) }))
}
