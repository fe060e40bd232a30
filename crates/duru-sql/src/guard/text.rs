//! What is checked before there is a tree: length, characters, how many tokens.

use sqlparser::ast::Statement;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use super::refusal::{Refusal, Rule};

/// Of the text, in bytes.
const LONGEST: usize = 64 << 10;
/// Tokens that may each make the tree one level deeper, even where the parser
/// itself does not recurse (`a + b + c`): bounds the stack that freeing it takes.
const CHAIN: usize = 1_500;
/// How deep the parser may recurse.
const PARSER_DEPTH: usize = 96;
/// How often the parser may read a token. It reads the arguments of a call
/// twice, so those of a call within a call four times, and so on.
const READINGS: u64 = 20_000;
/// Of parentheses, brackets and CASE in each other: the parser tries several
/// ways to read each, and again at every level.
const NESTING: u32 = 30;
/// Words before a parenthesis that is no call.
const NO_CALLS: &[&str] = &[
    "ALL", "AND", "ANY", "AS", "BY", "ELSE", "EXISTS", "FILTER", "FROM", "IN", "JOIN", "LATERAL", "NOT",
    "ON", "OR", "OVER", "SELECT", "THEN", "USING", "VALUES", "WHEN", "WHERE",
];

/// The one statement of a text.
pub(super) fn parse(sql: &str) -> Result<Statement, Refusal> {
    if sql.len() > LONGEST {
        return Err(Refusal::new(Rule::TooLong, format!("{} > {LONGEST} bytes", sql.len())));
    }
    characters(sql)?;
    let tokens = Tokenizer::new(&PostgreSqlDialect {}, sql)
        .tokenize_with_location()
        .map_err(|error| Refusal::new(Rule::Syntax, error.to_string()))?;
    count(&tokens)?;
    let mut parser = Parser::new(&PostgreSqlDialect {})
        .with_recursion_limit(PARSER_DEPTH)
        .with_tokens_with_locations(tokens);
    let mut statements = parser.parse_statements().map_err(|error| match error {
        ParserError::RecursionLimitExceeded => Refusal::new(Rule::TooDeep, ""),
        ParserError::TokenizerError(text) | ParserError::ParserError(text) => {
            Refusal::new(Rule::Syntax, text)
        }
    })?;
    match (statements.pop(), statements.is_empty()) {
        (Some(statement), true) => Ok(statement),
        (None, _) => Err(Refusal::new(Rule::Empty, "")),
        (Some(_), false) => Err(Refusal::new(Rule::OneStatement, "")),
    }
}

/// What no text may hold: PostgreSQL has no NUL, and people can't see the others.
fn characters(sql: &str) -> Result<(), Refusal> {
    match sql.chars().find(|&character| character.is_control() && !matches!(character, '\n' | '\t' | '\r')) {
        Some(character) => Err(bad(character)),
        None => Ok(()),
    }
}

/// Characters that people can't see, or that PostgreSQL reads in another way
/// than our grammar: outside of strings they hide what a query does.
fn hidden(character: char) -> bool {
    matches!(
        character,
        '\u{a0}' | '\u{ad}' | '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{180e}' | '\u{3000}' | '\u{3164}'
        | '\u{2000}'..='\u{200f}' | '\u{202a}'..='\u{202f}' | '\u{205f}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    ) || character.is_whitespace() && !matches!(character, ' ' | '\n' | '\t' | '\r')
}

fn bad(character: char) -> Refusal {
    Refusal::new(Rule::BadCharacter, format!("U+{:04X}", u32::from(character)))
}

fn count(tokens: &[TokenWithSpan]) -> Result<(), Refusal> {
    let mut chain = 0;
    let (mut calls, mut depth, mut readings) = (Vec::new(), 0_u32, 0_u64);
    let (mut word, mut nesting) = (false, 0_u32);
    for token in tokens {
        match &token.token {
            Token::LParen | Token::LBracket | Token::LBrace => nesting += 1,
            Token::RParen | Token::RBracket | Token::RBrace => nesting = nesting.saturating_sub(1),
            Token::Word(word) if word.keyword == Keyword::CASE => nesting += 1,
            Token::Word(word) if word.keyword == Keyword::END => nesting = nesting.saturating_sub(1),
            _ => {}
        }
        if nesting > NESTING {
            return Err(Refusal::new(Rule::TooDeep, format!("> {NESTING}")).at(token.span));
        }
        match &token.token {
            Token::LParen => {
                calls.push(word);
                depth += u32::from(word);
            }
            Token::RParen => depth -= u32::from(calls.pop().unwrap_or_default()),
            _ => {}
        }
        if !matches!(token.token, Token::Whitespace(_)) {
            word = matches!(&token.token, Token::Word(word)
                if !NO_CALLS.iter().any(|other| word.value.eq_ignore_ascii_case(other)));
        }
        if depth >= 4 {
            readings = readings.saturating_add(2_u64.saturating_pow(depth));
        }
        if readings > READINGS {
            return Err(Refusal::new(Rule::TooDeep, "f(f(f(…").at(token.span));
        }
        let grows = match &token.token {
            Token::Comma | Token::LParen | Token::RParen | Token::Whitespace(_) => false,
            Token::Number(..) | Token::SingleQuotedString(_) => false,
            Token::Word(word) => {
                if let Some(character) = word.value.chars().find(|&character| hidden(character)) {
                    return Err(bad(character).at(token.span));
                }
                word.keyword != Keyword::NoKeyword
            }
            Token::Char(character) => return Err(bad(*character).at(token.span)),
            Token::Placeholder(name) => {
                return Err(Refusal::new(Rule::Placeholder, name).at(token.span));
            }
            _ => true,
        };
        chain += usize::from(grows);
        if chain > CHAIN {
            return Err(Refusal::new(Rule::TooLong, format!("> {CHAIN} operators")).at(token.span));
        }
    }
    Ok(())
}
