//! Passages that nobody wrote: sentences of a few hundred nouns, common ones far more often than rare ones.

use duru_search::Chunk;
use fastrand::Rng;

const HEADS: [&str; 40] = [
    "임대",
    "임차",
    "보증",
    "중개",
    "등기",
    "분양",
    "관리",
    "건축",
    "토지",
    "주택",
    "공동",
    "부동산",
    "거래",
    "가격",
    "공시",
    "신고",
    "허가",
    "승인",
    "심사",
    "조정",
    "위원",
    "조합",
    "사업",
    "계약",
    "권리",
    "설정",
    "이전",
    "말소",
    "변경",
    "신탁",
    "담보",
    "대출",
    "세금",
    "납부",
    "환급",
    "보수",
    "수선",
    "하자",
    "검사",
    "점검",
];
const TAILS: [&str; 30] = [
    "인", "료", "금", "권", "서", "소", "자", "업", "법", "령", "기준", "절차", "기간", "신청", "대상",
    "요건", "범위", "방법", "사항", "증명", "통지", "청구", "의무", "책임", "제한", "명령", "계획", "결정",
    "등록", "취소",
];
const PARTICLES: [&str; 8] = ["은", "는", "을", "를", "에", "의", "과", "로"];
const VERBS: [&str; 10] = [
    "정한다",
    "신고하여야 한다",
    "제출할 수 있다",
    "통지한다",
    "받아야 한다",
    "넘지 못한다",
    "청구할 수 있다",
    "보관한다",
    "확인하여야 한다",
    "적용하지 아니한다",
];

/// A noun: small numbers come far more often than large ones.
fn noun(rng: &mut Rng) -> String {
    let skewed = |rng: &mut Rng, most: usize| {
        let share = rng.f64() * rng.f64();
        ((share * most as f64) as usize).min(most - 1)
    };
    let (head, other, tail) = (skewed(rng, HEADS.len()), skewed(rng, HEADS.len()), skewed(rng, TAILS.len()));
    match rng.u8(0..3) {
        0 => format!("{}{}", HEADS[head], TAILS[tail]),
        1 => format!("{}{}{}", HEADS[head], HEADS[other], TAILS[tail]),
        _ => format!("{}{}", HEADS[head], HEADS[other]),
    }
}

fn sentence(rng: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..rng.usize(4..9) {
        text.push_str(&noun(rng));
        text.push_str(PARTICLES[rng.usize(..PARTICLES.len())]);
        text.push(' ');
    }
    if rng.u8(0..4) == 0 {
        text.push_str(&format!("{}일 이내에 ", rng.u32(1..90)));
    }
    format!("{text}{}. ", VERBS[rng.usize(..VERBS.len())])
}

/// The passages of one document, as a statute of forty articles has them.
pub(super) fn document(number: usize, size: usize) -> Vec<Chunk> {
    let mut rng = Rng::with_seed(number as u64 + 1);
    let title = format!("{} 규정 {number}", noun(&mut rng));
    (1..=size)
        .map(|article| {
            let name = format!("{} {}", noun(&mut rng), noun(&mut rng));
            let body: String = (0..rng.usize(3..8)).map(|_| sentence(&mut rng)).collect();
            Chunk {
                id: format!("{number}#{article}"),
                document: number.to_string(),
                collection: "bench".to_owned(),
                source: format!("bench:{number}"),
                title: title.clone(),
                article: Some(format!("제{article}조")),
                text: format!("제{article}조({name}) {body}"),
                name,
                ..Chunk::default()
            }
        })
        .collect()
}

/// Questions of two to four nouns.
pub(super) fn questions(count: usize) -> Vec<String> {
    let mut rng = Rng::with_seed(7);
    let question = |_| {
        let nouns: Vec<String> = (0..rng.usize(2..5)).map(|_| noun(&mut rng)).collect();
        format!("{}은 어떻게 되나요?", nouns.join(" "))
    };
    (0..count).map(question).collect()
}
