//! The hardened database without any guard, against attacks.

use std::process::Command;
use std::time::Duration;

use duru_sql::postgres::harden;

use crate::fixture::{Database, client};
use crate::oracle::{Attacks, row};
use crate::pg_cluster::programs;

/// What the database alone must stop, in percent.
const BAR: f64 = 96.0;

/// Of one attack, by the server.
const TIMEOUT: Duration = Duration::from_secs(1);

/// What people ask may take longer on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Two databases that differ only in what must not be seen.
async fn database(set: &Attacks, marker: &str, hidden: &str) -> Option<Database> {
    let database = Database::new().await?;
    let seeded = Command::new(programs().unwrap().join("psql"))
        .args(["-q", "-v", "ON_ERROR_STOP=1"])
        .args(set.seeding(marker, hidden))
        .arg(&database.url)
        .output()
        .unwrap();
    assert!(seeded.status.success(), "{seeded:?}");
    Some(database)
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
    Ok(messages.iter().filter_map(row).collect())
}

#[tokio::test]
async fn the_database_alone_stops_almost_every_attack() {
    for set in Attacks::sets() {
        stops(&set).await;
    }
}

async fn stops(set: &Attacks) {
    let catalog = &set.catalog;
    let Some(a) = database(set, "AAAA", "40").await else { return };
    let Some(b) = database(set, "BBBBBB", "55").await else { return };
    let role = format!("judge_{}", a.name);
    for database in [&a, &b] {
        harden::apply(&database.url, catalog, &role).await.unwrap();
        database.client().await.batch_execute(&format!("ALTER ROLE {role} LOGIN")).await.unwrap();
        assert_eq!(harden::verify(&database.url, catalog, &role).await.unwrap(), []);
    }
    let (a, b) = (a.url_of(&role), b.url_of(&role));

    let attacks = &set.attacks;
    let mut through = Vec::new();
    for attack in attacks {
        let seen = run(&a, &attack.sql, TIMEOUT).await;
        let stopped = match attack.class.as_str() {
            _ if attack.must_be_refused => seen.is_err(),
            // The server's timeout bounds the time.
            "resource" => {
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
    for query in &set.benign {
        let sql = query.sql.trim().trim_end_matches(';');
        run(&a, sql, PATIENCE).await.unwrap_or_else(|error| panic!("{}: {error}: {sql}", query.id));
    }
}
