//! Whatever somebody types, reading it must not fail.

use duru_agents::advisor::tools::{Constants, analyse_contract, import_deals};
use duru_agents::advisor::understand::{Context, Terms, understand};

const PIECES: &[&str] = &[
    "강남",
    " 3구",
    "마용성",
    "서울",
    "중구",
    "역삼동",
    "1가",
    " ",
    "  ",
    "\n",
    "말고",
    "이랑",
    "시세",
    "대출",
    "법",
    "5억",
    "5천",
    "만원",
    "500/50",
    "84㎡",
    "30평대",
    "그",
    "그거",
    "방금",
    "지난번",
    "?",
    "!",
    "İ",
    "ß",
    "ẞ",
    "👍🏽",
    "\u{200b}",
    "é",
    "ㅋㅋ",
    "%",
    "제1조",
    "특약 1.",
    "①",
    "99999999999999999999",
    ".",
    ",",
    "-gu",
    "Gangnam",
    "or less",
    "하지 말고",
    "계약서",
    "작성",
    "최신",
    "다시 ",
    "검색",
    "억",
    "천",
    "만",
    "원",
    "월세 ",
    "보증금 ",
    "0",
    "1",
    "\"",
    "NaN",
    "ﬃ",
    "年",
    "\t",
];

#[test]
fn any_mixture_of_words_is_read() {
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..2_000 {
        let text: String = (0..random.usize(0..12)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
        let question = understand(&text, &Context::default());
        assert!((0.0..=1.0).contains(&question.confidence), "{text}");
        let terms = Terms::read(&text);
        assert_eq!(terms, question.terms, "{text}");
        analyse_contract(&text, Constants::built_in());
        import_deals(text.as_bytes(), "x");
    }
}
