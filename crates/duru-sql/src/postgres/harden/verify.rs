//! What is missing of the hardening.

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::apply::CONNECT_TIMEOUT;
use super::finding::{Finding, Gap};
use super::rules::{ADDED, PEOPLES_RELATION, POLICY_LIVE, SETTINGS, SYSTEM_RELATION, WITHHELD};
use crate::postgres::names::{quoted, table};
use crate::postgres::{connection, failure};
use crate::store::Error;
use crate::{Catalog, Table};

/// So many names stand in one finding; more are counted.
const NAMES: usize = 5;

/// What the database lacks of the hardening for these tables and this role,
/// each with its fix; nothing if it is as it should be.
///
/// # Errors
/// If the database can't be reached or its catalogs can't be read.
pub async fn verify(url: &str, catalog: &Catalog, role: &str) -> Result<Vec<Finding>, Error> {
    let lease = connection::single(connection::parse(url)?, CONNECT_TIMEOUT).await?;
    let look = Look { client: lease.client(), role };
    if look.rows("SELECT FROM pg_roles WHERE rolname = $1").await?.is_empty() {
        let fix = "duru db harden --apply".to_owned();
        return Ok(vec![Finding { gap: Gap::NoRole, subject: role.to_owned(), fix }]);
    }
    let mut findings = look.role().await?;
    for table in &catalog.tables {
        findings.extend(look.table(table).await?);
    }
    findings.extend(look.others(catalog).await?);
    Ok(findings)
}

struct Look<'a> {
    client: &'a Client,
    role: &'a str,
}

impl Look<'_> {
    async fn rows(&self, sql: &str) -> Result<Vec<Row>, Error> {
        self.rows_with(sql, &[(&self.role, Type::TEXT)]).await
    }

    async fn rows_with(&self, sql: &str, values: &[(&(dyn ToSql + Sync), Type)]) -> Result<Vec<Row>, Error> {
        self.client.query_typed(sql, values).await.map_err(|e| failure::of(&e))
    }

    async fn names(&self, sql: &str) -> Result<Vec<String>, Error> {
        let rows = self.rows(sql).await?;
        rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(|e| failure::of(&e))
    }

    async fn role(&self) -> Result<Vec<Finding>, Error> {
        let role = quoted(self.role);
        let attributes = self
            .names(
                "SELECT word FROM pg_roles, LATERAL (VALUES (rolsuper, 'SUPERUSER'), (rolcreatedb, 'CREATEDB'), \
                 (rolcreaterole, 'CREATEROLE'), (rolreplication, 'REPLICATION'), (rolbypassrls, 'BYPASSRLS')) \
                 AS has(it, word) WHERE rolname = $1 AND it",
            )
            .await?;
        let memberships = self
            .names(
                "SELECT g.rolname::text FROM pg_auth_members x JOIN pg_roles g ON g.oid = x.roleid \
                 JOIN pg_roles m ON m.oid = x.member WHERE m.rolname = $1",
            )
            .await?;
        let settings = self
            .names("SELECT split_part(unnest(rolconfig), '=', 1) FROM pg_roles WHERE rolname = $1")
            .await?;
        let mut findings = Vec::new();
        for word in attributes {
            let fix = format!("ALTER ROLE {role} NO{word}");
            findings.push(Finding { gap: Gap::Attribute, subject: word, fix });
        }
        for group in memberships {
            let fix = format!("REVOKE {} FROM {role}", quoted(&group));
            findings.push(Finding { gap: Gap::Membership, subject: group, fix });
        }
        for (name, value) in SETTINGS {
            if !settings.iter().any(|known| known == name) {
                let fix = format!("ALTER ROLE {role} SET {name} = '{value}'");
                findings.push(Finding { gap: Gap::Setting, subject: name.to_owned(), fix });
            }
        }
        if !settings.iter().any(|known| known == "search_path") {
            let fix = "duru db harden --apply".to_owned();
            findings.push(Finding { gap: Gap::Setting, subject: "search_path".to_owned(), fix });
        }
        Ok(findings)
    }

    async fn table(&self, allowed: &Table) -> Result<Vec<Finding>, Error> {
        let name = table(&allowed.schema, &allowed.name);
        let role = quoted(self.role);
        let finding = |gap, fix: String| Finding { gap, subject: name.clone(), fix };
        let columns: Vec<&str> = allowed.columns.iter().map(|column| column.name.as_str()).collect();
        let rows = self
            .rows_with(
                "SELECT c.relkind IN ('v', 'm', 'f'), \
                   (SELECT bool_and(has_column_privilege($1, c.oid, wanted.name, 'SELECT')) \
                      FROM unnest($4) AS wanted(name) \
                      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = wanted.name), \
                   EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped \
                      AND a.attname <> ALL ($4) AND has_column_privilege($1, c.oid, a.attnum, 'SELECT')), \
                   has_table_privilege($1, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER') \
                     OR has_any_column_privilege($1, c.oid, 'INSERT, UPDATE'), \
                   c.relrowsecurity AND EXISTS (SELECT FROM pg_policy p JOIN pg_roles r ON r.oid = ANY (p.polroles) \
                      WHERE p.polrelid = c.oid AND p.polname = $5 AND NOT p.polpermissive AND r.rolname = $1), \
                   pg_has_role($1, c.relowner, 'MEMBER') \
                 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                 WHERE n.nspname = $2 AND c.relname = $3",
                &[
                    (&self.role, Type::TEXT),
                    (&allowed.schema, Type::TEXT),
                    (&allowed.name, Type::TEXT),
                    (&columns, Type::TEXT_ARRAY),
                    (&POLICY_LIVE, Type::TEXT),
                ],
            )
            .await?;
        let Some(row) = rows.first() else { return Ok(vec![finding(Gap::NoTable, String::new())]) };
        let get = |index: usize| row.try_get::<_, Option<bool>>(index).map_err(|e| failure::of(&e));
        let is = |index: usize| get(index).map(|value| value.unwrap_or(false));
        let mut findings = Vec::new();
        if !is(1)? {
            let columns: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
            let fix = format!("GRANT SELECT ({}) ON {name} TO {role}", columns.join(", "));
            findings.push(finding(Gap::NotReadable, fix));
        }
        if is(2)? {
            let fix = format!("REVOKE SELECT ON {name} FROM {role}, PUBLIC; then duru db harden --apply");
            findings.push(finding(Gap::Readable, fix));
        }
        if is(3)? || is(5)? {
            findings.push(finding(Gap::Writable, format!("REVOKE ALL ON {name} FROM {role}, PUBLIC")));
        }
        match &allowed.soft_delete {
            Some(_) if is(0)? => {
                let fix = "put the condition into the view itself".to_owned();
                findings.push(finding(Gap::View, fix));
            }
            Some(condition) if !is(4)? => {
                let fix = format!(
                    "ALTER TABLE {name} ENABLE ROW LEVEL SECURITY; CREATE POLICY {POLICY_LIVE} ON {name} \
                     AS RESTRICTIVE FOR SELECT TO {role} USING ({condition})"
                );
                findings.push(finding(Gap::NoRowSecurity, fix));
            }
            _ => {}
        }
        Ok(findings)
    }

    /// What the role may besides.
    async fn others(&self, catalog: &Catalog) -> Result<Vec<Finding>, Error> {
        let again = || "duru db harden --apply (as a superuser)".to_owned();
        let mut findings = Vec::new();
        let readable = format!(
            "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c \
             JOIN pg_namespace n ON n.oid = c.relnamespace WHERE {PEOPLES_RELATION} \
             AND has_schema_privilege($1, n.oid, 'USAGE') AND (has_any_column_privilege($1, c.oid, 'SELECT') \
               OR has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')) ORDER BY 1"
        );
        let allowed: Vec<String> =
            self.names_of(catalog.tables.iter().map(|table| (&table.schema, &table.name))).await?;
        for name in self.names(&readable).await? {
            if !allowed.contains(&name) {
                let fix = format!("REVOKE ALL ON {name} FROM PUBLIC, {}", quoted(self.role));
                findings.push(Finding { gap: Gap::Readable, subject: name, fix });
            }
        }
        let functions = format!(
            "SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace \
             WHERE ({WITHHELD} OR {ADDED}) AND has_schema_privilege($1, n.oid, 'USAGE') \
             AND has_function_privilege($1, p.oid, 'EXECUTE') ORDER BY 1"
        );
        let relations = format!(
            "SELECT c.oid::regclass::text FROM pg_class c WHERE {SYSTEM_RELATION} \
             AND has_any_column_privilege($1, c.oid, 'SELECT') ORDER BY 1"
        );
        for (gap, sql) in [(Gap::Functions, functions), (Gap::Catalogs, relations)] {
            let names = self.names(&sql).await?;
            if !names.is_empty() {
                findings.push(Finding { gap, subject: shorten(&names), fix: again() });
            }
        }
        let creating = "SELECT 'TEMPORARY' WHERE has_database_privilege($1, current_database(), 'TEMPORARY') \
             UNION ALL SELECT 'CREATE DATABASE' WHERE has_database_privilege($1, current_database(), 'CREATE') \
             UNION ALL SELECT format('SCHEMA %I', nspname) FROM pg_namespace \
                WHERE nspname !~ '^pg_(toast|temp)' AND has_schema_privilege($1, oid, 'CREATE') \
             UNION ALL SELECT format('LANGUAGE %I', lanname) FROM pg_language \
                WHERE lanpltrusted AND has_language_privilege($1, oid, 'USAGE')";
        let creating = self.names(creating).await?;
        if !creating.is_empty() {
            findings.push(Finding { gap: Gap::Creating, subject: shorten(&creating), fix: again() });
        }
        Ok(findings)
    }

    /// Names as the server writes them.
    async fn names_of(&self, tables: impl Iterator<Item = (&String, &String)>) -> Result<Vec<String>, Error> {
        let (schemas, names): (Vec<&str>, Vec<&str>) =
            tables.map(|(schema, name)| (schema.as_str(), name.as_str())).unzip();
        let sql = "SELECT format('%I.%I', s, n) FROM unnest($1, $2) AS t(s, n)";
        let rows = self.rows_with(sql, &[(&schemas, Type::TEXT_ARRAY), (&names, Type::TEXT_ARRAY)]).await?;
        rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(|e| failure::of(&e))
    }
}

fn shorten(names: &[String]) -> String {
    let shown = names.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMES) {
        0 => shown,
        more => format!("{shown}, +{more}"),
    }
}
