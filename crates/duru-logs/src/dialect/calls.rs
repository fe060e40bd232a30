//! Which functions may be called, and as what.

use sqlparser::ast::helpers::attached_token::AttachedToken;
use sqlparser::ast::{
    BinaryOperator as Op, CaseWhen, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
};

use super::build::{binary, call, literal, number, object, text};
use super::{aggregates, names};

/// DataFusion's that give what PostgreSQL's of the same name give.
const SAME: &[&str] = &[
    "array_length",
    "array_to_string",
    "ascii",
    "btrim",
    "cardinality",
    "chr",
    "coalesce",
    "greatest",
    "grouping",
    "initcap",
    "least",
    "lower",
    "lpad",
    "ltrim",
    "md5",
    "octet_length",
    "overlay",
    "repeat",
    "replace",
    "reverse",
    "rpad",
    "rtrim",
    "sha256",
    "starts_with",
    "string_to_array",
    "strpos",
    "substr",
    "to_hex",
    "translate",
    "unnest",
    "upper",
];

/// Ours, and under which name PostgreSQL has them.
const OURS: &[(&str, &str)] = &[
    ("abs", "pg_abs"),
    ("ceil", "pg_ceil"),
    ("ceiling", "pg_ceil"),
    ("date", "pg_to_date"),
    ("date_bin", "pg_date_bin"),
    ("date_part", "pg_date_part"),
    ("date_trunc", "pg_date_trunc"),
    ("exp", "pg_exp"),
    ("floor", "pg_floor"),
    ("format", "pg_format"),
    ("json_array_length", "pg_json_length"),
    ("json_extract_path", "pg_json_extract"),
    ("json_extract_path_text", "pg_json_extract_text"),
    ("json_typeof", "pg_json_typeof"),
    ("jsonb_array_length", "pg_json_length"),
    ("jsonb_exists", "pg_json_has"),
    ("jsonb_extract_path", "pg_json_extract"),
    ("jsonb_extract_path_text", "pg_json_extract_text"),
    ("jsonb_typeof", "pg_json_typeof"),
    ("left", "pg_left"),
    ("ln", "pg_ln"),
    ("log", "pg_log"),
    ("mod", "pg_mod"),
    ("regexp_like", "pg_regex_is_match"),
    ("regexp_match", "pg_regexp_match"),
    ("regexp_replace", "pg_regexp_replace"),
    ("regexp_split_to_array", "pg_regexp_split"),
    ("right", "pg_right"),
    ("round", "pg_round"),
    ("split_part", "pg_split_part"),
    ("sqrt", "pg_sqrt"),
    ("timezone", "pg_timezone"),
    ("to_char", "pg_to_char"),
    ("trunc", "pg_trunc"),
    // Made by the rewrite of FROM.
    ("pg_json_elements", "pg_json_elements"),
    ("pg_json_elements_text", "pg_json_elements_text"),
    ("pg_json_keys", "pg_json_keys"),
    ("pg_json_values", "pg_json_values"),
    ("pg_json_values_text", "pg_json_values_text"),
    ("pg_regexp_split", "pg_regexp_split"),
    ("pg_series", "pg_series"),
];

pub(super) fn rewrite(mut function: Function) -> Result<Expr, String> {
    let name = names::of_function(&function.name);
    if function.name.0.len() > 1 && !function.name.to_string().to_lowercase().starts_with("pg_catalog.") {
        return Err(format!("the function {}", function.name));
    }
    if aggregates::is(&name) {
        return aggregates::rewrite(&name, function);
    }
    if function.filter.is_some() || function.over.is_some() || !function.within_group.is_empty() {
        return Err(format!("the aggregate {name}"));
    }
    if let Some((_, ours)) = OURS.iter().find(|(theirs, _)| *theirs == name) {
        if name == "log" && args(&function)?.len() != 1 {
            return Err("log with a base".into());
        }
        function.name = object(ours);
        return Ok(Expr::Function(function));
    }
    if SAME.contains(&name.as_str()) {
        function.name = object(&name);
        return Ok(Expr::Function(function));
    }
    special(&name, &function)
}

/// The arguments, if all are plain expressions.
pub(super) fn args(function: &Function) -> Result<Vec<Expr>, String> {
    let list = match &function.args {
        FunctionArguments::None => return Ok(Vec::new()),
        FunctionArguments::List(list) => list,
        FunctionArguments::Subquery(_) => return Err("a query as an argument".into()),
    };
    let each = list.args.iter().map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(e)) => Ok(e.clone()),
        _ => Err(format!("this argument of {}", function.name)),
    });
    each.collect()
}

fn special(name: &str, function: &Function) -> Result<Expr, String> {
    if name == "make_interval" {
        return make_interval(function);
    }
    let args = args(function)?;
    Ok(match (name, args.as_slice()) {
        (
            "now" | "current_timestamp" | "transaction_timestamp" | "statement_timestamp" | "clock_timestamp",
            [],
        ) => now(),
        ("current_date", []) => call("pg_to_date", vec![now()]),
        ("localtimestamp", []) => call("pg_to_timestamp", vec![now()]),
        ("length" | "char_length" | "character_length", [_]) => call("character_length", args),
        ("position", [_, _]) => call("strpos", vec![args[1].clone(), args[0].clone()]),
        ("concat", _) => call("concat", args.into_iter().map(out).collect()),
        ("concat_ws", [by, rest @ ..]) => {
            let rest = rest.iter().cloned().map(out);
            call("concat_ws", std::iter::once(by.clone()).chain(rest).collect())
        }
        ("nullif", [a, b]) => Expr::Case {
            case_token: AttachedToken::empty(),
            end_token: AttachedToken::empty(),
            operand: None,
            conditions: vec![CaseWhen {
                condition: binary(a.clone(), Op::Eq, b.clone()),
                result: super::build::value(sqlparser::ast::Value::Null),
            }],
            else_result: Some(Box::new(a.clone())),
        },
        ("age", [a, b]) => call("pg_age", vec![a.clone(), b.clone()]),
        ("age", [a]) => {
            let midnight = call("pg_date_trunc", vec![text("day"), now()]);
            call("pg_age", vec![midnight, a.clone()])
        }
        ("to_timestamp", [_]) => call("pg_from_epoch", args),
        ("encode", [bytes, format]) if literal(format) == Some("hex") => call("pg_hex", vec![bytes.clone()]),
        ("regexp_count", [a, b]) => call("pg_regexp_count", vec![a.clone(), b.clone()]),
        ("regexp_substr", [a, b]) => {
            // Unlike substring, it gives the whole match.
            if literal(b).is_none_or(|pattern| pattern.contains('(')) {
                return Err("regexp_substr with groups".into());
            }
            call("pg_regexp_substring", vec![a.clone(), b.clone()])
        }
        ("generate_series", _) => call("unnest", vec![call("pg_series", args)]),
        ("regexp_split_to_table", _) => call("unnest", vec![call("pg_regexp_split", args)]),
        ("substring", [a, pattern]) if literal(pattern).is_some() => {
            call("pg_regexp_substring", vec![a.clone(), pattern.clone()])
        }
        ("substring", _) => call("substr", args),
        ("trim", _) => call("btrim", args),
        _ => return Err(format!("the function {name}")),
    })
}

pub(super) fn now() -> Expr {
    call("pg_now", vec![])
}

fn out(e: Expr) -> Expr {
    if literal(&e).is_some() { e } else { call("pg_out", vec![e]) }
}

fn make_interval(function: &Function) -> Result<Expr, String> {
    const FIELDS: [&str; 7] = ["years", "months", "weeks", "days", "hours", "mins", "secs"];
    let mut all = FIELDS.map(|_| number(0));
    let FunctionArguments::List(list) = &function.args else {
        return Err("make_interval without arguments".into());
    };
    for (i, arg) in list.args.iter().enumerate() {
        let (at, value) = match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(e)) => (Some(i), e),
            FunctionArg::Named { name, arg: FunctionArgExpr::Expr(e), .. } => {
                (FIELDS.iter().position(|field| name.value.eq_ignore_ascii_case(field)), e)
            }
            FunctionArg::ExprNamed {
                name: Expr::Identifier(name), arg: FunctionArgExpr::Expr(e), ..
            } => (FIELDS.iter().position(|field| name.value.eq_ignore_ascii_case(field)), e),
            _ => (None, &all[0]),
        };
        let value = value.clone();
        let slot = at.and_then(|at| all.get_mut(at)).ok_or("this argument of make_interval")?;
        *slot = value;
    }
    Ok(call("pg_make_interval", all.into()))
}
