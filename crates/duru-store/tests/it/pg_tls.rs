//! A server that only speaks TLS, and what each `sslmode` makes of it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use duru::store::Checkpoints as _;
use duru_postgres::Address;
use tokio_postgres::Client;

use crate::pg_server::{self, Server, free_port, give_away, install, open_store, skip};
use crate::{all_rows, one_row, thread};

/// An authority, and a certificate by it for `localhost`, which is where the server is by that name only.
fn certificates(folder: &Path) -> bool {
    const STEPS: [&str; 4] = [
        "req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=authority -keyout ca.key -out ca.pem",
        "req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=stranger -keyout other.key -out other.pem",
        "req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr",
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 -extfile names -out server.crt",
    ];
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost\n").unwrap();
    let known = |program: &str| {
        Command::new(program).arg("version").stdout(Stdio::null()).status().is_ok_and(|it| it.success())
    };
    if !known("openssl") {
        install("openssl");
    }
    if !known("openssl") {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "there is no openssl");
        return false;
    }
    for step in STEPS {
        let mut command = Command::new("openssl");
        let output = command.args(step.split(' ')).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{step}: {}", String::from_utf8_lossy(&output.stderr));
    }
    true
}

/// Starts a server to which nobody comes without TLS.
fn serve(folder: &Path) -> Option<Server> {
    let inner = folder.join("server");
    std::fs::create_dir(&inner).unwrap();
    if !certificates(folder) {
        skip("there is no openssl to make certificates");
        return None;
    }
    let mut server = Server::start(&inner);
    server.stop();
    let data = inner.join("data");
    for name in ["server.key", "server.crt"] {
        std::fs::copy(folder.join(name), data.join(name)).unwrap();
        give_away(&data.join(name));
    }
    std::fs::write(data.join("pg_hba.conf"), "hostssl all all 127.0.0.1/32 trust\n").unwrap();
    let settings = "ssl = on\nssl_cert_file = 'server.crt'\nssl_key_file = 'server.key'\n";
    std::fs::write(data.join("postgresql.auto.conf"), settings).unwrap();
    server.resume();
    Some(server)
}

async fn is_encrypted(client: &Client) -> bool {
    let sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    client.query_one(sql, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn every_mode_means_what_it_means_to_other_clients() {
    if pg_server::shared().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    give_away(folder.path());
    let Some(server) = serve(folder.path()) else { return };
    let file = |name: &str| folder.path().join(name).display().to_string().replace('/', "%2F");
    let (ours, other) = (file("ca.pem"), file("other.pem"));
    let url = |host: &str, more: &str| format!("postgres://duru@{host}:{}/postgres{more}", server.port);
    for (host, more) in [
        ("127.0.0.1", String::new()),
        ("127.0.0.1", "?sslmode=require".to_owned()),
        ("127.0.0.1", format!("?sslmode=require&sslrootcert={ours}")),
        ("127.0.0.1", format!("?sslmode=verify-ca&sslrootcert={ours}")),
        ("localhost", format!("?sslmode=verify-full&sslrootcert={ours}")),
    ] {
        let address = Address::parse(&url(host, &more)).unwrap();
        let (client, _) = address.connect().await.unwrap_or_else(|error| panic!("{more}: {error:?}"));
        assert!(is_encrypted(&client).await, "{more}");
    }
    for (host, more, why) in [
        ("127.0.0.1", "?sslmode=disable".to_owned(), "refuses this user"),
        ("127.0.0.1", format!("?sslmode=verify-full&sslrootcert={ours}"), "not trusted"),
        ("localhost", format!("?sslmode=verify-full&sslrootcert={other}"), "not trusted"),
        ("127.0.0.1", format!("?sslmode=verify-ca&sslrootcert={other}"), "not trusted"),
        ("127.0.0.1", format!("?sslmode=require&sslrootcert={other}"), "not trusted"),
    ] {
        let Err(error) = Address::parse(&url(host, &more)).unwrap().connect().await else { panic!("{more}") };
        let said = duru_postgres::said(&error);
        assert!(said.contains(why), "{more}: {said}");
        assert!(duru_postgres::is_final(&error), "{more}: {said}");
    }
}

#[tokio::test]
async fn threads_are_kept_and_queries_cancelled_on_an_encrypted_connection() {
    if pg_server::shared().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    give_away(folder.path());
    let Some(server) = serve(folder.path()) else { return };
    let url = format!("{}?sslmode=require", server.url());
    let (store, t) = (open_store(&url, "duru").await, thread("t"));
    // Longer than a record of TLS, so that it takes several.
    let long = format!("\"{}\"", "가".repeat(40_000));
    store.commit(one_row(&t, None, long.as_bytes())).await.unwrap();
    assert_eq!(all_rows(&store, &t).await.len(), 1);
    let again = open_store(&url, "duru").await;
    assert_eq!(all_rows(&again, &t).await[0].payload, long.as_bytes());

    let address = Address::parse(&url).unwrap();
    let (client, _) = address.connect().await.unwrap();
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        address.cancel(&client).await.unwrap();
    };
    let (slept, ()) = tokio::join!(client.batch_execute("SELECT pg_sleep(60)"), cancel);
    assert_eq!(slept.unwrap_err().code().map(|code| code.code().to_owned()).as_deref(), Some("57014"));
}

#[tokio::test]
async fn a_server_without_tls_is_not_talked_to_where_it_is_required() {
    let Some(pg) = pg_server::shared() else { return };
    for mode in ["require", "verify-ca&sslrootcert=system"] {
        let Ok(address) = Address::parse(&format!("{}?sslmode={mode}", pg.url)) else {
            // A machine may trust nobody.
            continue;
        };
        let Err(error) = address.connect().await else { panic!("{mode}") };
        assert!(duru_postgres::said(&error).contains("the server does not speak TLS"), "{error:?}");
    }
    let nobody = format!("postgres://duru@127.0.0.1:{}/postgres?sslmode=require", free_port());
    let Err(error) = Address::parse(&nobody).unwrap().connect().await else { panic!("nobody answers") };
    assert!(duru_postgres::said(&error).contains("nothing listens there"), "{error:?}");
    assert!(!duru_postgres::is_final(&error), "it may come back");
}
