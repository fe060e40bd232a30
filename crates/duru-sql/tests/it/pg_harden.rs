//! The database refuses by itself.

use duru_sql::guard::{Checked, Lang};
use duru_sql::postgres::harden::{self, Gap};
use duru_sql::postgres::{Options, PostgresLogs, Reader};
use duru_sql::{Catalog, Error, Level, TableSource};
use serde_json::json;

use crate::fixture::{Database, asking, client, fill, record};

/// Roles belong to the whole server: each test has its own.
fn role(database: &Database) -> String {
    format!("reader_{}", database.name)
}

async fn hardened(database: &Database) -> PostgresLogs {
    let logs = database.logs().await;
    let mut gone = record("api", Level::Info, "gone");
    gone.deleted = true;
    fill(&logs, vec![record("api", Level::Info, "here"), gone]).await;
    harden::apply(&database.url, &Catalog::logs(), &role(database)).await.unwrap();
    let options = Options { reader: Reader::Role(role(database)), ..Options::default() };
    database.logs_with(options).await
}

#[tokio::test]
async fn the_reader_sees_what_may_be_asked_and_nothing_else() {
    let Some(database) = Database::new().await else { return };
    database
        .client()
        .await
        .batch_execute(
            "CREATE TABLE secrets (a text); GRANT SELECT ON secrets TO PUBLIC; INSERT INTO secrets VALUES ('s'); \
             CREATE FUNCTION tell() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT a FROM secrets'",
        )
        .await
        .unwrap();
    let logs = hardened(&database).await;
    assert_eq!(logs.role(), Some(role(&database).as_str()));
    let ask = async |sql: &str| logs.query(&Checked::trusted(sql), &asking()).await;
    assert_eq!(ask("SELECT count(*) FROM logs").await.unwrap().rows, [[json!(1)]], "row security");
    assert_eq!(ask("SELECT count(*) FROM logs WHERE deleted").await.unwrap().rows, [[json!(0)]]);
    ask("SELECT *, date_trunc('hour', created_at), metadata->>'status_code' FROM logs WHERE level >= 'INFO'")
        .await
        .unwrap();
    for sql in [
        "SELECT * FROM secrets",
        "SELECT tell()",
        "SELECT ctid FROM logs",
        "SELECT version()",
        "SELECT current_setting('port')",
        "SELECT set_config('role', 'duru', true)",
        "SELECT pg_sleep(1)",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT * FROM pg_stat_activity",
        "SELECT relname FROM pg_class",
        "SELECT table_name FROM information_schema.tables",
        "SELECT nextval('logs_id_seq')",
        "SELECT lo_create(1)",
        "SELECT query_to_xml('SELECT 1', true, true, '')",
        "SELECT * FROM duru_logs.batches",
        "SELECT pg_relation_size('logs')",
    ] {
        let error = ask(sql).await.unwrap_err();
        assert!(matches!(error, Error::Denied { .. }), "{sql}: {error}");
    }
    // Knowledge takes what the reader may not see from the store's own user.
    let knowledge = logs.knowledge().await.unwrap();
    assert!(knowledge.tables[0].columns.iter().any(|column| column.name == "duration_ms"));
}

#[tokio::test]
async fn everybody_else_goes_on_as_before() {
    let Some(database) = Database::new().await else { return };
    let app = format!("app_{}", database.name);
    let owner = database.client().await;
    owner
        .batch_execute(&format!(
            "CREATE ROLE {app} LOGIN; GRANT CREATE ON DATABASE {} TO {app}; GRANT CREATE ON SCHEMA public TO {app}; \
             CREATE TABLE shared (a int); GRANT SELECT, INSERT ON shared TO PUBLIC; INSERT INTO shared VALUES (1)",
            database.name
        ))
        .await
        .unwrap();
    // The application's user owns the lines; a superuser hardens.
    let url = database.url_of(&app);
    let logs = PostgresLogs::connect(&url).await.unwrap();
    let mut gone = record("api", Level::Info, "gone");
    gone.deleted = true;
    fill(&logs, vec![record("api", Level::Info, "here"), gone]).await;
    harden::apply(&database.url, &Catalog::logs(), &role(&database)).await.unwrap();
    owner.batch_execute(&format!("GRANT {} TO {app}", role(&database))).await.unwrap();

    let options = Options { reader: Reader::Role(role(&database)), ..Options::default() };
    let logs = PostgresLogs::connect_with(&url, options).await.unwrap();
    fill(&logs, vec![record("api", Level::Info, "more")]).await;
    let count = Checked::trusted("SELECT count(*) FROM logs");
    assert_eq!(logs.query(&count, &asking()).await.unwrap().rows, [[json!(2)]]);
    assert_eq!(logs.knowledge().await.unwrap().tables.len(), 1);
    let app = client(&url).await;
    for sql in [
        "SELECT version(), current_setting('port'), pg_advisory_xact_lock(1)",
        "SELECT count(*) FROM pg_class",
        "SELECT count(*) FROM information_schema.columns",
        "INSERT INTO shared VALUES (2)",
        "CREATE TEMPORARY TABLE t (a int)",
        "DO $$ BEGIN END $$",
    ] {
        app.batch_execute(sql).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }
    let all: i64 = app.query_one("SELECT count(*) FROM logs", &[]).await.unwrap().get(0);
    assert_eq!(all, 3, "its owner sees deleted rows");
}

#[tokio::test]
async fn verification_lists_each_gap_until_it_is_closed() {
    let Some(database) = Database::new().await else { return };
    let (catalog, role) = (Catalog::logs(), role(&database));
    let verify = async || harden::verify(&database.url, &catalog, &role).await.unwrap();
    drop(database.logs().await);
    let gaps: Vec<_> = verify().await.iter().map(|finding| finding.gap).collect();
    assert_eq!(gaps, [Gap::NoRole]);

    let owner = database.client().await;
    let open = format!(
        "CREATE ROLE {role} BYPASSRLS; GRANT ALL ON logs TO {role}; GRANT pg_read_all_data TO {role}"
    );
    owner.batch_execute(&open).await.unwrap();
    let gaps: Vec<_> = verify().await.iter().map(|finding| finding.gap).collect();
    for gap in [
        Gap::Attribute,
        Gap::Membership,
        Gap::Setting,
        Gap::NoRowSecurity,
        Gap::Writable,
        Gap::Readable,
        Gap::Functions,
        Gap::Catalogs,
        Gap::Creating,
    ] {
        assert!(gaps.contains(&gap), "{gap:?} of {gaps:?}");
    }
    for _ in 0..2 {
        harden::apply(&database.url, &catalog, &role).await.unwrap();
        assert_eq!(verify().await, [], "and again: it can be repeated");
    }
    owner
        .batch_execute(&format!(
            "ALTER TABLE logs DISABLE ROW LEVEL SECURITY; GRANT UPDATE (message) ON logs TO {role}"
        ))
        .await
        .unwrap();
    let findings = verify().await;
    assert_eq!(
        findings.iter().map(|finding| finding.gap).collect::<Vec<_>>(),
        [Gap::Writable, Gap::NoRowSecurity]
    );
    for finding in findings {
        assert!(!finding.text(Lang::Ko).is_empty());
        owner
            .batch_execute(
                &finding.fix.replace("; CREATE POLICY", "; DROP POLICY duru_live ON logs; CREATE POLICY"),
            )
            .await
            .unwrap();
    }
    let gaps: Vec<_> = verify().await.iter().map(|finding| finding.gap).collect();
    assert_eq!(gaps, [Gap::NotReadable], "the first fix took the columns away, too");
    harden::apply(&database.url, &catalog, &role).await.unwrap();
    assert_eq!(verify().await, []);
}
