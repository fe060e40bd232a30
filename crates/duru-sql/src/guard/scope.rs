//! Which names mean what: relations and their columns, from the innermost query outward.

use std::rc::Rc;

use super::size::Size;

#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) size: Size,
}

/// What a query gives: its columns and, by our guess, how many rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    pub(super) columns: Vec<Column>,
    pub(super) rows: u64,
    /// Columns that tell a table's rows, or those of another, apart.
    pub(super) keys: Vec<String>,
}

impl Shape {
    /// By the catalog's keys; where it has none, by names that say so.
    pub(super) fn is_key(&self, column: &str) -> bool {
        let said = column == "id" || column.ends_with("_id");
        self.keys.iter().any(|key| key == column) || said && self.column(column).is_some()
    }

    pub(super) fn size(&self) -> Size {
        self.columns.iter().map(|column| column.size + Size::plain(8)).sum()
    }

    pub(super) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// Something in a FROM clause.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    /// None for a subquery without an alias: only its columns can be named.
    pub(super) name: Option<String>,
    /// Of a table that has no alias: it may be named with its schema.
    pub(super) schema: Option<String>,
    pub(super) shape: Rc<Shape>,
    /// Sees what stands before it, so it is joined by what it says itself.
    pub(super) lateral: bool,
}

/// A name of a WITH clause.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) name: String,
    /// None as long as it may not be used: it comes later, or it is being defined.
    pub(super) shape: Option<Rc<Shape>>,
    /// The query that is being defined, in its recursive part.
    pub(super) itself: bool,
}

pub(super) type Ctes = Vec<Named>;

/// What an expression may name.
#[derive(Debug, Clone)]
pub(super) struct Scope<'o> {
    pub(super) outer: Option<&'o Scope<'o>>,
    pub(super) ctes: Rc<Ctes>,
    pub(super) relations: Vec<Relation>,
    /// Names of the result's columns, where they may be used.
    pub(super) outputs: Vec<Column>,
    pub(super) windows: Vec<String>,
    /// How many rows an aggregate here takes in, by our guess.
    pub(super) group: u64,
}

impl<'o> Scope<'o> {
    pub(super) fn new(outer: Option<&'o Scope<'o>>, ctes: Rc<Ctes>) -> Self {
        Self { outer, ctes, relations: Vec::new(), outputs: Vec::new(), windows: Vec::new(), group: 1 }
    }

    /// A relation by the name that stands before a dot.
    pub(super) fn relation(&self, name: &str) -> Option<&Relation> {
        let mut scope = Some(self);
        while let Some(here) = scope {
            let found = here.relations.iter().find(|relation| relation.name.as_deref() == Some(name));
            if found.is_some() {
                return found;
            }
            scope = here.outer;
        }
        None
    }

    /// What a bare name means: a column, else a whole row.
    pub(super) fn bare(&self, name: &str) -> Option<Size> {
        if let Some(column) = self.outputs.iter().find(|column| column.name == name) {
            return Some(column.size);
        }
        let mut scope = Some(self);
        while let Some(here) = scope {
            let column = here.relations.iter().find_map(|relation| relation.shape.column(name));
            if let Some(column) = column {
                return Some(column.size);
            }
            scope = here.outer;
        }
        self.relation(name).map(|relation| relation.shape.size())
    }

    pub(super) fn cte(&self, name: &str) -> Option<&Named> {
        self.ctes.iter().rev().find(|named| named.name == name)
    }
}
