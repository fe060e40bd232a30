//! Questions, and how somebody who knows the field answers them in words of their own.

/// A question and its answer.
pub(super) struct Expert {
    pub(super) question: &'static str,
    pub(super) said: &'static [Sentence],
    /// What a good answer must have, whoever writes it.
    pub(super) facts: &'static [&'static str],
}

pub(super) struct Sentence {
    pub(super) text: &'static str,
    /// Words of the document that stands behind it.
    of: Option<&'static str>,
}

impl Expert {
    /// The sentences, each with the number that its document has in what the model was shown.
    pub(super) fn sentences(&self, shown: &str) -> Vec<String> {
        let cited = |sentence: &Sentence| match sentence.of.and_then(|words| number(shown, words)) {
            Some(number) => format!("{} [{number}]", sentence.text),
            None => sentence.text.to_owned(),
        };
        self.said.iter().map(cited).collect()
    }
}

/// The number of the document that has these words: "[2] …" before them.
fn number(shown: &str, words: &str) -> Option<u32> {
    let before = &shown[..shown.find(words)?];
    before.rmatch_indices('[').find_map(|(at, _)| before[at + 1..].split(']').next()?.parse().ok())
}

const fn by(text: &'static str, of: &'static str) -> Sentence {
    Sentence { text, of: Some(of) }
}

const fn plain(text: &'static str) -> Sentence {
    Sentence { text, of: None }
}

pub(super) const RESEARCHER: &[Expert] = &[
    Expert {
        question: "보증금은 얼마까지 올릴 수 있나요?",
        said: &[
            by("보증금은 한 번에 5%까지만 증액할 수 있습니다.", "100분의 5를"),
            by("증액한 뒤 1년 안에는 다시 증액하지 못합니다.", "1년 이내에는"),
        ],
        facts: &[],
    },
    Expert {
        question: "임차권등기명령은 누가 신청할 수 있나요?",
        said: &[by("보증금을 돌려받지 못한 임차인이 임차권등기명령을 신청할 수 있습니다.", "반환받지 못한")],
        facts: &["임차인"],
    },
    Expert {
        question: "임차권등기의 비용은 누가 부담하나요?",
        said: &[by("등기 비용은 임대인이 부담합니다.", "등기의 비용은")],
        facts: &["임대인"],
    },
    Expert {
        question: "임차권등기명령에 관한 제3조를 위반하면 과태료가 얼마인가요?",
        said: &[by("제3조를 위반하면 500만원 이하의 과태료를 내야 합니다.", "500만원 이하의")],
        facts: &["500만원"],
    },
    Expert {
        question: "계단은 언제 청소하나요?",
        said: &[by("계단 청소는 매주 월요일에 합니다.", "매주 월요일에")],
        facts: &["월요일"],
    },
    Expert {
        question: "택배는 며칠 동안 보관하나요?",
        said: &[by("택배는 경비실에서 3일간 보관해 줍니다.", "3일 동안")],
        facts: &["경비실"],
    },
    Expert {
        question: "자전거 보관료는 얼마인가요?",
        said: &[
            by("생활 안내에 따르면 자전거 보관료는 매월 3천원입니다.", "매월 3천원"),
            by("2019년 공고에 따르면 자전거 보관료는 매월 5천원입니다.", "매월 5천원"),
        ],
        facts: &["3천원", "5천원"],
    },
    Expert {
        question: "세탁실 이용료는 얼마인가요?",
        said: &[by("세탁실은 한 번 이용할 때 2천원입니다.", "한 번에 2천원")],
        facts: &["2천원"],
    },
    Expert {
        question: "When do guests have to check out?",
        said: &[
            by("Guests have to check out before 11 in the morning.", "check out before 11"),
            by("Guests who are late pay a fee of 20 dollars.", "fee of 20 dollars"),
        ],
        facts: &["11"],
    },
    Expert {
        question: "Are pets allowed in the rooms?",
        said: &[by("No, pets are not allowed in the rooms.", "Pets are not allowed")],
        facts: &["not allowed"],
    },
    Expert {
        question: "차임이란 무엇인가요?",
        said: &[by("차임은 임차인이 매달 내는 돈을 말합니다.", "다달이 내는")],
        facts: &["돈"],
    },
    Expert {
        question: "집빌림법은 무엇을 정하나요?",
        said: &[by("이 법은 주거용 건물의 임대차에 관한 사항을 정합니다.", "주거용 건물의")],
        facts: &["임대차"],
    },
];

pub(super) const ADVISOR: &[Expert] = &[
    Expert {
        question: "전세 보증금 3억원을 얼마까지 올릴 수 있나요?",
        said: &[
            plain("갱신하실 때 보증금은 3억 1,500만원까지만 올릴 수 있습니다."),
            plain("법이 정한 증액 상한이 5%이기 때문입니다."),
        ],
        facts: &["5%"],
    },
    Expert {
        question: "전세 보증금 3억원을 10% 올려 달라는데 얼마까지 올릴 수 있나요?",
        said: &[
            plain("아니요, 10% 인상은 받아들이지 않으셔도 됩니다."),
            plain("보증금은 5%인 1,500만원까지만 올릴 수 있습니다."),
        ],
        facts: &["5%"],
    },
    Expert {
        question: "My landlord wants to raise my jeonse deposit of 300 million won by 10%. How much may he raise it by law?",
        said: &[
            plain("Your landlord may raise the deposit by 5% at most."),
            plain("A rise of 10% is not allowed."),
        ],
        facts: &["5%"],
    },
    Expert {
        question: "강남구 아파트 시세 알려줘",
        said: &[
            plain("강남구 아파트의 거래 자료를 정리해 드립니다."),
            plain("다만 합성 데이터이므로 실제 시세와 다를 수 있습니다."),
        ],
        facts: &["합성"],
    },
    Expert {
        question: "전세금 인상 가능한가요?",
        said: &[
            plain("계약을 갱신할 때 보증금을 올릴 수 있습니다."),
            plain("다만 증액은 5%를 넘지 못합니다."),
        ],
        facts: &["5%"],
    },
    Expert {
        question: "보증금 1억원, 월세 50만원을 전세로 바꾸면 얼마인가요?",
        said: &[plain("월세를 보증금으로 바꾸려면 전월세 전환율을 봅니다.")],
        facts: &[],
    },
    Expert {
        question: "5억원 아파트를 사면 취득세가 얼마인가요?",
        said: &[
            plain("집을 사실 때 내는 취득세를 계산해 드렸습니다."),
            plain("다른 집이 있으시면 세율이 달라집니다."),
        ],
        facts: &["취득세"],
    },
    Expert {
        question: "3억원을 연 4%로 30년 동안 빌리면 한 달에 얼마씩 갚나요?",
        said: &[plain("매달 같은 금액을 갚는 방식으로 계산했습니다.")],
        facts: &[],
    },
];

pub(super) const ANALYST: &[Expert] = &[
    Expert {
        question: "payment-api 최근 1시간 에러 몇 건?",
        said: &[
            plain("최근 1시간 동안 payment-api에서 에러가 5건 났습니다."),
            plain("배포 기록을 확인해 보세요."),
        ],
        facts: &["5"],
    },
    Expert {
        question: "어제 payment-api 에러 건수",
        said: &[plain("어제 payment-api의 에러는 모두 3건입니다.")],
        facts: &["3"],
    },
    Expert {
        question: "최근 1시간 서비스별 에러 건수",
        said: &[plain("payment-api가 5건으로 가장 많고, order-api는 2건입니다.")],
        facts: &["5"],
    },
    Expert {
        question: "errors by service in the last hour",
        said: &[plain("payment-api has the most errors, 5, and order-api has 2.")],
        facts: &["5"],
    },
    Expert {
        question: "order-api 최근 1시간 에러 몇 건?",
        said: &[plain("order-api의 에러는 2건뿐입니다.")],
        facts: &["2"],
    },
];
