//! What each sign weighs, for tables of events (rows with a time) and for tables of things.
//!
//! Fitted by logistic regression (L2, C = 1.0 and 0.3) over every reading of the labelled sets: is the answer right?
//! Readings with words that were not understood count 0.15, sets whose questions shaped the grammar 1.0. The thresholds
//! were chosen by leaving each set out in turn; the README of the sets tells what came of it. Fit again when the grammar
//! has changed: a weight is a measurement, and no opinion.

/// Where nothing speaks for or against a reading: of events, of things.
pub(super) const BIAS: [f64; 2] = [3.76, 1.17];

/// The reading is given as an answer from here on: of events, of things.
pub(super) const SURE: [f64; 2] = [0.84, 0.68];

/// From here on it is shown to the person, who decides.
pub(super) const ASK: f64 = 0.1;

/// The names of the signs, and what each weighs of events and of things.
pub(super) const WEIGHTS: [(&str, [f64; 2]); 41] = [
    ("unread words", [-1.15, -0.96]),
    ("share of words unread", [-0.42, -0.33]),
    ("words without a consequence", [-0.33, -0.73]),
    ("words set aside", [-0.14, -0.12]),
    ("background told", [-0.50, -0.05]),
    ("words searched for unquoted", [0.49, -0.55]),
    ("duration by default", [-0.61, 0.00]),
    ("groups by mere names", [-0.45, -0.38]),
    ("more dimensions", [-0.65, -0.63]),
    ("figures asked beyond those shown", [-0.63, 0.02]),
    ("superlatives beyond those shown", [-0.22, -0.27]),
    ("conditions", [-0.01, -0.27]),
    ("follow-up", [-0.85, 0.00]),
    ("periods compared", [-1.45, -0.00]),
    ("special form", [0.10, -0.01]),
    ("spelling corrected", [-1.01, -0.19]),
    ("tens of words", [-0.02, -0.05]),
    ("further clauses", [-0.35, -0.12]),
    ("further long clauses", [-0.96, 0.19]),
    ("further clauses that ask", [-0.00, -0.09]),
    ("values of several columns", [0.03, 0.25]),
    ("values named in part", [-0.38, 0.26]),
    ("tables joined", [0.00, -0.63]),
    ("no condition", [-1.62, -0.23]),
    ("rows", [-0.86, 0.47]),
    ("count by default", [-0.11, -0.27]),
    ("conditions on groups", [0.26, 0.00]),
    ("brackets", [0.58, -0.18]),
    ("first of an order", [-0.51, 0.01]),
    ("share", [-0.75, 0.06]),
    ("negation said", [-0.24, -0.28]),
    ("comparison said", [0.67, -0.13]),
    ("each, both or among said", [-0.07, -0.06]),
    ("first or last said", [0.11, -0.10]),
    ("very many groups", [-1.27, 0.08]),
    ("texts found by their words", [-1.20, 0.00]),
    ("one word for several values", [0.41, 0.00]),
    ("superlative in a name", [0.00, -0.48]),
    ("superlative of a mere column", [0.00, -0.83]),
    ("verb between things", [0.00, -0.22]),
    ("what hardly anybody asks", [-1.34, -0.00]),
];

/// What the signs of a candidate weigh: a constant; the first reader's log odds, the second's likelihood, that the second
/// misses something, that it asks, unread words.
pub(super) struct OwnWeights {
    pub(super) constant: f64,
    pub(super) signs: [f64; 5],
}

/// Of the first reader's candidate and of the second's; that both say it first; and how likely another one is.
pub(super) struct PoolWeights {
    pub(super) first: OwnWeights,
    pub(super) second: OwnWeights,
    pub(super) both: f64,
    pub(super) other: f64,
}

/// A logistic over the candidates of every single question of the sets; the sets that rules were learnt from have weights of their own
/// beside these, which are left out here, so that what was learnt by heart is not taken for skill.
pub(super) const POOL: PoolWeights = PoolWeights {
    first: OwnWeights { constant: 0.75, signs: [0.52, 0.32, -0.04, -2.16, -0.65] },
    second: OwnWeights { constant: -0.24, signs: [0.06, 0.17, -0.11, -1.68, -0.23] },
    both: 0.62,
    other: 0.67,
};

/// The second reader is not asked where the first is as sure as this and has read every word: of such readings it would mend as few as it
/// would spoil, and plain questions are read in no time.
pub(super) const CERTAIN: f64 = 0.92;

/// With two readings, the better is given as an answer from here on, if every word was read: of 199 unlearnt questions that have an answer, 115
/// are then given it, 33 are offered it, and 8 are given another one (weights fitted without the question).
pub(super) const SURE_OF_TWO: f64 = 0.45;
