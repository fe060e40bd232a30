//! The documents hang together: links and their anchors lead somewhere, every page is in the book's summary, and what is
//! meant to be short stays short.

use std::collections::HashSet;

use super::finding::Finding;

const SUMMARY: &str = "docs/SUMMARY.md";
const GLOSSARY: &str = "docs/glossary.md";
/// More than that, and nobody reads a README to its end.
const README_WORDS: usize = 700;
/// More than that, and the glossary is a dictionary.
const GLOSSARY_WORDS: usize = 40;

type Files = [(String, String)];

/// `there` says whether a path below the root exists, whatever kind of file it is.
pub(super) fn check(files: &Files, there: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = pages(files);
    for (path, text) in files.iter().filter(|(path, _)| is_document(path)) {
        for (line, link) in links(text) {
            if let Some(text) = broken(path, &link, files, &there) {
                findings.push(Finding::error(path, line, text));
            }
        }
        let words = text.split_whitespace().count();
        if path.starts_with("README") && words > README_WORDS {
            let text = format!("{words} words, at most {README_WORDS}: move some to a page of docs/");
            findings.push(Finding::error(path, 1, text));
        }
        if path == GLOSSARY {
            findings.extend(glossary(text));
        }
    }
    findings
}

fn is_document(path: &str) -> bool {
    path.ends_with(".md")
        && (!path.contains('/') || ["docs/", "bench/", "eval/"].iter().any(|folder| path.starts_with(folder)))
}

/// Every page is in the summary.
fn pages(files: &Files) -> Vec<Finding> {
    let Some((_, summary)) = files.iter().find(|(path, _)| path == SUMMARY) else {
        return vec![Finding::error(SUMMARY, 1, "the book's summary is missing")];
    };
    let listed: HashSet<String> = links(summary).iter().map(|(_, link)| format!("docs/{link}")).collect();
    let page = |path: &&str| path.starts_with("docs/") && path.ends_with(".md") && *path != SUMMARY;
    let missing =
        files.iter().map(|(path, _)| path.as_str()).filter(page).filter(|path| !listed.contains(*path));
    missing.map(|path| Finding::error(path, 1, format!("this page is not in {SUMMARY}"))).collect()
}

/// What is wrong with a link, if anything is.
fn broken(from: &str, link: &str, files: &Files, there: impl Fn(&str) -> bool) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let target = if path.is_empty() { Some(from.to_owned()) } else { resolve(from, path) };
    let Some(target) = target.filter(|target| there(target)) else {
        return Some(format!("the link to `{link}` leads nowhere"));
    };
    let anchor = anchor?;
    let text =
        files.iter().find(|(path, _)| *path == target).map(|(_, text)| text.as_str()).unwrap_or_default();
    (!anchors(text).contains(anchor)).then(|| format!("there is no heading `#{anchor}` in {target}"))
}

/// The path that a relative link names, from the root; nothing for one that leaves it.
fn resolve(from: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The lines outside of blocks of code, counted from one.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(at, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fenced && !fence).then_some((at + 1, line))
    })
}

/// What `[text](link)` and `![text](link)` name, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let of_line = |(at, line): (usize, &str)| {
        // What is in backticks is code.
        let shown: String = line.split('`').step_by(2).collect();
        let found = shown.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        found.map(|(link, _)| (at, link.to_owned())).collect::<Vec<_>>()
    };
    prose(text).flat_map(of_line).collect()
}

/// The anchors of a page's headings: small letters, no punctuation, hyphens for spaces.
fn anchors(text: &str) -> HashSet<String> {
    let mut anchors = HashSet::new();
    for (_, line) in prose(text).filter(|(_, line)| line.starts_with('#')) {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|char| char.is_alphanumeric() || " -_".contains(*char));
        let anchor: String = kept.map(|char| if char == ' ' { '-' } else { char }).collect();
        // A second heading of the same name is numbered.
        let numbered = (1..).map(|n| format!("{anchor}-{n}")).find(|numbered| !anchors.contains(numbered));
        let taken = anchors.contains(&anchor);
        anchors.extend(if taken { numbered } else { Some(anchor) });
    }
    anchors
}

/// A word has one row, and there are not too many.
fn glossary(text: &str) -> Vec<Finding> {
    let mut seen = HashSet::new();
    let mut findings = Vec::new();
    let rows = text.lines().enumerate().skip_while(|(_, line)| !line.starts_with("|---"));
    for (at, row) in rows.skip(1).filter(|(_, line)| line.starts_with('|')) {
        let word = row.split('|').nth(1).unwrap_or_default().trim();
        if !seen.insert(word) {
            findings.push(Finding::error(GLOSSARY, at + 1, format!("`{word}` has two meanings")));
        }
    }
    if seen.len() > GLOSSARY_WORDS {
        let text = format!("{} words, at most {GLOSSARY_WORDS}", seen.len());
        findings.push(Finding::error(GLOSSARY, 1, text));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(documents: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(String, String)> =
            documents.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let there = |path: &str| path == "docs/a.png" || files.iter().any(|(file, _)| file == path);
        check(&files, there).iter().map(ToString::to_string).collect()
    }

    const LIST: (&str, &str) = (SUMMARY, "# Summary\n\n- [A](a.md)\n");

    #[test]
    fn links_and_anchors_lead_somewhere() {
        let page = |text: &str| {
            findings(&[LIST, ("README.md", "# Hello, you: all\n## Two\n## Two\n"), ("docs/a.md", text)])
        };
        let fine = "# A\n[b](../README.md#hello-you-all) [c](#a) [d](../README.md#two-1) ![e](a.png)\n\
                    [f](https://example.org/x) `[g](h.md)`\n```sh\n[i](j.md)\n# no heading\n```\n";
        assert_eq!(page(fine), [""; 0]);
        assert_eq!(page("\n[b](b.md)\n"), ["docs/a.md:2: the link to `b.md` leads nowhere"]);
        assert_eq!(page("[b](../../a)\n"), ["docs/a.md:1: the link to `../../a` leads nowhere"]);
        assert_eq!(
            page("[b](../README.md#gone)\n"),
            ["docs/a.md:1: there is no heading `#gone` in README.md"]
        );
        assert_eq!(page("# A\n[b](#b)\n"), ["docs/a.md:2: there is no heading `#b` in docs/a.md"]);
    }

    #[test]
    fn every_page_is_in_the_summary() {
        assert_eq!(
            findings(&[LIST, ("docs/a.md", ""), ("docs/b.md", "")]),
            ["docs/b.md:1: this page is not in docs/SUMMARY.md"]
        );
        assert_eq!(findings(&[LIST]), ["docs/SUMMARY.md:3: the link to `a.md` leads nowhere"]);
        assert_eq!(findings(&[]), ["docs/SUMMARY.md:1: the book's summary is missing"]);
    }

    #[test]
    fn what_is_meant_to_be_short_is_short() {
        let readme = "word ".repeat(README_WORDS + 1);
        let found = findings(&[LIST, ("docs/a.md", ""), ("README.ko.md", &readme)]);
        assert!(found.len() == 1 && found[0].starts_with("README.ko.md:1: 701 words"), "{found:?}");
        let rows: String = (0..=GLOSSARY_WORDS).map(|n| format!("| w{n} | x |\n")).collect();
        let long = glossary(&format!("| word | means |\n|---|---|\n{rows}"));
        assert_eq!(long.len(), 1, "{long:?}");
        let twice = glossary("| word | means |\n|---|---|\n| a | x |\n| a | y |\n");
        assert_eq!(twice[0].to_string(), "docs/glossary.md:4: `a` has two meanings");
    }
}
