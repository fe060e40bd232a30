//! What each sign weighs.

pub(super) const BIAS: f64 = 0.0;

/// The reading is given as an answer from here on.
pub(super) const SURE: f64 = 0.5;

/// From here on it is shown to the person, who decides.
pub(super) const ASK: f64 = 0.1;

pub(super) const WEIGHTS: [(&str, f64); 42] = [
    ("unread words", 0.0),
    ("share of words unread", 0.0),
    ("words without a consequence", 0.0),
    ("unread word is what is asked for", 0.0),
    ("words set aside", 0.0),
    ("background told", 0.0),
    ("words searched for unquoted", 0.0),
    ("duration by default", 0.0),
    ("groups by mere names", 0.0),
    ("more dimensions", 0.0),
    ("figures asked beyond those shown", 0.0),
    ("superlatives beyond those shown", 0.0),
    ("conditions", 0.0),
    ("follow-up", 0.0),
    ("periods compared", 0.0),
    ("special form", 0.0),
    ("spelling corrected", 0.0),
    ("tens of words", 0.0),
    ("further clauses", 0.0),
    ("further clauses that ask", 0.0),
    ("values of several columns", 0.0),
    ("values named in part", 0.0),
    ("tables joined", 0.0),
    ("tables of things", 0.0),
    ("no condition", 0.0),
    ("rows", 0.0),
    ("count by default", 0.0),
    ("conditions on groups", 0.0),
    ("brackets", 0.0),
    ("first of an order", 0.0),
    ("share", 0.0),
    ("negation said", 0.0),
    ("comparison said", 0.0),
    ("each, both or among said", 0.0),
    ("first or last said", 0.0),
    ("very many groups", 0.0),
    ("texts found by their words", 0.0),
    ("one word for several values", 0.0),
    ("superlative in a name", 0.0),
    ("superlative of a mere column", 0.0),
    ("verb between things", 0.0),
    ("what hardly anybody asks", 0.0),
];
