//! The SQL that hardens a database.

use super::rules::{
    ADDED, FUNCTION_IS_PUBLIC, PEOPLES_RELATION, POLICY_LIVE, POLICY_OTHERS, RELATION_IS_PUBLIC, SETTINGS,
    SYSTEM_RELATION, WITHHELD, others,
};
use crate::postgres::names::{literal, quoted, table};
use crate::{Catalog, Table};

/// The SQL that hardens a database for these tables and this role. It can be
/// run again: what is done already is left alone. A superuser runs it; what
/// somebody else may not do is skipped with a notice, and `verify` lists it.
pub fn script(catalog: &Catalog, role: &str) -> String {
    let mut text = String::from("BEGIN;\n");
    text.push_str(&roles(role));
    text.push_str(&settings(catalog, role));
    text.push_str(&clean(role));
    for table in &catalog.tables {
        text.push_str(&allow(table, role));
    }
    text.push_str(&withhold(role));
    text.push_str("COMMIT;\n");
    text
}

/// A block whose single steps may be refused without stopping the rest.
fn block(comment: &str, loops: &[String]) -> String {
    let loops = loops.concat();
    format!("\n-- {comment}\nDO $duru$ DECLARE r record; BEGIN\n{loops}END $duru$;\n")
}

/// For each row of a query with the columns `a`, `b`: these statements.
fn each(query: &str, statements: &[&str]) -> String {
    let body: String = statements
        .iter()
        .map(|statement| format!("    EXECUTE format({}, r.a, r.b);\n", literal(statement)))
        .collect();
    format!(
        "  FOR r IN {query} LOOP BEGIN\n{body}  EXCEPTION WHEN insufficient_privilege THEN\n    \
         RAISE NOTICE 'skipped, a superuser must do it: %', r.a;\n  END; END LOOP;\n"
    )
}

/// One statement that may be refused.
fn step(statement: &str) -> String {
    format!(
        "  BEGIN {statement}; EXCEPTION WHEN insufficient_privilege THEN\n    \
         RAISE NOTICE {}, SQLERRM; END;\n",
        literal("skipped, a superuser must do it: %")
    )
}

fn roles(role: &str) -> String {
    let others = others(role);
    let make = |name: &str| {
        format!(
            "  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {}) THEN CREATE ROLE {} NOLOGIN; END IF;\n",
            literal(name),
            quoted(name)
        )
    };
    let (reader, group) = (quoted(role), quoted(&others));
    let attributes = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT";
    let memberships = format!(
        "SELECT g.rolname AS a, m.rolname AS b FROM pg_auth_members x JOIN pg_roles g ON g.oid = x.roleid \
         JOIN pg_roles m ON m.oid = x.member WHERE m.rolname = {}",
        literal(role)
    );
    // Another reader must not get back what was taken from it.
    let everybody_else = format!(
        "SELECT {} AS a, u.rolname AS b FROM pg_roles u WHERE NOT u.rolsuper AND u.rolcanlogin AND u.rolname <> {} \
         AND NOT EXISTS (SELECT FROM pg_roles g WHERE g.rolname = u.rolname || '_others') \
         AND NOT pg_has_role(u.oid, {}, 'MEMBER')",
        literal(&others),
        literal(role),
        literal(&others)
    );
    block(
        "The role that queries run as, and the one that everybody else gets. New users: GRANT the second to them.",
        &[
            make(role),
            make(&others),
            step(&format!("ALTER ROLE {reader} {attributes} CONNECTION LIMIT 64")),
            step(&format!("ALTER ROLE {group} NOSUPERUSER NOLOGIN")),
            each(&memberships, &["REVOKE %I FROM %I"]),
            each(&everybody_else, &["GRANT %I TO %I"]),
            // The role that runs this may then run queries as the reader.
            format!(
                "  IF NOT pg_has_role(current_user, {}, 'MEMBER') THEN\n  {}  END IF;\n",
                literal(role),
                step(&format!("GRANT {reader} TO CURRENT_USER"))
            ),
        ],
    )
}

fn settings(catalog: &Catalog, role: &str) -> String {
    let mut schemas: Vec<String> = catalog.tables.iter().map(|table| quoted(&table.schema)).collect();
    schemas.sort_unstable();
    schemas.dedup();
    let path = if schemas.is_empty() { "pg_catalog".to_owned() } else { schemas.join(", ") };
    let mut steps = vec![step(&format!("ALTER ROLE {} SET search_path = {path}", quoted(role)))];
    for (name, value) in SETTINGS {
        steps.push(step(&format!("ALTER ROLE {} SET {name} = {}", quoted(role), literal(value))));
    }
    block("Limits that hold whenever the role logs in.", &steps)
}

/// Takes away what the role has, or what everybody has, in people's schemas.
fn clean(role: &str) -> String {
    let (reader, group) = (quoted(role), quoted(&others(role)));
    let schemas = "SELECT nspname AS a, NULL AS b FROM pg_namespace WHERE nspname NOT IN \
         ('pg_catalog', 'information_schema') AND nspname !~ '^pg_(toast|temp)'";
    let from_reader: Vec<String> = ["TABLES", "SEQUENCES", "ROUTINES"]
        .iter()
        .map(|what| format!("REVOKE ALL ON ALL {what} IN SCHEMA %I FROM {reader}"))
        .collect();
    let mut from_reader: Vec<&str> = from_reader.iter().map(String::as_str).collect();
    let schema = format!("REVOKE ALL ON SCHEMA %I FROM {reader}");
    from_reader.push(&schema);
    let shared = format!(
        "SELECT DISTINCT c.oid::regclass::text AS a, x.privilege_type AS b FROM pg_class c, \
         aclexplode(c.relacl) x WHERE x.grantee = 0 AND {PEOPLES_RELATION}"
    );
    let columns = format!(
        "SELECT DISTINCT c.oid::regclass::text AS a, format('%s (%I)', x.privilege_type, t.attname) AS b \
         FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) x \
         WHERE x.grantee = 0 AND {PEOPLES_RELATION}"
    );
    let give = format!("GRANT %2$s ON %1$s TO {group}");
    let creating = "SELECT nspname AS a, NULL AS b FROM pg_namespace n, aclexplode(n.nspacl) x \
         WHERE x.grantee = 0 AND x.privilege_type = 'CREATE'";
    let create = format!("GRANT CREATE ON SCHEMA %I TO {group}");
    block(
        "What the role has besides, and what everybody has of people's tables.",
        &[
            each(schemas, &from_reader),
            each(&shared, &[&give, "REVOKE %2$s ON %1$s FROM PUBLIC"]),
            each(&columns, &[&give, "REVOKE %2$s ON %1$s FROM PUBLIC"]),
            each(creating, &[&create, "REVOKE CREATE ON SCHEMA %I FROM PUBLIC"]),
        ],
    )
}

/// The table's columns for the role; its visible rows only.
fn allow(allowed: &Table, role: &str) -> String {
    let (name, reader) = (table(&allowed.schema, &allowed.name), quoted(role));
    let columns: Vec<String> = allowed.columns.iter().map(|column| quoted(&column.name)).collect();
    // By column: that leaves out the system's columns, which tell where rows lie.
    let mut text = format!(
        "\n-- The table {}.\nGRANT USAGE ON SCHEMA {} TO {reader};\nGRANT SELECT ({}) ON {name} TO {reader};\n",
        one_line(&allowed.name),
        quoted(&allowed.schema),
        columns.join(", ")
    );
    if let Some(condition) = &allowed.soft_delete {
        let is_table =
            format!("(SELECT relkind IN ('r', 'p') FROM pg_class WHERE oid = {}::regclass)", literal(&name));
        // Restrictive: no other policy can bring back what this one hides. The
        // other one lets everybody go on as before.
        let policies = [
            format!("ALTER TABLE {name} ENABLE ROW LEVEL SECURITY"),
            format!("DROP POLICY IF EXISTS {POLICY_OTHERS} ON {name}"),
            format!("CREATE POLICY {POLICY_OTHERS} ON {name} USING (TRUE) WITH CHECK (TRUE)"),
            format!("DROP POLICY IF EXISTS {POLICY_LIVE} ON {name}"),
            format!(
                "CREATE POLICY {POLICY_LIVE} ON {name} AS RESTRICTIVE FOR SELECT TO {reader} USING ({condition})"
            ),
        ];
        let body: String = policies.iter().map(|policy| format!("    {policy};\n")).collect();
        text.push_str(&format!(
            "DO $duru$ BEGIN IF {is_table} THEN\n{body}  ELSE\n    \
             RAISE NOTICE {}, {};\n  END IF; END $duru$;\n",
            literal("% is a view: only the guard hides its deleted rows"),
            literal(&name),
        ));
    }
    text
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Functions, catalogs, languages and temporary tables: from everybody to everybody else.
fn withhold(role: &str) -> String {
    let group = quoted(&others(role));
    let functions = format!(
        "SELECT p.oid::regprocedure::text AS a, CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END AS b \
         FROM pg_proc p WHERE ({WITHHELD} OR {ADDED}) AND {FUNCTION_IS_PUBLIC}"
    );
    let relations = format!(
        "SELECT c.oid::regclass::text AS a, NULL AS b FROM pg_class c \
         WHERE {SYSTEM_RELATION} AND {RELATION_IS_PUBLIC}"
    );
    let languages = "SELECT lanname AS a, NULL AS b FROM pg_language WHERE lanpltrusted \
         AND (lanacl IS NULL OR EXISTS (SELECT FROM aclexplode(lanacl) x WHERE x.grantee = 0))";
    let database = "SELECT datname AS a, NULL AS b FROM pg_database WHERE datname = current_database() \
         AND (datacl IS NULL OR EXISTS (SELECT FROM aclexplode(datacl) x \
              WHERE x.grantee = 0 AND x.privilege_type = 'TEMPORARY'))";
    block(
        "Functions that act or tell about the server, its catalogs, languages and temporary tables.",
        &[
            each(
                &functions,
                &[
                    &format!("GRANT EXECUTE ON %2$s %1$s TO {group}"),
                    "REVOKE EXECUTE ON %2$s %1$s FROM PUBLIC",
                ],
            ),
            each(&relations, &[&format!("GRANT SELECT ON %s TO {group}"), "REVOKE ALL ON %s FROM PUBLIC"]),
            each(
                languages,
                &[
                    &format!("GRANT USAGE ON LANGUAGE %I TO {group}"),
                    "REVOKE USAGE ON LANGUAGE %I FROM PUBLIC",
                ],
            ),
            each(
                database,
                &[
                    &format!("GRANT TEMPORARY ON DATABASE %I TO {group}"),
                    "REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC",
                ],
            ),
        ],
    )
}
