//! Words for what is no question about homes, or none that can be understood.

use crate::advisor::lang::Lang;
use crate::advisor::state::Answer;

/// A friendly way back; who only thanks is at home already.
pub(in crate::advisor) fn redirect(said: &str, lang: Lang) -> Answer {
    let said = said.trim().to_lowercase();
    let thanks = ["고마", "고맙", "감사", "thank", "thx"];
    let opens = |word: &&str| said.starts_with(*word) || said.contains(&format!(" {word}"));
    if said.chars().count() <= 30 && thanks.iter().any(opens) {
        return whole(lang.pick(
            "도움이 되었다니 다행입니다. 시세, 대출, 전월세 법률, 계약서에 대해 더 궁금한 것이 있으면 물어보세요.",
            "You are welcome. Ask me if there is anything else about prices, loans, leases or contracts.",
        ));
    }
    whole(lang.pick(
        "저는 부동산 상담을 돕습니다. 시세, 전월세 법률, 대출, 계약서에 대해 물어봐 주세요.\n\n예를 들어:\n- 강남구 아파트 시세 알려줘\n- \
         전세금 3억인데 얼마까지 올릴 수 있어?\n- 연봉 6천만원인데 8억 집 대출 한도는?\n- 월세 계약서 초안 만들어줘",
        "I help with real estate in Korea. Ask me about prices, leases and their law, loans, or contracts.\n\nFor example:\n- What do \
         apartments in Gangnam cost?\n- My jeonse deposit is 300 million won: how much may it rise?\n- How much can I borrow with an income of \
         60 million won?",
    ))
}

/// One question back.
pub(in crate::advisor) fn clarify(asked: Option<&str>, lang: Lang) -> Answer {
    let question = asked.map_or_else(
        || {
            lang.pick(
                "무엇을 도와드릴까요? 시세, 대출, 전월세 법률, 계약서 가운데 무엇에 대한 질문인지와 지역이나 금액을 함께 알려 주세요.",
                "What can I help with? Tell me whether it is about prices, loans, leases or a contract, and the area or the sum.",
            )
        },
        str::to_owned,
    );
    whole(question)
}

fn whole(text: String) -> Answer {
    Answer { summary: text.clone(), text, ..Answer::default() }
}
