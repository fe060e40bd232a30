//! What `duru serve` says when NATS does not let it in, or where its address makes no sense.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

use crate::Desk;

/// A NATS that wants to know who comes, and lets nobody in.
fn closed() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let Ok(mut client) = client else { return };
            let info = format!(
                "INFO {{\"server_id\":\"a\",\"server_name\":\"a\",\"version\":\"2.15.1\",\"go\":\"go\",\"host\":\"127.0.0.1\",\
                 \"port\":{port},\"headers\":true,\"auth_required\":true,\"max_payload\":1048576,\"proto\":1}}\r\n"
            );
            let Ok(()) = client.write_all(info.as_bytes()) else { continue };
            // What it says of itself, and that it is there.
            let lines = BufReader::new(client.try_clone().unwrap()).lines();
            drop(lines.map_while(Result::ok).find(|line| line.starts_with("PING")));
            drop(client.write_all(b"-ERR 'Authorization Violation'\r\n"));
        }
    });
    format!("nats://kim:hunter2@127.0.0.1:{port}")
}

#[test]
fn who_is_not_let_in_by_nats_is_told_what_to_do() {
    let desk = Desk::new();
    let url = closed();
    for (lang, words) in
        [("ko", ["비밀번호", "받아 주지 않습니다"]), ("en", ["password", "does not let us in"])]
    {
        let told = [("DURU_HINTS", url.as_str()), ("DURU_LANG", lang)];
        let seen = desk.with_env(&["serve", "--port", "0"], &told);
        assert!(seen.code.is_some_and(|code| code != 0), "{seen:?}");
        assert!(words.iter().all(|word| seen.err.contains(word)), "{seen:?}");
        assert!(seen.err.contains("DURU_HINTS") && !seen.err.contains("hunter2"), "{seen:?}");
    }
}

#[test]
fn an_address_of_nats_that_makes_no_sense_is_refused_without_its_password() {
    let desk = Desk::new();
    for lang in ["ko", "en"] {
        let told = [("DURU_HINTS", "http://kim:hunter2@nats"), ("DURU_LANG", lang)];
        let seen = desk.with_env(&["serve", "--port", "0"], &told);
        assert!(seen.code.is_some_and(|code| code != 0), "{seen:?}");
        assert!(seen.err.contains("nats://") && !seen.err.contains("hunter2"), "{seen:?}");
    }
}
