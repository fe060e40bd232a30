//! The operators that a query may use.

use sqlparser::ast::BinaryOperator;

use super::refusal::{Refusal, Rule};
use super::walk::Result;

/// What an operator makes of the sizes of its sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Yes or no.
    Flag,
    /// A part of the left side.
    Part,
    /// At most both sides together.
    Sum,
    /// Many times the left side.
    Power,
}

pub(super) fn effect(op: &BinaryOperator) -> Result<Effect> {
    use BinaryOperator as Op;
    match op {
        Op::Gt | Op::Lt | Op::GtEq | Op::LtEq | Op::Eq | Op::NotEq | Op::And | Op::Or => Ok(Effect::Flag),
        Op::PGRegexMatch | Op::PGRegexIMatch | Op::PGRegexNotMatch | Op::PGRegexNotIMatch => Ok(Effect::Flag),
        Op::PGLikeMatch | Op::PGILikeMatch | Op::PGNotLikeMatch | Op::PGNotILikeMatch | Op::PGStartsWith => {
            Ok(Effect::Flag)
        }
        Op::AtAt
        | Op::AtArrow
        | Op::ArrowAt
        | Op::AtQuestion
        | Op::Question
        | Op::QuestionAnd
        | Op::QuestionPipe
        | Op::Overlaps
        | Op::PGOverlap => Ok(Effect::Flag),
        Op::Arrow | Op::LongArrow | Op::HashArrow | Op::HashLongArrow | Op::HashMinus => Ok(Effect::Part),
        Op::Minus | Op::Divide | Op::Modulo => Ok(Effect::Sum),
        Op::Plus
        | Op::Multiply
        | Op::StringConcat
        | Op::BitwiseOr
        | Op::BitwiseAnd
        | Op::PGBitwiseXor
        | Op::PGBitwiseShiftLeft
        | Op::PGBitwiseShiftRight => Ok(Effect::Sum),
        Op::PGExp => Ok(Effect::Power),
        Op::BitwiseXor
        | Op::Spaceship
        | Op::Xor
        | Op::DuckIntegerDivide
        | Op::MyIntegerDivide
        | Op::Match
        | Op::Regexp
        | Op::Custom(_)
        | Op::PGCustomBinaryOperator(_)
        | Op::DoubleHash
        | Op::LtDashGt
        | Op::AndLt
        | Op::AndGt
        | Op::LtLtPipe
        | Op::PipeGtGt
        | Op::AndLtPipe
        | Op::PipeAndGt
        | Op::LtCaret
        | Op::GtCaret
        | Op::QuestionHash
        | Op::QuestionDash
        | Op::QuestionDashPipe
        | Op::QuestionDoublePipe
        | Op::At
        | Op::TildeEq
        | Op::Assignment => Err(Refusal::new(Rule::Operator, op.to_string())),
    }
}

pub(super) fn is_pattern(op: &BinaryOperator) -> bool {
    use BinaryOperator as Op;
    matches!(op, Op::PGRegexMatch | Op::PGRegexIMatch | Op::PGRegexNotMatch | Op::PGRegexNotIMatch)
}
