//! What the reader may not have, as conditions that script and verification share.

/// Functions of the server's own (`p` is `pg_proc`): all that act, those that
/// tell about the server, its users and its other tables, and XML, which may
/// name things outside. What is left computes.
pub(super) const WITHHELD: &str = "(p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' \
     AND ((p.provolatile = 'v' \
           AND p.proname NOT IN ('random', 'clock_timestamp', 'timeofday', 'gen_random_uuid')) \
       OR (p.proname ~ '^(pg_|has_|txid_|lo_|be_lo|acl|makeacl|binary_upgrade|inet_(server|client)_|to_reg|\
reg(class|proc|oper|type|role|namespace|config|dictionary|collation)|current_(setting|schema|database|query)|\
version$|getdatabaseencoding|getpgusername|(sh)?obj_description|col_description|format_type|row_security|\
set_config|ts_(stat|rewrite|debug|parse|token_type)|curr(val|tid)|lastval|nextval|setval|xml|xpath|.*_to_xml)' \
         AND p.proname NOT IN ('pg_typeof', 'pg_size_pretty', 'pg_size_bytes', 'pg_column_size'))))";

/// Functions and procedures that people or extensions added.
pub(super) const ADDED: &str = "(p.pronamespace IN (SELECT oid FROM pg_namespace WHERE nspname <> 'pg_catalog' \
     AND nspname <> 'information_schema' AND nspname !~ '^pg_(toast|temp)') AND p.prokind IN ('f', 'p'))";

/// Everybody has the privilege.
pub(super) const FUNCTION_IS_PUBLIC: &str = "(p.proacl IS NULL \
     OR EXISTS (SELECT FROM aclexplode(p.proacl) a WHERE a.grantee = 0))";

/// The server's own tables and views (`c` is `pg_class`).
pub(super) const SYSTEM_RELATION: &str = "(c.relkind IN ('r', 'v') AND c.relnamespace IN \
     ('pg_catalog'::regnamespace, 'information_schema'::regnamespace))";

/// Tables and views of people.
pub(super) const PEOPLES_RELATION: &str = "(c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relnamespace IN \
     (SELECT oid FROM pg_namespace WHERE nspname NOT IN ('pg_catalog', 'information_schema') \
      AND nspname !~ '^pg_(toast|temp)'))";

/// Everybody may read it, or a column of it.
pub(super) const RELATION_IS_PUBLIC: &str = "(EXISTS (SELECT FROM aclexplode(c.relacl) a WHERE a.grantee = 0) \
     OR EXISTS (SELECT FROM pg_attribute x, aclexplode(x.attacl) a WHERE x.attrelid = c.oid AND a.grantee = 0))";

/// What holds in every session of the role.
pub(super) const SETTINGS: [(&str, &str); 8] = [
    ("default_transaction_read_only", "on"),
    ("statement_timeout", "10s"),
    ("lock_timeout", "2s"),
    ("idle_in_transaction_session_timeout", "30s"),
    ("idle_session_timeout", "30min"),
    ("work_mem", "16MB"),
    ("temp_file_limit", "256MB"),
    ("max_parallel_workers_per_gather", "2"),
];

/// The names of the policies on a table with a soft-delete rule.
pub(super) const POLICY_LIVE: &str = "duru_live";
pub(super) const POLICY_OTHERS: &str = "duru_others";

/// The role that gets what is taken from everybody, for everybody but the reader.
pub(super) fn others(role: &str) -> String {
    format!("{role}_others")
}
