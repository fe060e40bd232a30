//! Which day is today: the machine's time zone counts, and every answer names it.

use serde_json::Value;

use crate::Desk;

const TODAY: [&str; 2] = ["ask", "오늘 에러 건수"];

fn asked(desk: &Desk, more: &[&str], zone: Option<&str>) -> crate::Seen {
    let mut command = desk.command(&[&TODAY, more].concat());
    match zone {
        Some(zone) => command.env("TZ", zone),
        None => command.env_remove("TZ"),
    };
    crate::Seen::of(command.output().unwrap())
}

#[test]
fn the_machine_s_time_zone_is_used_and_named_in_every_answer() {
    let desk = Desk::new();
    for (zone, named) in [
        ("America/New_York", "America/New_York"),
        (":Asia/Kolkata", "Asia/Kolkata"),
        ("KST-9", "Etc/GMT-9"),
        ("UTC", "UTC"),
    ] {
        let seen = asked(&desk, &["--json"], Some(zone));
        let answer: Value = seen.json();
        assert_eq!(answer["timezone"], named, "{zone}: {seen:?}");
        // The day begins at the midnight of that zone.
        let now = "2026-03-18T20:30:00Z";
        let seen = asked(&desk, &["--json", "--now", now], Some(zone));
        let midnight = now.parse::<jiff::Timestamp>().unwrap().in_tz(named).unwrap().start_of_day().unwrap();
        let understood = seen.json()["understood_as"].as_str().unwrap().to_owned();
        assert!(
            understood.contains(&midnight.strftime("%Y-%m-%d 00:00").to_string()),
            "{zone}: {understood}"
        );
    }
    for (lang, words) in
        [("ko", "시간대: America/New_York (UTC-"), ("en", "Time zone: America/New_York (UTC-")]
    {
        let seen = asked(&desk, &["--lang", lang], Some("America/New_York"));
        assert!(seen.out.contains(words), "{seen:?}");
        // What other programs read stays as it is; whoever looks is told beside it.
        let seen = asked(&desk, &["--lang", lang, "--csv"], Some("America/New_York"));
        assert!(!seen.out.contains(words) && seen.err.contains(words), "{seen:?}");
    }
    // What is named on the command line beats it.
    let seen = asked(&desk, &["--json", "--timezone", "Asia/Tokyo"], Some("UTC"));
    assert_eq!(seen.json()["timezone"], "Asia/Tokyo", "{seen:?}");
}

#[test]
fn without_tz_the_system_s_setting_counts_and_a_zone_that_nobody_knows_is_told() {
    let desk = Desk::new();
    let seen = asked(&desk, &["--json"], None);
    let named = seen.json()["timezone"].as_str().unwrap().to_owned();
    let mut doctor = desk.command(&["doctor", "--offline", "--json"]);
    let report = crate::Seen::of(doctor.env_remove("TZ").output().unwrap()).json();
    let zone = |report: &Value| {
        let checks = report["checks"].as_array().unwrap().clone();
        checks.into_iter().find(|found| found["check"] == "time zone").unwrap()
    };
    assert!(zone(&report)["what"].as_str().unwrap().starts_with(&named), "{named}: {report}");
    let link = std::fs::read_link("/etc/localtime").unwrap_or_default();
    if let Some((_, name)) = link.to_string_lossy().split_once("zoneinfo/") {
        let offset = |name: &str| jiff::Timestamp::now().in_tz(name).unwrap().offset();
        assert_eq!(offset(&named), offset(name), "{named} is {name}");
    }
    let seen = asked(&desk, &["--lang", "en"], Some("Mars/Base"));
    assert!(
        seen.code == Some(0) && seen.err.contains("TZ=Mars/Base") && seen.out.contains("Time zone: UTC"),
        "{seen:?}"
    );
    let mut doctor = desk.command(&["doctor", "--offline", "--json"]);
    let report = crate::Seen::of(doctor.env("TZ", "Mars/Base").output().unwrap()).json();
    assert_eq!(zone(&report)["state"], "fair", "{report}");
}

#[test]
fn lists_show_times_by_the_clocks_of_this_machine() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["demo", "--thread", "t", "--yes"]).code, Some(0));
    for (zone, short) in [("Asia/Seoul", "KST"), ("UTC", "UTC")] {
        let list = desk.with_env(&["threads", "ls"], &[("TZ", zone)]);
        assert!(list.out.lines().nth(1).unwrap().trim_end().ends_with(short), "{list:?}");
    }
}
