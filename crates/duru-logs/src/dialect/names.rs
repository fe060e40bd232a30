//! What PostgreSQL calls a column that has no alias.

use sqlparser::ast::{DataType, Expr, ObjectName, SelectItem, SetExpr, TrimWhereField};

const NONE: &str = "?column?";

/// The last part of a function's name, in small letters.
pub(super) fn of_function(name: &ObjectName) -> String {
    let last = name.0.last().and_then(|part| part.as_ident());
    last.map(|ident| ident.value.to_lowercase()).unwrap_or_default()
}

pub(super) fn of(e: &Expr) -> String {
    strong(e).or_else(|| weak(e)).unwrap_or_else(|| NONE.into())
}

/// Names that a cast or CASE around them keeps.
fn strong(e: &Expr) -> Option<String> {
    let folded = |ident: &sqlparser::ast::Ident| match ident.quote_style {
        Some(_) => ident.value.clone(),
        None => ident.value.to_lowercase(),
    };
    Some(match e {
        Expr::Identifier(ident) => folded(ident),
        Expr::CompoundIdentifier(parts) => folded(parts.last()?),
        Expr::Function(function) => of_function(&function.name),
        Expr::Nested(e) | Expr::Collate { expr: e, .. } => return strong(e),
        Expr::Cast { expr, .. } => return strong(expr),
        Expr::CompoundFieldAccess { root, .. } => return strong(root),
        Expr::Extract { .. } => "extract".into(),
        Expr::Ceil { .. } => "ceil".into(),
        Expr::Floor { .. } => "floor".into(),
        Expr::Position { .. } => "position".into(),
        Expr::Substring { .. } => "substring".into(),
        Expr::Overlay { .. } => "overlay".into(),
        Expr::AtTimeZone { .. } => "timezone".into(),
        Expr::Trim { trim_where, .. } => match trim_where {
            Some(TrimWhereField::Leading) => "ltrim",
            Some(TrimWhereField::Trailing) => "rtrim",
            _ => "btrim",
        }
        .into(),
        Expr::Exists { .. } => "exists".into(),
        Expr::Array(_) => "array".into(),
        Expr::Subquery(query) => match query.body.as_ref() {
            SetExpr::Select(select) => match select.projection.first()? {
                SelectItem::UnnamedExpr(e) => return strong(e),
                SelectItem::ExprWithAlias { alias, .. } => folded(alias),
                _ => return None,
            },
            _ => return None,
        },
        Expr::Case { else_result: Some(e), .. } => return strong(e),
        _ => return None,
    })
}

fn weak(e: &Expr) -> Option<String> {
    Some(match e {
        Expr::Case { .. } => "case".into(),
        Expr::Cast { data_type, .. } => of_type(data_type),
        Expr::TypedString(typed) => of_type(&typed.data_type),
        Expr::Interval(_) => "interval".into(),
        Expr::Value(value) if matches!(value.value, sqlparser::ast::Value::Boolean(_)) => "bool".into(),
        Expr::Nested(e) => return weak(e),
        _ => return None,
    })
}

fn of_type(kind: &DataType) -> String {
    let text = kind.to_string().to_lowercase();
    let bare = text.split('(').next().unwrap_or(&text).trim();
    match bare {
        "int" | "integer" | "int4" => "int4",
        "bigint" | "int8" => "int8",
        "smallint" | "int2" => "int2",
        "double precision" | "float8" | "double" | "float" => "float8",
        "real" | "float4" => "float4",
        "decimal" | "numeric" | "dec" => "numeric",
        "boolean" | "bool" => "bool",
        "timestamptz" | "timestamp with time zone" => "timestamptz",
        "timestamp without time zone" => "timestamp",
        "character varying" => "varchar",
        other => other,
    }
    .to_owned()
}
