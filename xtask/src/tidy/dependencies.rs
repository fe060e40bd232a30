//! The page of dependencies lists what the crates and the page name directly, and nothing else.

use std::collections::BTreeSet;

use serde_json::Value;

use super::edges::Package;
use super::finding::Finding;

const PAGE: &str = "docs/dependencies.md";
const WEB: &str = "web/package.json";
/// What follows on the page is about code of our own, and names libraries that are not used.
const OWN: &str = "## Our own code";

pub(super) fn check(packages: &[Package], files: &[(String, String)]) -> Vec<Finding> {
    let text = |path: &str| files.iter().find(|(file, _)| file == path).map(|(_, text)| text.as_str());
    let Some(page) = text(PAGE) else {
        return vec![Finding::error(PAGE, 1, "the page of dependencies is missing")];
    };
    let web: Value = text(WEB).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let of_the_page =
        ["dependencies", "devDependencies"].into_iter().filter_map(|kind| web[kind].as_object());
    let of_the_page = of_the_page.flat_map(|names| names.keys().map(String::as_str));
    let used: BTreeSet<&str> = packages.iter().flat_map(Package::libraries).chain(of_the_page).collect();
    compare(page, &used)
}

fn compare(page: &str, used: &BTreeSet<&str>) -> Vec<Finding> {
    let rows = page.split(OWN).next().unwrap_or_default().lines().enumerate();
    let rows = rows.filter(|(_, line)| line.starts_with("| `"));
    let listed: Vec<(usize, &str)> = rows
        .flat_map(|(at, row)| {
            let cell = row.split('|').nth(1).unwrap_or_default();
            cell.split('`').skip(1).step_by(2).map(move |name| (at + 1, name))
        })
        .collect();
    let missing = used.iter().filter(|name| listed.iter().all(|(_, listed)| listed != *name));
    let missing = missing.map(|name| {
        Finding::error(PAGE, 1, format!("`{name}` is missing: say what it is for and who keeps it"))
    });
    let unused = listed.iter().filter(|(_, name)| !used.contains(name));
    let unused = unused.map(|(at, name)| Finding::error(PAGE, *at, format!("`{name}` is not used any more")));
    missing.chain(unused).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_complete_and_no_longer_than_that() {
        let page = "# Dependencies\n\n| crate | for |\n|---|---|\n| `tokio` | x |\n| `a`, `b` | y |\n\n\
                    ## Our own code\n\n| `c` | z |\n";
        let findings = |used: &[&str]| {
            let found = compare(page, &used.iter().copied().collect());
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(findings(&["tokio", "a", "b"]), [""; 0]);
        assert_eq!(
            findings(&["tokio", "a", "b", "c"]),
            ["docs/dependencies.md:1: `c` is missing: say what it is for and who keeps it"]
        );
        assert_eq!(findings(&["a", "b"]), ["docs/dependencies.md:5: `tokio` is not used any more"]);
    }
}
