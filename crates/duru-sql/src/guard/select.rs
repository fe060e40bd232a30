//! One SELECT.

use std::rc::Rc;

use sqlparser::ast::{
    Expr, GroupByExpr, Ident, NamedWindowDefinition, NamedWindowExpr, Select, SelectFlavor, SelectItem,
    SelectItemQualifiedWildcardKind, Spanned, WildcardAdditionalOptions, WindowFrame, WindowFrameBound,
    WindowSpec,
};

use super::from::From;
use super::join;
use super::names::{fold, parts, quote};
use super::refusal::{Refusal, Rule};
use super::scope::{Column, Ctes, Scope, Shape};
use super::size::{GROUPS, MOST_ROWS, Size};
use super::walk::{Result, Walk, absent};

impl Walk<'_> {
    pub(super) fn select<'o>(
        &mut self,
        select: &mut Select,
        outer: Option<&'o Scope<'o>>,
        ctes: &Rc<Ctes>,
    ) -> Result<(Shape, Scope<'o>)> {
        let Select {
            select_token: _,
            optimizer_hints,
            distinct,
            select_modifiers,
            top,
            top_before_distinct,
            projection,
            exclude,
            into,
            from,
            lateral_views,
            prewhere,
            selection,
            connect_by,
            group_by,
            cluster_by,
            distribute_by,
            sort_by,
            having,
            named_window,
            qualify,
            window_before_qualify: _,
            value_table_mode,
            flavor,
        } = select;
        // A comment in the grammar of other databases.
        optimizer_hints.clear();
        absent(select_modifiers.is_some(), "SELECT modifiers")?;
        absent(top.is_some() || *top_before_distinct, "TOP")?;
        absent(exclude.is_some(), "EXCLUDE")?;
        absent(into.is_some(), "SELECT INTO")?;
        absent(!lateral_views.is_empty(), "LATERAL VIEW")?;
        absent(prewhere.is_some(), "PREWHERE")?;
        absent(!connect_by.is_empty(), "CONNECT BY")?;
        absent(!cluster_by.is_empty() || !distribute_by.is_empty() || !sort_by.is_empty(), "SORT BY")?;
        absent(qualify.is_some(), "QUALIFY")?;
        absent(value_table_mode.is_some(), "SELECT AS")?;
        absent(*flavor != SelectFlavor::Standard, "FROM without SELECT")?;

        let mut scope = Scope::new(outer, Rc::clone(ctes));
        let mut sources = From::default();
        for item in from.iter_mut() {
            self.item(item, &mut scope, &mut sources)?;
        }
        if let Some(selection) = selection {
            self.expr(selection, &scope)?;
            sources.conditions.push(selection.clone());
        }
        self.own_rules(&sources);
        let rows = join::rows(&scope, &sources)?;
        if rows > MOST_ROWS {
            return Err(Refusal::new(Rule::CrossJoin, format!("~{rows} rows")).at(select.select_token.0.span));
        }
        let grouped = match group_by {
            GroupByExpr::Expressions(keys, modifiers) => {
                absent(!modifiers.is_empty(), "GROUP BY … WITH")?;
                !keys.is_empty()
            }
            GroupByExpr::All(_) => return Err(Refusal::new(Rule::Construct, "GROUP BY ALL")),
        };
        scope.group = if grouped { rows.div_ceil(GROUPS) } else { rows };
        for NamedWindowDefinition(name, _) in named_window.iter_mut() {
            let name = quote(name)?;
            scope.windows.push(name);
        }

        let mut columns = Vec::new();
        let mut rest = rows;
        for item in projection.iter_mut() {
            let aggregates = self.output(item, &scope, &mut columns)?;
            if aggregates && !grouped {
                rest = 1;
            }
        }
        if grouped {
            rest = rows.min(GROUPS);
        }
        let shape = Shape { columns, rows: rest, keys: Vec::new() };

        // In these clauses a result's column may be named, too.
        scope.outputs.clone_from(&shape.columns);
        if let GroupByExpr::Expressions(keys, _) = group_by {
            for key in keys.iter_mut() {
                self.grouping(key, &scope)?;
            }
        }
        let distinct = self.distinct(distinct.as_mut(), &scope)?;
        let outputs = std::mem::take(&mut scope.outputs);
        if let Some(having) = having {
            self.expr(having, &scope)?;
        }
        for NamedWindowDefinition(_, window) in named_window {
            match window {
                NamedWindowExpr::NamedWindow(name) => self.window_name(name, &scope)?,
                NamedWindowExpr::WindowSpec(spec) => self.window(spec, &scope)?,
            }
        }
        if let GroupByExpr::Expressions(keys, _) = group_by {
            self.widen(keys, projection, having.as_ref(), &sources);
        }
        scope.outputs = outputs;
        let rows = if distinct { shape.rows.min(super::size::LARGE) } else { shape.rows };
        Ok((Shape { rows, ..shape }, scope))
    }

    /// One item of the list after SELECT, and whether it aggregates.
    fn output(
        &mut self,
        item: &mut SelectItem,
        scope: &Scope<'_>,
        columns: &mut Vec<Column>,
    ) -> Result<bool> {
        let (aggregates, named) = match item {
            SelectItem::UnnamedExpr(expr) => {
                let name = own_name(expr);
                let aggregates = super::aggregates::has(expr);
                let before = self.guard.clock.is_some().then(|| expr.clone());
                let size = self.expr(expr, scope)?;
                columns.push(Column { name: name.clone(), size });
                // A clock that was replaced keeps its column's name.
                let replaced = before.is_some_and(|before| matches!(before, Expr::Function(_)))
                    && !matches!(expr, Expr::Function(_));
                (aggregates, replaced.then_some(name))
            }
            SelectItem::ExprWithAlias { expr, alias } => {
                let aggregates = super::aggregates::has(expr);
                let size = self.expr(expr, scope)?;
                columns.push(Column { name: quote(alias)?, size });
                (aggregates, None)
            }
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                plain(options)?;
                let span = name.span();
                let words = parts(name)?;
                let relation = match words.as_slice() {
                    [relation] => scope.relation(relation),
                    [schema, relation] => scope
                        .relation(relation)
                        .filter(|relation| relation.schema.as_deref() == Some(schema.as_str())),
                    _ => None,
                };
                let relation = relation.ok_or_else(|| Refusal::new(Rule::Table, words.join(".")).at(span))?;
                columns.extend(relation.shape.columns.iter().cloned());
                if words.len() == 2 {
                    name.0.remove(0);
                }
                (false, None)
            }
            SelectItem::Wildcard(options) => {
                plain(options)?;
                let all = scope.relations.iter().flat_map(|relation| relation.shape.columns.iter().cloned());
                columns.extend(all);
                (false, None)
            }
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(expr), _) => {
                return Err(Refusal::new(Rule::Attribute, expr.to_string()).at(expr.span()));
            }
            SelectItem::ExprWithAliases { expr, .. } => {
                return Err(Refusal::new(Rule::Construct, expr.to_string()).at(expr.span()));
            }
        };
        if let (Some(name), SelectItem::UnnamedExpr(expr)) = (named, &mut *item) {
            *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias: Ident::with_quote('"', name) };
        }
        Ok(aggregates)
    }

    fn grouping(&mut self, key: &mut Expr, scope: &Scope<'_>) -> Result<()> {
        match key {
            Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => {
                let keys: usize = sets.iter().map(Vec::len).sum();
                if keys > 12 {
                    return Err(Refusal::new(Rule::TooLarge, "GROUPING SETS").at(key.span()));
                }
                for inner in sets.iter_mut().flatten() {
                    self.deeper(|walk| walk.grouping(inner, scope))?;
                }
                Ok(())
            }
            other => self.expr(other, scope).map(drop),
        }
    }

    pub(super) fn window_name(&mut self, name: &mut Ident, scope: &Scope<'_>) -> Result<()> {
        let span = name.span;
        let name = quote(name)?;
        if scope.windows.contains(&name) { Ok(()) } else { Err(Refusal::new(Rule::Column, name).at(span)) }
    }

    pub(super) fn window(&mut self, spec: &mut WindowSpec, scope: &Scope<'_>) -> Result<()> {
        let WindowSpec { window_name, partition_by, order_by, window_frame } = spec;
        if let Some(name) = window_name {
            self.window_name(name, scope)?;
        }
        for expr in partition_by {
            self.expr(expr, scope)?;
        }
        self.keys(order_by, scope)?;
        if let Some(WindowFrame { units: _, start_bound, end_bound }) = window_frame {
            for bound in std::iter::once(start_bound).chain(end_bound) {
                match bound {
                    WindowFrameBound::CurrentRow
                    | WindowFrameBound::Preceding(None)
                    | WindowFrameBound::Following(None) => {}
                    WindowFrameBound::Preceding(Some(expr)) | WindowFrameBound::Following(Some(expr)) => {
                        self.expr(expr, scope)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The columns and rows of what is finally returned.
    pub(super) fn result(&self, shape: &Shape) -> Result<()> {
        const COLUMNS: usize = 64;
        if shape.columns.len() > COLUMNS {
            return Err(Refusal::new(Rule::TooManyColumns, format!("{} > {COLUMNS}", shape.columns.len())));
        }
        let row: Size = shape.columns.iter().map(|column| column.size).sum();
        let fetched = shape.rows.clamp(1, 1_000);
        let all = Size { plain: row.plain, gathered: row.gathered.saturating_mul(fetched) };
        if !all.fits() {
            return Err(Refusal::new(Rule::TooLarge, ""));
        }
        Ok(())
    }
}

fn plain(options: &WildcardAdditionalOptions) -> Result<()> {
    let WildcardAdditionalOptions {
        wildcard_token: _,
        opt_ilike,
        opt_exclude,
        opt_except,
        opt_replace,
        opt_rename,
        opt_alias,
    } = options;
    let any = opt_ilike.is_some() || opt_exclude.is_some() || opt_except.is_some();
    absent(any || opt_replace.is_some() || opt_rename.is_some() || opt_alias.is_some(), "* with options")
}

/// What PostgreSQL calls a column that has no alias.
fn own_name(expr: &Expr) -> String {
    match expr {
        Expr::Identifier(ident) => fold(ident),
        Expr::CompoundIdentifier(parts) => parts.last().map(fold).unwrap_or_default(),
        Expr::Function(function) => function
            .name
            .0
            .last()
            .map(|part| part.to_string())
            .map_or_else(String::new, |name| name.trim_matches('"').to_ascii_lowercase()),
        Expr::Nested(inner) | Expr::Collate { expr: inner, .. } => own_name(inner),
        Expr::Cast { expr, data_type, .. } => match own_name(expr) {
            name if name == "?column?" => data_type.to_string().to_ascii_lowercase(),
            name => name,
        },
        Expr::Case { else_result, .. } => match else_result.as_deref().map(own_name) {
            Some(name) if name != "?column?" => name,
            _ => "case".into(),
        },
        Expr::CompoundFieldAccess { root, .. } => own_name(root),
        Expr::Exists { .. } => "exists".into(),
        Expr::Array(_) => "array".into(),
        Expr::Extract { .. } => "extract".into(),
        Expr::Ceil { .. } => "ceil".into(),
        Expr::Floor { .. } => "floor".into(),
        Expr::Substring { .. } => "substring".into(),
        Expr::Trim { .. } => "btrim".into(),
        Expr::Overlay { .. } => "overlay".into(),
        Expr::Position { .. } => "position".into(),
        Expr::AtTimeZone { .. } => "timezone".into(),
        Expr::Interval(_) => "interval".into(),
        Expr::Subquery(query) => match query.body.as_select().and_then(|select| select.projection.first()) {
            Some(SelectItem::UnnamedExpr(expr)) => own_name(expr),
            Some(SelectItem::ExprWithAlias { alias, .. }) => fold(alias),
            _ => "?column?".into(),
        },
        _ => "?column?".into(),
    }
}
