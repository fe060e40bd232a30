//! The time zone of this machine: what "today" means where no other zone is named.

use std::path::Path;
use std::sync::OnceLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A time zone that both the rules and every database know by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineZone {
    /// Its IANA name.
    pub name: String,
    /// What the machine says instead, where that names no zone: then it is UTC.
    pub unknown: Option<String>,
}

impl MachineZone {
    /// By `TZ`, else by the system's setting. It is read once.
    pub fn get() -> &'static Self {
        static ZONE: OnceLock<MachineZone> = OnceLock::new();
        ZONE.get_or_init(|| {
            let variable = std::env::var_os("TZ").map(|value| value.to_string_lossy().into_owned());
            Self::read(variable.as_deref(), Path::new("/etc/timezone"), TimeZone::system)
        })
    }

    fn read(variable: Option<&str>, file: &Path, system: impl FnOnce() -> TimeZone) -> Self {
        if let Some(given) = variable {
            let name = by_variable(given);
            let unknown = name.is_none().then(|| given.to_owned());
            return Self { name: name.unwrap_or_else(utc), unknown };
        }
        let system = system();
        let name = system.iana_name().filter(|name| *name != "Etc/Unknown").map(str::to_owned);
        // A copy of a zone's file has no name; Debian and its children write it down beside it.
        let written = || known(std::fs::read_to_string(file).ok()?.trim());
        Self { name: name.or_else(written).or_else(|| fixed(&system)).unwrap_or_else(utc), unknown: None }
    }
}

fn utc() -> String {
    "UTC".to_owned()
}

/// The canonical name of a zone.
fn known(name: &str) -> Option<String> {
    TimeZone::get(name).ok()?.iana_name().map(str::to_owned)
}

/// `Asia/Seoul`, `:Asia/Seoul`, a file of the zone's, or a distance such as `KST-9`; empty for UTC.
fn by_variable(given: &str) -> Option<String> {
    let given = given.strip_prefix(':').unwrap_or(given);
    if given.is_empty() {
        return Some(utc());
    }
    let file = given.split_once("zoneinfo/").map(|(_, name)| name);
    known(file.unwrap_or(given)).or_else(|| fixed(&TimeZone::posix(given).ok()?))
}

/// The name of a zone that stays so many whole hours away from now on.
fn fixed(zone: &TimeZone) -> Option<String> {
    let now = Timestamp::now();
    if zone.following(now).next().is_some() {
        return None;
    }
    let seconds = zone.to_offset(now).seconds();
    match (seconds / 3600, seconds % 3600) {
        (0, 0) => Some(utc()),
        // Their signs are the other way round.
        (hours, 0) => known(&format!("Etc/GMT{:+}", -hours)),
        _ => None,
    }
}

/// A zone for people, with how far it is from UTC at a moment: `Asia/Seoul (UTC+9)`.
pub fn zone_label(name: &str, at: Timestamp) -> String {
    let Ok(zone) = TimeZone::get(name) else { return name.to_owned() };
    let seconds = zone.to_offset(at).seconds();
    let (hours, minutes) = (seconds.abs() / 3600, seconds.abs() / 60 % 60);
    let sign = if seconds < 0 { '-' } else { '+' };
    match (hours, minutes) {
        (0, 0) if name == "UTC" => name.to_owned(),
        (_, 0) => format!("{name} (UTC{sign}{hours})"),
        _ => format!("{name} (UTC{sign}{hours}:{minutes:02})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(variable: &str) -> (String, Option<String>) {
        let zone = MachineZone::read(Some(variable), Path::new("/nowhere"), || TimeZone::UTC);
        (zone.name, zone.unknown)
    }

    #[test]
    fn the_variable_names_a_zone_in_every_way_that_systems_know() {
        for (given, name) in [
            ("Asia/Seoul", "Asia/Seoul"),
            (":Asia/Seoul", "Asia/Seoul"),
            ("/usr/share/zoneinfo/America/New_York", "America/New_York"),
            ("UTC", "UTC"),
            ("", "UTC"),
            ("KST-9", "Etc/GMT-9"),
            ("<-03>3", "Etc/GMT+3"),
            ("UTC0", "UTC"),
        ] {
            assert_eq!(by(given), (name.to_owned(), None), "{given}");
            assert!(TimeZone::get(name).is_ok(), "{name}");
        }
        for wrong in ["Mars/Base", "IST-5:30", "nonsense"] {
            assert_eq!(by(wrong), ("UTC".to_owned(), Some(wrong.to_owned())));
        }
    }

    #[test]
    fn without_it_the_system_s_setting_counts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("timezone");
        let read = |zone: TimeZone| MachineZone::read(None, &file, || zone).name;
        assert_eq!(read(TimeZone::get("Europe/Paris").unwrap()), "Europe/Paris");
        // A copied file: only its distance is known, until somebody has written its name down.
        assert_eq!(read(TimeZone::fixed(jiff::tz::offset(9))), "Etc/GMT-9");
        std::fs::write(&file, "Asia/Seoul\n").unwrap();
        assert_eq!(read(TimeZone::fixed(jiff::tz::offset(9))), "Asia/Seoul");
        assert_eq!(read(TimeZone::get("Europe/Paris").unwrap()), "Europe/Paris");
    }

    #[test]
    fn a_zone_says_how_far_away_it_is() {
        let at: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(zone_label("Asia/Seoul", at), "Asia/Seoul (UTC+9)");
        assert_eq!(zone_label("Asia/Kolkata", at), "Asia/Kolkata (UTC+5:30)");
        assert_eq!(zone_label("America/New_York", at), "America/New_York (UTC-5)");
        assert_eq!(zone_label("UTC", at), "UTC");
    }
}
