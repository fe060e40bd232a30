//! The lines by which a statute is divided.

/// What a line of a statute begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    /// 제1편, 제2장, 제3절, 제4관, by their level from one, and 부칙.
    Part { level: u8, text: String },
    /// 제6조의3(계약갱신 요구 등): its number in one form, its heading and the rest of the line.
    Article { number: String, name: String },
}

/// What a line begins, if it begins anything.
pub(super) fn mark(line: &str) -> Option<Mark> {
    let line = line.trim();
    if line == "부칙" || line.starts_with("부칙 <") || line.starts_with("부 칙") {
        return Some(Mark::Part { level: 1, text: line.to_owned() });
    }
    let rest = line.strip_prefix('제')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|at| *at > 0)?;
    let unit = rest[digits..].chars().next()?;
    let after = &rest[digits + unit.len_utf8()..];
    if let Some(level) = ['편', '장', '절', '관'].iter().position(|known| *known == unit) {
        // 제1장의 규정은 is a sentence.
        let branch = after.strip_prefix('의').filter(|more| more.starts_with(|c: char| c.is_ascii_digit()));
        let title = branch.map_or(after, |more| more.trim_start_matches(|c: char| c.is_ascii_digit()));
        let heading = (title.is_empty() || title.starts_with(' ')) && line.chars().count() <= 60;
        return heading.then(|| Mark::Part { level: level as u8 + 1, text: line.to_owned() });
    }
    if unit != '조' {
        return None;
    }
    let mut number = format!("제{}조", &rest[..digits]);
    let mut after = after;
    if let Some(branch) = after.strip_prefix('의') {
        let digits = branch.find(|c: char| !c.is_ascii_digit()).unwrap_or(branch.len());
        if digits > 0 {
            number.push_str(&format!("의{}", &branch[..digits]));
            after = &branch[digits..];
        }
    }
    let after = after.trim_start();
    // 제6조(제목) begins an article, 제6조에 따라 speaks of one. A repealed one has no heading.
    if let Some(heading) = after.strip_prefix('(') {
        let end = closing(heading)?;
        return Some(Mark::Article { number, name: heading[..end].trim().to_owned() });
    }
    after.starts_with("삭제").then(|| Mark::Article { number, name: String::new() })
}

/// Where the parenthesis that is open closes; a heading may hold others.
fn closing(text: &str) -> Option<usize> {
    let mut open = 1;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}

/// Does the line begin a paragraph of an article: ①, ②?
pub(super) fn begins_paragraph(line: &str) -> bool {
    line.trim_start().chars().next().is_some_and(|c| ('①'..='⑳').contains(&c) || ('㉑'..='㉟').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_begin_something_are_told_from_sentences() {
        let article =
            |number: &str, name: &str| Some(Mark::Article { number: number.into(), name: name.into() });
        assert_eq!(mark("제6조의3(계약갱신 요구 등) ① 제6조에도"), article("제6조의3", "계약갱신 요구 등"));
        assert_eq!(mark("제25조(확인(설명 포함)) 글"), article("제25조", "확인(설명 포함)"));
        assert_eq!(mark("제19조 삭제 <2014. 1. 28.>"), article("제19조", ""));
        assert_eq!(mark("제6조에 따라 신고한다"), None);
        assert_eq!(mark("제2장 공인중개사"), Some(Mark::Part { level: 2, text: "제2장 공인중개사".into() }));
        assert_eq!(mark("제2장의 규정은 적용하지 아니한다"), None);
        assert_eq!(mark("제6조(닫히지 않은"), None);
        assert_eq!(mark("제1호 서식"), None);
        assert!(begins_paragraph(" ② 임대인은") && !begins_paragraph("2. 둘째"));
    }
}
