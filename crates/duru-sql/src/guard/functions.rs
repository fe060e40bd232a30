//! The functions that a query may call. Whatever is not here is refused.

/// How a function is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Scalar,
    /// Makes one value of many rows, no larger than one of them.
    Aggregate,
    /// Puts many rows into one value.
    Gather,
    Window,
    /// Gives rows; the columns' names, none: the function's own name.
    Rows(&'static [&'static str]),
    /// Gives rows whose columns the caller names.
    Record,
    /// A moment of the clock.
    Clock,
}

/// What the guard has to know of a function, by its name in lower case.
pub(super) fn find(name: &str) -> Option<Use> {
    if SCALAR.binary_search(&name).is_ok() {
        return Some(Use::Scalar);
    }
    match name {
        "count" | "sum" | "avg" | "min" | "max" | "bool_and" | "bool_or" | "every" | "stddev"
        | "stddev_pop" | "stddev_samp" | "variance" | "var_pop" | "var_samp" | "corr" | "covar_pop"
        | "covar_samp" | "regr_avgx" | "regr_avgy" | "regr_count" | "regr_intercept" | "regr_r2"
        | "regr_slope" | "regr_sxx" | "regr_sxy" | "regr_syy" | "percentile_cont" | "percentile_disc"
        | "mode" | "bit_and" | "bit_or" | "bit_xor" => Some(Use::Aggregate),
        // These are window functions and, with WITHIN GROUP, aggregates.
        "rank" | "dense_rank" | "percent_rank" | "cume_dist" => Some(Use::Window),
        "row_number" | "ntile" | "lag" | "lead" | "first_value" | "last_value" | "nth_value" => {
            Some(Use::Window)
        }
        "string_agg" | "array_agg" | "json_agg" | "jsonb_agg" | "json_object_agg" | "jsonb_object_agg" => {
            Some(Use::Gather)
        }
        "json_each" | "jsonb_each" | "json_each_text" | "jsonb_each_text" => {
            Some(Use::Rows(&["key", "value"]))
        }
        "json_array_elements"
        | "jsonb_array_elements"
        | "json_array_elements_text"
        | "jsonb_array_elements_text" => Some(Use::Rows(&["value"])),
        "generate_series"
        | "generate_subscripts"
        | "unnest"
        | "regexp_matches"
        | "regexp_split_to_table"
        | "string_to_table"
        | "json_object_keys"
        | "jsonb_object_keys"
        | "jsonb_path_query"
        | "jsonb_path_query_tz" => Some(Use::Rows(&[])),
        "json_to_record" | "jsonb_to_record" | "json_to_recordset" | "jsonb_to_recordset" => {
            Some(Use::Record)
        }
        "now"
        | "transaction_timestamp"
        | "statement_timestamp"
        | "clock_timestamp"
        | "current_timestamp"
        | "current_date"
        | "current_time"
        | "localtimestamp"
        | "localtime" => Some(Use::Clock),
        _ => None,
    }
}

/// Sorted, for the search above.
const SCALAR: &[&str] = &[
    "abs",
    "acos",
    "age",
    "array_append",
    "array_cat",
    "array_dims",
    "array_length",
    "array_lower",
    "array_ndims",
    "array_position",
    "array_positions",
    "array_prepend",
    "array_remove",
    "array_replace",
    "array_to_json",
    "array_to_string",
    "array_upper",
    "ascii",
    "asin",
    "atan",
    "atan2",
    "bit_count",
    "bit_length",
    "btrim",
    "cardinality",
    "cbrt",
    "ceil",
    "ceiling",
    "char_length",
    "character_length",
    "chr",
    "coalesce",
    "concat",
    "concat_ws",
    "convert_from",
    "convert_to",
    "cos",
    "cot",
    "date",
    "date_bin",
    "date_part",
    "date_trunc",
    "daterange",
    "decode",
    "degrees",
    "div",
    "encode",
    "exp",
    "family",
    "floor",
    "format",
    "gcd",
    "get_byte",
    "greatest",
    "grouping",
    "hashtext",
    "hashtextextended",
    "host",
    "initcap",
    "int4range",
    "int8range",
    "isempty",
    "isfinite",
    "json_array_length",
    "json_build_array",
    "json_build_object",
    "json_extract_path",
    "json_extract_path_text",
    "json_strip_nulls",
    "json_typeof",
    "jsonb_array_length",
    "jsonb_build_array",
    "jsonb_build_object",
    "jsonb_exists",
    "jsonb_exists_all",
    "jsonb_exists_any",
    "jsonb_extract_path",
    "jsonb_extract_path_text",
    "jsonb_object",
    "jsonb_path_exists",
    "jsonb_path_exists_tz",
    "jsonb_path_match",
    "jsonb_path_match_tz",
    "jsonb_path_query_array",
    "jsonb_path_query_array_tz",
    "jsonb_path_query_first",
    "jsonb_path_query_first_tz",
    "jsonb_pretty",
    "jsonb_set",
    "jsonb_strip_nulls",
    "jsonb_typeof",
    "justify_days",
    "justify_hours",
    "justify_interval",
    "lcm",
    "least",
    "left",
    "length",
    "ln",
    "log",
    "log10",
    "lower",
    "lower_inc",
    "lower_inf",
    "lpad",
    "ltrim",
    "make_date",
    "make_interval",
    "make_time",
    "make_timestamp",
    "make_timestamptz",
    "masklen",
    "md5",
    "min_scale",
    "mod",
    "network",
    "nullif",
    "num_nonnulls",
    "num_nulls",
    "numrange",
    "octet_length",
    "phraseto_tsquery",
    "pi",
    "plainto_tsquery",
    "power",
    "radians",
    "random",
    "range_merge",
    "regexp_count",
    "regexp_instr",
    "regexp_like",
    "regexp_match",
    "regexp_replace",
    "regexp_split_to_array",
    "regexp_substr",
    "repeat",
    "replace",
    "reverse",
    "right",
    "round",
    "row",
    "row_to_json",
    "rpad",
    "rtrim",
    "scale",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sign",
    "sin",
    "split_part",
    "sqrt",
    "starts_with",
    "string_to_array",
    "strpos",
    "substr",
    "tan",
    "timezone",
    "to_char",
    "to_date",
    "to_hex",
    "to_json",
    "to_jsonb",
    "to_number",
    "to_timestamp",
    "to_tsquery",
    "to_tsvector",
    "translate",
    "trim_array",
    "trim_scale",
    "trunc",
    "ts_rank",
    "ts_rank_cd",
    "tsrange",
    "tstzrange",
    "upper",
    "upper_inc",
    "upper_inf",
    "websearch_to_tsquery",
    "width_bucket",
];

/// Whether a function makes text, arrays or JSON larger than what goes in.
pub(super) fn builds(name: &str) -> bool {
    matches!(
        name,
        "array_append"
            | "array_cat"
            | "array_prepend"
            | "array_replace"
            | "array_to_json"
            | "array_to_string"
            | "concat"
            | "concat_ws"
            | "encode"
            | "format"
            | "json_build_array"
            | "json_build_object"
            | "jsonb_build_array"
            | "jsonb_build_object"
            | "jsonb_object"
            | "jsonb_pretty"
            | "jsonb_set"
            | "lpad"
            | "power"
            | "exp"
            | "regexp_replace"
            | "repeat"
            | "replace"
            | "row"
            | "row_to_json"
            | "rpad"
            | "string_to_array"
            | "regexp_split_to_array"
            | "to_json"
            | "to_jsonb"
            | "to_tsvector"
            | "lcm"
    )
}

/// Which argument of a function is a regular expression.
pub(super) fn takes_pattern(name: &str) -> bool {
    name.starts_with("regexp_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(SCALAR.is_sorted(), "the search needs it");
    }
}
