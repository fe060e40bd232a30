//! What a question asks for: from its words, and from the things of a table that some of them stand for, to the words of
//! a small language of queries. It knows no table: things are only marked by what kind they are.

use std::sync::OnceLock;

use ndarray::{Array1, Array2, Axis, concatenate};

use crate::attention::{Linear, Offered, Reading, Writing, norm, softmax};
use crate::encoder::Encoder;
use crate::layers::Norm;
use crate::weights::{Error, Weights};

/// So many pieces of a question are read, so many words of an answer written, so many ways pursued at once.
const MOST_PIECES: usize = 160;
const MOST_WORDS: usize = 80;
const WAYS: usize = 4;

/// A way that is less likely than this is not pursued.
const LEAST_LIKELY: f32 = 0.002;

/// The kinds of things, in the order of the weights.
pub const KINDS: [&str; 17] =
    ["", "V", "I", "X", "Cc", "Ci", "Cn", "Ct", "Cx", "Cb", "A", "M", "R", "T", "D", "N", "P"];

/// A stretch of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretch {
    pub text: String,
    /// Whether a space stands before it.
    pub spaced: bool,
    /// Which thing it stands for, by the order of things, and of what kinds that is (places in [`KINDS`]).
    pub thing: Option<(usize, Vec<usize>)>,
}

/// A word of what is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    Word(&'static str),
    Thing(usize),
}

/// What may be asked, and how likely it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    pub terms: Vec<Term>,
    pub likely: f32,
}

/// A word of a question, and how likely it names something of the table, whether or not it is marked so.
#[derive(Debug, Clone, PartialEq)]
pub struct NamingWord {
    /// In which stretch it stands, and as which of its words.
    pub stretch: usize,
    pub word: usize,
    pub likely: f32,
    /// What it most likely names, as a place in [`KINDS`]; never the first, which stands for nothing.
    pub kind: usize,
}

/// How a question was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Composition {
    /// What may be asked, the most likely first.
    pub ways: Vec<Composed>,
    /// All words of the question.
    pub words: Vec<NamingWord>,
}

pub struct Composer {
    encoder: &'static Encoder,
    words: Vec<String>,
    begin: usize,
    end: usize,
    input: Linear,
    kinds: Array2<f32>,
    first: Array2<f32>,
    places: Array2<f32>,
    reading: Vec<Reading>,
    read: Norm,
    terms: Array2<f32>,
    thing: Linear,
    term_places: Array2<f32>,
    writing: Vec<Writing>,
    written: Norm,
    out: Linear,
    asks: Linear,
    keys: Linear,
    kinds_of_pieces: Linear,
}

/// A question's rows, one for each piece.
struct Rows {
    rows: Array2<f32>,
    /// Which thing each stands for.
    things: Vec<Option<usize>>,
    /// In which stretch it stands, and in which of its words.
    words: Vec<(usize, usize)>,
}

/// A way that is pursued.
struct Way {
    terms: Vec<usize>,
    log: f32,
    before: Vec<Option<Offered>>,
}

impl Composer {
    /// The one that is part of the program; read when it is first asked for.
    pub fn bundled() -> Result<&'static Self, &'static Error> {
        static BUNDLED: OnceLock<Result<Composer, Error>> = OnceLock::new();
        BUNDLED.get_or_init(|| Self::read(include_bytes!("../data/composer.bin"))).as_ref()
    }

    fn read(bytes: &'static [u8]) -> Result<Self, Error> {
        let mut weights = Weights::read(bytes)?;
        let words: Vec<String> = weights.pieces.iter().map(|(word, _)| word.clone()).collect();
        let place = |word: &str| words.iter().position(|known| known == word).ok_or(Error::Damaged);
        let (begin, end) = (place("<s>")?, place("</s>")?);
        let mut reading = Vec::new();
        while weights.has(&format!("enc.{}.ff.a.weight", reading.len())) {
            reading.push(Reading::read(&mut weights, &format!("enc.{}", reading.len()))?);
        }
        let mut writing = Vec::new();
        while weights.has(&format!("dec.{}.ff.a.weight", writing.len())) {
            writing.push(Writing::read(&mut weights, &format!("dec.{}", writing.len()))?);
        }
        Ok(Self {
            encoder: Encoder::bundled().map_err(|_| Error::Damaged)?,
            begin,
            end,
            input: Linear::read(&mut weights, "inp")?,
            kinds: weights.matrix("kind.weight")?,
            first: weights.matrix("first.weight")?,
            places: weights.matrix("pos.weight")?,
            reading,
            read: norm(&mut weights, "en")?,
            terms: weights.matrix("tok.weight")?,
            thing: Linear::read(&mut weights, "slot")?,
            term_places: weights.matrix("dpos.weight")?,
            writing,
            written: norm(&mut weights, "dn")?,
            out: Linear::read(&mut weights, "out")?,
            asks: Linear::read(&mut weights, "pq")?,
            keys: Linear::read(&mut weights, "pk")?,
            kinds_of_pieces: Linear::read(&mut weights, "tag")?,
            words,
        })
    }

    /// Reads a question; nothing comes of it, if there is nothing to read.
    pub fn compose(&'static self, stretches: &[Stretch]) -> Result<Composition, Error> {
        let things = stretches.iter().filter_map(|one| Some(one.thing.as_ref()?.0 + 1)).max().unwrap_or(0);
        let question = self.question(stretches);
        if question.rows.nrows() == 0 {
            return Ok(Composition::default());
        }
        let words = self.naming_words(&question);
        let things = things_of(&question.rows, &question.things, things);
        Ok(Composition { ways: self.write(&question.rows, &things)?, words })
    }

    /// How likely each word names something: as likely as the likeliest of its pieces.
    fn naming_words(&self, question: &Rows) -> Vec<NamingWord> {
        let scores = self.kinds_of_pieces.apply(&question.rows);
        let mut words: Vec<NamingWord> = Vec::new();
        for (scores, (stretch, word)) in scores.axis_iter(Axis(0)).zip(&question.words) {
            let shares = softmax(scores);
            let kinds = shares.iter().copied().enumerate().skip(1);
            let Some((kind, _)) = kinds.max_by(|one, other| one.1.total_cmp(&other.1)) else { continue };
            let piece = NamingWord { stretch: *stretch, word: *word, likely: 1.0 - shares[0], kind };
            match words.last_mut().filter(|last| (last.stretch, last.word) == (*stretch, *word)) {
                Some(last) if last.likely < piece.likely => *last = piece,
                Some(_) => {}
                None => words.push(piece),
            }
        }
        words
    }

    /// The likeliest ways to write what is asked.
    fn write(&'static self, read: &Array2<f32>, things: &Array2<f32>) -> Result<Vec<Composed>, Error> {
        let keys = self.keys.apply(things);
        let as_terms = self.thing.apply(things);
        let offered: Vec<Offered> = self.writing.iter().map(|layer| layer.offered(read)).collect();
        let mut ways =
            vec![Way { terms: vec![self.begin], log: 0.0, before: vec![None; self.writing.len()] }];
        let mut done: Vec<Composed> = Vec::new();
        for _ in 0..MOST_WORDS {
            let likely = self.next(&mut ways, &as_terms, &offered, &keys)?;
            let mut next: Vec<(f32, usize, usize)> = Vec::new();
            for ((at, way), likely) in ways.iter().enumerate().zip(likely.axis_iter(Axis(0))) {
                next.extend(likely.iter().enumerate().map(|(term, share)| (way.log + share.ln(), at, term)));
            }
            next.sort_by(|one, other| other.0.total_cmp(&one.0));
            let mut best = Vec::new();
            for (log, at, term) in next.into_iter().take(WAYS).filter(|(log, ..)| log.exp() >= LEAST_LIKELY) {
                if term == self.end {
                    done.push(self.composed(&ways[at].terms, log));
                } else {
                    let terms = ways[at].terms.iter().copied().chain([term]).collect();
                    best.push(Way { terms, log, before: ways[at].before.clone() });
                }
            }
            ways = best;
            // No way that goes on can still become likelier.
            let worst = done.iter().map(|one| one.likely).fold(f32::INFINITY, f32::min);
            let enough = done.len() >= WAYS && ways.first().is_none_or(|way| way.log.exp() < worst);
            if ways.is_empty() || enough {
                break;
            }
        }
        done.sort_by(|one, other| other.likely.total_cmp(&one.likely));
        Ok(done)
    }

    fn question(&self, stretches: &[Stretch]) -> Rows {
        let (mut pieces, mut extra) = (Vec::new(), Vec::new());
        let (mut things, mut words) = (Vec::new(), Vec::new());
        for (number, stretch) in stretches.iter().enumerate() {
            let thing = stretch.thing.as_ref();
            for (word, text) in stretch.text.split_whitespace().enumerate() {
                let cut = self.encoder.cut(text, stretch.spaced || word > 0);
                for (at, piece) in cut.into_iter().enumerate() {
                    let is_first = thing.is_some() && word == 0 && at == 0;
                    let place = pieces.len().min(MOST_PIECES - 1);
                    let mut row = &self.first.row(usize::from(is_first)) + &self.places.row(place);
                    match thing {
                        Some((_, kinds)) => kinds.iter().for_each(|kind| row += &self.kinds.row(*kind)),
                        None => row += &self.kinds.row(0),
                    }
                    extra.push(row);
                    pieces.push(piece);
                    things.push(thing.map(|(thing, _)| *thing));
                    words.push((number, word));
                }
            }
        }
        pieces.truncate(MOST_PIECES);
        things.truncate(MOST_PIECES);
        words.truncate(MOST_PIECES);
        let mut rows = self.input.apply(&self.encoder.looked_up(&pieces));
        rows.axis_iter_mut(Axis(0)).zip(&extra).for_each(|(mut row, extra)| row += extra);
        for layer in &self.reading {
            rows = layer.apply(rows);
        }
        self.read.apply(&mut rows);
        Rows { rows, things, words }
    }

    /// The row of the last word of a way.
    fn term(&self, way: &Way, things: &Array2<f32>) -> Array1<f32> {
        let last = way.terms.last().copied().unwrap_or(self.begin);
        let row = match last.checked_sub(self.words.len()) {
            Some(thing) => things.row(thing),
            None => self.terms.row(last),
        };
        let place = (way.terms.len() - 1).min(self.term_places.nrows() - 1);
        &row + &self.term_places.row(place)
    }

    /// How likely each word and each thing comes next, for every way. All ways at once: a matrix is fetched once.
    fn next(
        &self,
        ways: &mut [Way],
        as_terms: &Array2<f32>,
        offered: &[Offered],
        keys: &Array2<f32>,
    ) -> Result<Array2<f32>, Error> {
        let mut rows = Array2::zeros((ways.len(), self.terms.ncols()));
        for (mut row, way) in rows.axis_iter_mut(Axis(0)).zip(ways.iter()) {
            row.assign(&self.term(way, as_terms));
        }
        for (at, (layer, offered)) in self.writing.iter().zip(offered).enumerate() {
            let mut before: Vec<_> = ways.iter_mut().map(|way| way.before[at].take()).collect();
            rows = layer.apply(rows, &mut before, offered)?;
            ways.iter_mut().zip(before).for_each(|(way, before)| way.before[at] = before);
        }
        self.written.apply(&mut rows);
        let words = self.out.apply(&rows);
        let width = (rows.ncols() as f32).sqrt();
        let things = self.asks.apply(&rows).dot(&keys.t()) / width;
        let mut all = concatenate(Axis(1), &[words.view(), things.view()]).map_err(|_| Error::Damaged)?;
        all.axis_iter_mut(Axis(0)).for_each(|mut row| {
            let shares = softmax(row.view());
            row.assign(&shares);
        });
        Ok(all)
    }

    fn composed(&'static self, terms: &[usize], log: f32) -> Composed {
        let term = |term: &usize| match term.checked_sub(self.words.len()) {
            Some(thing) => Term::Thing(thing),
            None => Term::Word(&self.words[*term]),
        };
        Composed { terms: terms.iter().skip(1).map(term).collect(), likely: log.exp() }
    }
}

/// Each thing's row: the mean of those of the pieces that name it.
fn things_of(read: &Array2<f32>, marks: &[Option<usize>], things: usize) -> Array2<f32> {
    let mut rows = Array2::zeros((things, read.ncols()));
    let mut counts = vec![0.0_f32; things];
    for (row, mark) in read.axis_iter(Axis(0)).zip(marks) {
        if let Some(thing) = mark {
            let mut sum = rows.row_mut(*thing);
            sum += &row;
            counts[*thing] += 1.0;
        }
    }
    for (mut row, count) in rows.axis_iter_mut(Axis(0)).zip(counts) {
        row /= count.max(1.0);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(text: &str, thing: Option<(usize, &str)>) -> Stretch {
        let kind = |kind: &str| KINDS.iter().position(|known| *known == kind).unwrap();
        Stretch {
            text: text.to_owned(),
            spaced: true,
            thing: thing.map(|(number, name)| (number, vec![kind(name)])),
        }
    }

    fn composed(stretches: &[Stretch]) -> Vec<(String, f32)> {
        let word = |term: &Term| match term {
            Term::Word(word) => (*word).to_owned(),
            Term::Thing(thing) => format!("#{thing}"),
        };
        let all = Composer::bundled().unwrap().compose(stretches).unwrap().ways;
        all.iter().map(|one| (one.terms.iter().map(word).collect::<Vec<_>>().join(" "), one.likely)).collect()
    }

    #[test]
    fn plain_questions_are_composed_in_both_languages() {
        let korean = [
            stretch("어제", Some((0, "T"))),
            stretch("결제", Some((1, "V"))),
            stretch("에러", Some((2, "V"))),
            stretch("몇 건이야?", None),
        ];
        assert_eq!(composed(&korean)[0].0, "count ; where #1 #2 ; time #0");
        let english = [
            stretch("average", None),
            stretch("latency", Some((0, "Cn"))),
            stretch("per", None),
            stretch("service", Some((1, "Cc"))),
            stretch("yesterday", Some((2, "T"))),
        ];
        assert_eq!(composed(&english)[0].0, "avg ( #0 ) ; by #1 ; time #2");
    }

    #[test]
    fn what_changes_the_meaning_changes_what_is_composed() {
        let of = |words: &str| {
            composed(&[
                stretch("에러", Some((0, "V"))),
                stretch(words, None),
                stretch("서비스", Some((1, "Cc"))),
            ])[0]
                .0
                .clone()
        };
        assert_eq!(of("제일 많은"), "count ; by #1 ; where #0 ; order count desc ; limit 1");
        assert_eq!(of("하나도 없는"), "values ; by #1 ; having none ( #0 )");
    }

    #[test]
    fn words_that_name_something_are_told_from_those_that_don_t() {
        let question = [stretch("급한데요 어제 결제 실패 몇 건이었는지 좀 알려주세요", None)];
        let words = Composer::bundled().unwrap().compose(&question).unwrap().words;
        let names: Vec<bool> = words.iter().map(|word| word.likely > 0.5).collect();
        assert_eq!(names, [false, true, true, true, false, false, false, false]);
        assert_eq!(KINDS[words[1].kind], "T");
        assert_eq!(KINDS[words[3].kind], "V");
    }

    #[test]
    fn a_text_is_cut_word_by_word_as_in_whole() {
        let encoder = Encoder::bundled().unwrap();
        for text in
            ["지금 깨서 보는 중인데 자정 이후로", "of all the failed logins, what percent (203.0.113.77)?"]
        {
            let words: Vec<usize> =
                text.split_whitespace().flat_map(|word| encoder.cut(word, true)).collect();
            assert_eq!(encoder.cut(text, true), words);
        }
    }

    #[test]
    fn the_likeliest_comes_first_and_no_likelihood_is_above_one() {
        // Said so, it may be anything.
        let all = composed(&[stretch("errors", Some((0, "V"))), stretch("host", Some((1, "Ci")))]);
        assert!(all.len() > 1);
        assert!(all.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        assert!(all.iter().map(|one| one.1).sum::<f32>() <= 1.0 + 1e-3);
    }

    #[test]
    fn nothing_very_long_and_odd_texts_are_survived() {
        assert!(Composer::bundled().unwrap().compose(&[]).unwrap().ways.is_empty());
        for text in ["🙂\u{0}", "漢字", &"가나 ".repeat(50_000)] {
            composed(&[stretch(text, None), stretch(text, Some((0, "X")))]);
        }
    }
}
