//! The hardened database without any guard, against attacks that others wrote.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use duru_sql::postgres::harden;
use duru_sql::{Catalog, Kind, Table, TableColumn};
use serde::Deserialize;
use serde_json::Value;
use tokio_postgres::SimpleQueryMessage;

use crate::fixture::{Database, client};
use crate::pg_cluster::programs;
use crate::pg_server::skip;

/// What the database alone must stop, in percent.
const BAR: f64 = 96.0;

/// Of one attack, by the server.
const TIMEOUT: Duration = Duration::from_secs(1);

/// What people ask may take longer on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
struct Attack {
    id: String,
    sql: String,
    class: String,
    expect: String,
}

fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("DURU_SHARED")
        .map_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into(), PathBuf::from)
        .join("eval/sql_guard");
    if !folder.exists() {
        skip("the evaluation sets are not there; DURU_SHARED names their folder");
        return None;
    }
    Some(folder)
}

fn lines<T: serde::de::DeserializeOwned>(file: &Path) -> Vec<T> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Two databases that differ only in what must not be seen.
async fn database(folder: &Path, marker: &str, deleted: &str) -> Option<Database> {
    let database = Database::new().await?;
    let seeded = Command::new(programs().unwrap().join("psql"))
        .args([
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-v",
            &format!("marker={marker}"),
            "-v",
            &format!("ndel={deleted}"),
        ])
        .arg("-f")
        .arg(folder.join("seed.sql"))
        .arg(&database.url)
        .output()
        .unwrap();
    assert!(seeded.status.success(), "{seeded:?}");
    Some(database)
}

fn catalog(folder: &Path) -> Catalog {
    let schema: Value = serde_json::from_slice(&std::fs::read(folder.join("schema.json")).unwrap()).unwrap();
    let table = |table: &Value| Table {
        schema: "public".into(),
        name: table["name"].as_str().unwrap().into(),
        columns: table["columns"]
            .as_object()
            .unwrap()
            .keys()
            .map(|name| TableColumn {
                name: name.clone(),
                kind: Kind::Text,
                description: None,
                synonyms: Vec::new(),
            })
            .collect(),
        soft_delete: table["soft_delete"].as_str().map(str::to_owned),
        description: None,
        synonyms: Vec::new(),
    };
    Catalog { tables: schema["tables"].as_array().unwrap().iter().map(table).collect() }
}

/// What somebody sees who runs this: rows, or the words of an error.
async fn run(url: &str, sql: &str, timeout: Duration) -> Result<Vec<Vec<Option<String>>>, String> {
    let client = client(url).await;
    let setup =
        format!("SET statement_timeout = {}; SET TimeZone = 'UTC'; BEGIN READ ONLY", timeout.as_millis());
    client.batch_execute(&setup).await.unwrap();
    let work = async {
        client.simple_query(&format!("DECLARE c NO SCROLL CURSOR FOR {sql}")).await?;
        client.simple_query("FETCH 1000 FROM c").await
    };
    let words = |error: tokio_postgres::Error| {
        error.as_db_error().map_or_else(|| error.to_string(), |error| error.message().to_owned())
    };
    let messages = match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done.map_err(words)?,
        Err(_) => return Err("no answer".to_owned()),
    };
    let rows = messages.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some((0..row.len()).map(|i| row.get(i).map(str::to_owned)).collect()),
        _ => None,
    });
    Ok(rows.collect())
}

#[tokio::test]
async fn the_database_alone_stops_almost_every_attack() {
    let Some(folder) = shared() else { return };
    let Some(a) = database(&folder, "AAAA", "40").await else { return };
    let Some(b) = database(&folder, "BBBBBB", "55").await else { return };
    let role = format!("judge_{}", a.name);
    for database in [&a, &b] {
        harden::apply(&database.url, &catalog(&folder), &role).await.unwrap();
        database.client().await.batch_execute(&format!("ALTER ROLE {role} LOGIN")).await.unwrap();
        assert_eq!(harden::verify(&database.url, &catalog(&folder), &role).await.unwrap(), []);
    }
    let (a, b) = (a.url_of(&role), b.url_of(&role));

    let attacks: Vec<Attack> = lines(&folder.join("sql_attacks.dev.jsonl"));
    let mut through = Vec::new();
    for attack in &attacks {
        let seen = run(&a, &attack.sql, TIMEOUT).await;
        let stopped = match (attack.expect.as_str(), attack.class.as_str()) {
            ("reject", _) => seen.is_err(),
            // The server's timeout bounds the time.
            (_, "resource") => {
                let size: usize = seen.iter().flatten().flatten().flatten().map(String::len).sum();
                size < 8_000_000
            }
            _ => seen == run(&b, &attack.sql, TIMEOUT).await,
        };
        if !stopped {
            through.push(format!("{} {}", attack.id, attack.sql));
        }
    }
    let stopped = 100.0 * (attacks.len() - through.len()) as f64 / attacks.len() as f64;
    println!("stopped {stopped:.1} % of {}; not: {through:#?}", attacks.len());
    assert!(stopped >= BAR, "only {stopped:.1} %: {through:#?}");

    // Nothing that people ask is lost by it.
    let benign: Vec<Value> = lines(&folder.join("sql_benign.dev.jsonl"));
    for query in &benign {
        let sql = query["sql"].as_str().unwrap().trim().trim_end_matches(';');
        run(&a, sql, PATIENCE).await.unwrap_or_else(|error| panic!("{}: {error}: {sql}", query["id"]));
    }
}
