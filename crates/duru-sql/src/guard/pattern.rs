//! Regular expressions that would take too long.

const LONGEST: usize = 1_000;
/// How many copies of a part `{n,m}` may ask for, nested ones multiplied.
const COPIES: u64 = 1_000;

/// What is wrong with a pattern, if anything is.
pub(super) fn fault(pattern: &str) -> Option<&'static str> {
    if pattern.len() > LONGEST {
        return Some("longer than 1000 bytes");
    }
    if pattern.starts_with("***") {
        return Some("*** prefix");
    }
    let mut groups = vec![Group::default()];
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        let atom = match character {
            '\\' => {
                if characters.next().is_some_and(|next| next.is_ascii_digit() && next != '0') {
                    return Some("back reference");
                }
                Some(1)
            }
            '[' => {
                skip_class(&mut characters);
                Some(1)
            }
            '(' => {
                if characters.peek() == Some(&'?') {
                    characters.next();
                    characters.next();
                }
                groups.push(Group::default());
                None
            }
            ')' => {
                let inner = groups.pop().unwrap_or_default();
                if groups.is_empty() {
                    groups.push(Group::default());
                }
                // `(a+)+` can be read in too many ways.
                let loose = inner.atoms == 1 && inner.repeats || inner.loose_branch();
                let (repeat, copies) = quantifier(&mut characters);
                if loose && repeat {
                    return Some("nested repetition");
                }
                let all = inner.copies.max(1).saturating_mul(copies);
                if all > COPIES {
                    return Some("too many repetitions");
                }
                if let Some(group) = groups.last_mut() {
                    group.copies = group.copies.saturating_add(all);
                    group.atoms += 1;
                    group.repeats |= repeat || loose;
                }
                None
            }
            '|' => {
                if let Some(group) = groups.last_mut() {
                    group.branch();
                }
                None
            }
            '*' | '+' | '?' => None,
            _ => Some(1),
        };
        if atom.is_some() {
            let (repeat, copies) = quantifier(&mut characters);
            if let Some(group) = groups.last_mut() {
                group.atoms += 1;
                group.repeats |= repeat;
                group.copies = group.copies.saturating_add(copies);
                if group.copies > COPIES {
                    return Some("too many repetitions");
                }
            }
        }
    }
    None
}

#[derive(Default)]
struct Group {
    atoms: usize,
    repeats: bool,
    copies: u64,
    /// Whether a finished branch was nothing but one repeated part.
    loose: bool,
}

impl Group {
    fn branch(&mut self) {
        self.loose |= self.atoms == 1 && self.repeats;
        self.atoms = 0;
        self.repeats = false;
    }

    fn loose_branch(&self) -> bool {
        self.loose
    }
}

type Rest<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn skip_class(characters: &mut Rest<'_>) {
    if characters.peek() == Some(&'^') {
        characters.next();
    }
    let mut first = true;
    while let Some(character) = characters.next() {
        match character {
            ']' if !first => return,
            '[' if characters.peek() == Some(&':') => {
                while characters.next().is_some_and(|character| character != ']') {}
            }
            '\\' => {
                characters.next();
            }
            _ => {}
        }
        first = false;
    }
}

/// Whether what came before may repeat without end, and how many copies it is.
fn quantifier(characters: &mut Rest<'_>) -> (bool, u64) {
    let result = match characters.peek() {
        Some('*' | '+') => {
            characters.next();
            (true, 1)
        }
        Some('?') => {
            characters.next();
            (false, 1)
        }
        Some('{') => {
            characters.next();
            let inside: String = characters.by_ref().take_while(|&character| character != '}').collect();
            let (low, high) = inside.split_once(',').map_or((&*inside, Some(&*inside)), |(low, high)| {
                (low, Some(high).filter(|high| !high.is_empty()))
            });
            let number = |text: &str| text.trim().parse::<u64>().unwrap_or(1);
            (high.is_none(), high.map_or(number(low), number).max(1))
        }
        _ => return (false, 1),
    };
    if characters.peek() == Some(&'?') {
        characters.next();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_people_pass_and_those_of_attackers_do_not() {
        for good in [
            "timeout\\s+calling",
            "^[0-9]{1,3}(\\.[0-9]{1,3}){3}$",
            "(ERROR|WARN)+ing",
            "(\\d+\\.)+\\d+",
            "[^]]+",
            "\\[[^\\]]*\\]",
            "\\m(out of|no) memory\\M",
            "(?:[a-z]+-)*[a-z]+",
            "^/api/v[0-9]+/([^/?]+)",
        ] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in
            ["^(a+)+$b", "(a*)*", "((a+))+", "(a|b+)*x", "(.)\\1+", "((a{1,100}){1,100}){1,100}", "***:x"]
        {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }
}
