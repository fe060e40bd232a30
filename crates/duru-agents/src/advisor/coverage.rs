//! The parts of a question, and which of them an answer leaves open.

use super::lang::Lang;
use super::state::{Advice, Answer};
use super::understand::{Question, begins_word, is_taken_back};
use super::wanted;

/// Something that is asked about: the words that ask for it, and those of which one stands in an answer to it.
type Topic = (&'static [&'static str], &'static [&'static str]);

/// What people ask for by name. What is only the ground of a question (a loan, a price) is not among them.
#[rustfmt::skip]
const TOPICS: &[Topic] = &[
    (&["취득세", "acquisition tax"], &["취득세", "acquisition tax"]),
    (&["양도소득세", "양도세", "capital gains"], &["양도소득세", "양도세", "capital gains"]),
    (&["재산세", "property tax"], &["재산세", "property tax"]),
    (&["종합부동산세", "종부세", "comprehensive real estate", "comprehensive real-estate", "comprehensive property"], &["종합부동산세", "종부세", "comprehensive real*"]),
    (&["증여세", "gift tax"], &["증여세", "gift tax"]),
    (&["상속세", "inheritance tax"], &["상속세", "inheritance tax"]),
    (&["복비", "중개보수", "중개수수료", "중개 수수료", "중개비", "brokerage", "agent fee", "agent's fee", "broker*"], &["중개보수", "brokerage", "the fee"]),
    (&["등기비", "등기 비용", "등기비용", "법무사", "registration cost", "registration fee"], &["등기 비용", "법무사", "registration"]),
    (&["수익률", "yield"], &["수익률", "yield"]),
    (&["전세가율", "jeonse ratio"], &["전세가율", "jeonse ratio", "of the price"]),
    (&["보증보험", "반환보증", "deposit insurance", "insure the deposit", "guarantee insurance"], &["반환보증", "보증보험", "insur*", "guarantee"]),
    (&["확정일자", "fixed date"], &["확정일자", "fixed date"]),
    (&["전입신고", "registering the move", "move-in report"], &["전입신고", "registered the move", "move-in report", "registration"]),
    (&["대항력"], &["대항력"]),
    (&["갱신청구권", "갱신요구권", "계약갱신", "renewal"], &["갱신", "renew*"]),
    (&["위약금", "해약금", "penalty"], &["위약", "해약", "계약금", "penalt*", "down payment"]),
    (&["관리비", "maintenance fee", "management fee"], &["관리비", "maintenance", "management fee"]),
    (&["학군", "초등학교", "school"], &["학군", "학교", "초등학교", "중학교", "고등학교", "school"]),
    (&["지하철", "교통", "출퇴근", "subway", "commute"], &["지하철", "교통", "subway", "commut*", "station"]),
    (&["청약", "subscription"], &["청약", "subscription"]),
    (&["재건축", "재개발", "redevelopment"], &["재건축", "재개발", "redevelop*"]),
    (&["이사비", "이사 비용", "moving cost"], &["이사 비용", "이사비", "moving cost"]),
    (&["인테리어", "리모델링", "renovation"], &["인테리어", "리모델링", "renovat*"]),
    (&["대출 한도", "대출한도", "한도가 얼마", "한도는", "얼마까지 빌", "loan limit", "how much can i borrow"], &["한도", "highest loan", "can borrow", "borrowed"]),
    (&["월 상환", "상환액", "원리금", "월 납입", "월납입", "매달 얼마", "한 달에 얼마", "monthly payment", "per month"], &["매달", "월 상환", "이자가 약", "a month", "monthly"]),
    (&["총이자", "총 이자", "이자 총", "total interest"], &["총이자", "interest"]),
    (&["dsr"], &["dsr"]),
    (&["dti"], &["dti"]),
    (&["권리금", "key money", "goodwill"], &["권리금", "key money"]),
    (&["재산분할"], &["재산분할"]),
    (&["보유세", "holding tax"], &["재산세", "property tax"]),
    (&["주택드림"], &["주택드림"]),
    (&["신생아"], &["신생아", "newborn"]),
    (&["ltv"], &["ltv"]),
    (&["디딤돌"], &["디딤돌"]),
    (&["보금자리론"], &["보금자리론"]),
    (&["버팀목"], &["버팀목"]),
    (&["전환율", "conversion rate"], &["전환율", "conversion"]),
    (&["전세사기", "깡통전세"], &["전세사기", "깡통", "위험", "안전", "선순위"]),
    (&["원상복구", "원상회복"], &["원상"]),
    (&["묵시적 갱신", "자동 연장", "자동연장"], &["묵시적", "자동"]),
    (&["장기수선충당금"], &["장기수선충당금"]),
    (&["월세 세액공제", "세액공제", "tax credit"], &["세액공제", "tax credit"]),
    (&["전망", "오를까", "떨어질까", "outlook"], &["전망", "예측", "추세", "forecast", "trend"]),
];

/// Where a word stands in a text in small letters. English words are whole words but for a plural, unless a `*` ends them;
/// Korean ones of two syllables begin a word, for they are found inside of others.
fn place(text: &str, word: &str) -> Option<usize> {
    let stem = word.ends_with('*');
    let word = word.trim_end_matches('*');
    let english = word.is_ascii();
    let bounded = english || word.chars().count() <= 2;
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let rest = &text[at + word.len()..];
        let rest = rest.strip_prefix("es").or(rest.strip_prefix('s')).unwrap_or(rest);
        let ends = stem || !english || !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
        ends && (!bounded || begins_word(text, *at))
    })
}

/// The parts that a question names, in its own words and in its order.
pub(super) fn parts(question: &Question) -> Vec<String> {
    if wanted::defines(question) || question.brings_contract {
        return Vec::new();
    }
    let text = question.text.to_lowercase();
    let mut found: Vec<(usize, String)> = Vec::new();
    for (words, _) in TOPICS {
        let said =
            words.iter().filter_map(|word| place(&text, word).map(|at| (at, word.trim_end_matches('*'))));
        let Some((at, word)) = said.min_by_key(|(at, word)| (*at, usize::MAX - word.len())) else { continue };
        let rest = &text[at + word.len()..];
        let known: String = rest.chars().take(8).collect();
        let settled = ["알겠", "알고", "됐고", "됐어", "들었", "냈"].iter().any(|word| known.contains(word));
        if !settled && !is_taken_back(rest) {
            found.push((at, word.to_owned()));
        }
    }
    found.sort();
    found.into_iter().map(|(_, word)| word).collect()
}

/// The parts that an answer says nothing of, as lines that say so.
pub(super) fn open(s: &Advice, answer: &Answer, lang: Lang) -> Vec<String> {
    let body: Vec<&str> = answer
        .sections
        .iter()
        .flat_map(|section| section.lines.iter().map(String::as_str).chain([section.heading.as_str()]))
        .chain([answer.summary.as_str()])
        .collect();
    let body = body.join("\n").to_lowercase();
    let told = |part: &&String| {
        TOPICS
            .iter()
            .filter(|(words, _)| words.iter().any(|word| word.trim_end_matches('*') == part.as_str()))
            .any(|(_, answers)| answers.iter().any(|word| place(&body, word).is_some()))
    };
    let mut lines: Vec<String> = Vec::new();
    for part in s.planning.parts.iter().filter(|part| !told(part)) {
        lines.push(lang.pick(
            format!("‘{part}’: 이 질문에 답할 자료나 계산 방법이 없어 답하지 못했습니다."),
            format!("“{part}”: not answered, for want of data or of a way to work it out."),
        ));
    }
    let said = answer.missing.join("\n");
    for region in s.question().regions() {
        let names = [region.name(), region.name_in_english()];
        let lower = names.clone().map(|name| name.to_lowercase());
        let own = lang.pick(names[0].as_str(), names[1].as_str());
        if !lower.iter().any(|name| body.contains(name.as_str())) && !said.contains(&own) {
            lines.push(lang.pick(
                format!("{own}: 이 답에 쓸 수 있는 그 지역의 자료가 없습니다."),
                format!("{own}: there are no data of that place for this answer."),
            ));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn words_are_whole_words() {
        assert_eq!(place("the mortgage was removed", "move"), None);
        assert_eq!(place("two schools nearby", "school"), Some(4));
        assert_eq!(place("renewed for two years", "renew*"), Some(0));
        assert_eq!(place("전세보증보험은 어디서", "보증보험"), Some("전세".len()));
        assert_eq!(place("신청약관을 봤어요", "청약"), None);
    }
}
