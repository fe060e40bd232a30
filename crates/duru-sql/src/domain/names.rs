//! Words of names that were written without separators, behind a prefix that all of a kind share: `sbCustCity` is plain,
//! `sbcustcity` is a city only beside `sbcustname` and `sbcustphone`.

/// Last words of names, by which a glued one is taken apart.
const LAST: &[&str] = &[
    "address", "amount", "code", "count", "currency", "date", "datetime", "day", "email", "id", "month",
    "name", "number", "phone", "price", "rate", "status", "symbol", "time", "total", "type", "value",
    "volume", "year",
];

/// The letters that all names begin with, if that is a prefix and no word of theirs: there are several names, and each
/// goes on after it.
pub(super) fn shared_prefix<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let first = names.clone().next()?;
    let several = names.clone().count() >= 3;
    let mut end = first.len();
    for name in names.clone() {
        let same = first.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
        end = end.min(same);
    }
    let prefix = first.get(..end)?;
    let plain = prefix.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let goes_on = names.clone().all(|name| name.len() > end && !name.contains('_'));
    (several && end >= 2 && plain && goes_on).then_some(prefix)
}

/// A glued name as words: what follows the prefix, and its last word apart.
pub(super) fn words(name: &str, prefix: &str) -> Option<String> {
    let rest = name.strip_prefix(prefix).filter(|rest| !rest.is_empty())?;
    let last = LAST.iter().filter(|last| {
        rest.strip_suffix(**last)
            .is_some_and(|before| before.len() >= 3 && before.is_char_boundary(before.len()))
    });
    Some(match last.max_by_key(|last| last.len()) {
        Some(last) => format!("{} {last}", &rest[..rest.len() - last.len()]),
        None => rest.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_that_all_share_is_taken_off() {
        let names = ["sbcustid", "sbcustname", "sbcustjoindate"];
        let prefix = shared_prefix(names.into_iter()).unwrap();
        assert_eq!(prefix, "sbcust");
        assert_eq!(names.map(|name| words(name, prefix).unwrap()), ["id", "name", "join date"]);
        assert_eq!(words("sbdailyprice", "sb").as_deref(), Some("daily price"));
        assert_eq!(
            shared_prefix(["state_name", "state_code", "state_area"].into_iter()),
            None,
            "words of their own"
        );
        assert_eq!(shared_prefix(["id", "idle", "ideal"].into_iter()), None, "a whole name");
        assert_eq!(shared_prefix(["city", "name", "area"].into_iter()), None);
    }
}
