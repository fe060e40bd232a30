//! Through a pooler in transaction mode: no two statements of ours need the
//! same session.

use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::time::Duration;

use duru::store::Checkpoints;
use duru::testkit::runs_contract::{self, Seams};
use duru::testkit::{cases, contract, sweep};

use crate::pg_server::{self, Shared, as_nobody, free_port, open_store};

struct Bouncer {
    process: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl Drop for Bouncer {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn program() -> Option<&'static Path> {
    let program = Path::new("/usr/sbin/pgbouncer");
    if !program.exists() {
        pg_server::install("pgbouncer");
    }
    program.exists().then_some(program)
}

fn start(pg: &Shared) -> Option<Bouncer> {
    let Some(program) = program() else {
        pg_server::skip("there is no pgbouncer here");
        return None;
    };
    let folder = tempfile::Builder::new().prefix("duru-bouncer-").tempdir().unwrap();
    let (server, port) = (pg.url.split([':', '/']).nth(4).unwrap(), free_port());
    // Fewer sessions than any store has connections.
    let settings = format!(
        "[databases]\npostgres = host=127.0.0.1 port={server} dbname=postgres user=duru\n\
         [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n\
         pool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 500\n"
    );
    let file = folder.path().join("pgbouncer.ini");
    std::fs::write(&file, settings).unwrap();
    pg_server::give_away(folder.path());
    let process = as_nobody(program).arg(&file).spawn().unwrap();
    let url = format!("postgres://duru@127.0.0.1:{port}/postgres");
    Some(Bouncer { process, url, _folder: folder })
}

async fn ready(pg: &Shared) -> Option<Bouncer> {
    let bouncer = start(pg)?;
    for _ in 0..500 {
        if tokio_postgres::connect(&bouncer.url, tokio_postgres::NoTls).await.is_ok() {
            return Some(bouncer);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("pgbouncer does not answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contract_through_a_pooler() {
    let Some(pg) = pg_server::shared() else { return };
    let Some(bouncer) = ready(pg).await else { return };
    contract::check(async || {
        Arc::new(open_store(&bouncer.url, &pg.fresh_schema()).await) as Arc<dyn Checkpoints>
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_through_a_pooler() {
    let Some(pg) = pg_server::shared() else { return };
    let Some(bouncer) = ready(pg).await else { return };
    runs_contract::check(async || Seams::of(Arc::new(open_store(&bouncer.url, &pg.fresh_schema()).await)))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_through_a_pooler() {
    let Some(pg) = pg_server::shared() else { return };
    let Some(bouncer) = ready(pg).await else { return };
    for case in cases::CASES {
        let direct = sweep::undisturbed(case, Arc::new(pg.store().await)).await.unwrap();
        let pooled = open_store(&bouncer.url, &pg.fresh_schema()).await;
        assert_eq!(sweep::undisturbed(case, Arc::new(pooled)).await.unwrap(), direct, "{}", case.name);
    }
}
