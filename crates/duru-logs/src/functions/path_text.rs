//! Reads the text of a JSON path.

use datafusion::common::Result;
use serde_json::Value;

use super::json_path::{Compare, Path, Side, Step, Steps, Test};
use super::scalar::{fails, unsupported};
use duru_sql::Fault;

/// How deep parentheses may be.
const DEPTH: usize = 16;

pub(super) fn read(text: &str) -> Result<Path> {
    let mut reader = Reader { rest: text.trim(), depth: 0 };
    if reader.word("strict") {
        return Err(unsupported("a JSON path in strict mode"));
    }
    reader.word("lax");
    let path = match reader.whole_path() {
        Some(path) => path,
        None => Path::Predicate(reader.or()?),
    };
    if reader.rest.is_empty() { Ok(path) } else { Err(unsupported("this JSON path")) }
}

/// What is not supported of a path, if anything.
pub(crate) fn unreadable_path(text: &str) -> Option<String> {
    read(text).err().map(|_| format!("the JSON path {text:?}"))
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn sign(&mut self, sign: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// A word by itself, not the beginning of a longer one.
    fn word(&mut self, word: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(word) {
            Some(rest) if !rest.starts_with(is_word) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Nothing but steps.
    fn whole_path(&mut self) -> Option<Path> {
        self.skip();
        let begin = self.rest;
        let steps = if begin.starts_with('$') { self.steps().ok() } else { None };
        self.skip();
        match steps {
            Some(steps) if self.rest.is_empty() => Some(Path::Items(steps)),
            _ => {
                self.rest = begin;
                None
            }
        }
    }

    fn steps(&mut self) -> Result<Steps> {
        let from_root = self.sign("$");
        if !from_root && !self.sign("@") {
            return Err(unsupported("this JSON path"));
        }
        if self.rest.starts_with(is_word) {
            return Err(unsupported("variables in a JSON path"));
        }
        let mut steps = Vec::new();
        loop {
            if self.sign(".") {
                steps.push(self.member()?);
            } else if self.sign("[") {
                steps.push(self.subscript()?);
            } else if self.sign("?") {
                if !self.sign("(") {
                    return Err(fails(Fault::BadJson));
                }
                steps.push(Step::Filter(self.inner()?));
            } else {
                return Ok(Steps { from_root, steps });
            }
        }
    }

    fn member(&mut self) -> Result<Step> {
        self.skip();
        if self.rest.starts_with("**") {
            return Err(unsupported("** in a JSON path"));
        }
        if self.sign("*") {
            return Ok(Step::AnyKey);
        }
        if self.rest.starts_with('"') {
            return Ok(Step::Key(self.string()?));
        }
        let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (key, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.skip();
        if self.rest.starts_with('(') {
            return Err(unsupported("methods in a JSON path"));
        }
        if key.is_empty() || key.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(fails(Fault::BadJson));
        }
        Ok(Step::Key(key.to_owned()))
    }

    fn subscript(&mut self) -> Result<Step> {
        let step = if self.sign("*") {
            Step::AnyIndex
        } else {
            self.skip();
            let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let (digits, rest) = self.rest.split_at(end);
            self.rest = rest;
            Step::Index(digits.parse().map_err(|_| unsupported("this subscript in a JSON path"))?)
        };
        if self.sign("]") { Ok(step) } else { Err(unsupported("this subscript in a JSON path")) }
    }

    /// What stands between parentheses, the first of which has been read.
    fn inner(&mut self) -> Result<Test> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(unsupported("so deep a JSON path"));
        }
        let test = self.or()?;
        self.depth -= 1;
        if self.sign(")") { Ok(test) } else { Err(unsupported("this JSON path")) }
    }

    fn or(&mut self) -> Result<Test> {
        let mut test = self.and()?;
        while self.sign("||") {
            test = Test::Or(Box::new(test), Box::new(self.and()?));
        }
        Ok(test)
    }

    fn and(&mut self) -> Result<Test> {
        let mut test = self.one()?;
        while self.sign("&&") {
            test = Test::And(Box::new(test), Box::new(self.one()?));
        }
        Ok(test)
    }

    fn one(&mut self) -> Result<Test> {
        if self.sign("!") {
            // Only of something in parentheses, or of exists.
            let test = if self.sign("(") { self.inner()? } else { self.exists()? };
            return Ok(Test::Not(Box::new(test)));
        }
        if self.sign("(") {
            return self.inner();
        }
        self.skip();
        if self.rest.starts_with("exists") {
            return self.exists();
        }
        let left = self.side()?;
        if self.word("starts") {
            let Side::Steps(steps) = left else { return Err(unsupported("this JSON path")) };
            if !self.word("with") {
                return Err(fails(Fault::BadJson));
            }
            self.skip();
            return Ok(Test::StartsWith(steps, self.string()?));
        }
        let how = self.compare()?;
        Ok(Test::Compare(left, how, self.side()?))
    }

    fn exists(&mut self) -> Result<Test> {
        if !(self.word("exists") && self.sign("(")) {
            return Err(unsupported("this JSON path"));
        }
        let steps = self.steps()?;
        if self.sign(")") { Ok(Test::Exists(steps)) } else { Err(unsupported("this JSON path")) }
    }

    fn compare(&mut self) -> Result<Compare> {
        let all = [
            ("==", Compare::Equal),
            ("!=", Compare::Unequal),
            ("<>", Compare::Unequal),
            ("<=", Compare::AtMost),
            (">=", Compare::AtLeast),
            ("<", Compare::Less),
            (">", Compare::Greater),
        ];
        let found = all.into_iter().find(|(sign, _)| self.sign(sign));
        found.map(|(_, how)| how).ok_or_else(|| unsupported("this JSON path"))
    }

    fn side(&mut self) -> Result<Side> {
        self.skip();
        if self.rest.starts_with(['$', '@']) {
            return Ok(Side::Steps(self.steps()?));
        }
        if self.rest.starts_with('"') {
            return Ok(Side::Literal(Value::String(self.string()?)));
        }
        for (word, value) in
            [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)]
        {
            if self.word(word) {
                return Ok(Side::Literal(value));
            }
        }
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-')))
            .unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        if rest.starts_with(is_word) {
            return Err(unsupported("this number in a JSON path"));
        }
        self.rest = rest;
        let number = serde_json::from_str(digits).map_err(|_| unsupported("this JSON path"))?;
        Ok(Side::Literal(Value::Number(number)))
    }

    /// In double quotes, with the escapes of JSON.
    fn string(&mut self) -> Result<String> {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter::<String>();
        match values.next() {
            Some(Ok(text)) => {
                self.rest = &self.rest[values.byte_offset()..];
                Ok(text)
            }
            _ => Err(unsupported("this string in a JSON path")),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}
