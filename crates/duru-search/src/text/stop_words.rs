//! Words of questions that say little or nothing of what is looked for.

/// Words that only ask, point or join: an answer need not speak of them.
#[rustfmt::skip]
pub(super) const ASKING: &[&str] = &[
    "무엇", "무엇인가요", "무슨", "뭐", "뭐가", "뭘", "뭔가", "뭔가요", "뭐예요", "뭐야", "어떻게", "어떤",
    "어떠", "어떤것", "어느", "어디", "어디서", "어디에", "어디까지", "누구", "누가", "언제", "언제까지",
    "언제예요", "얼마", "얼마나", "얼마까지", "며칠", "몇", "왜", "좀", "꼭", "혹시", "그냥", "제가", "저는",
    "저희", "우리", "나는", "내가", "제", "내", "저", "것", "것이", "거", "건", "걸", "게", "수", "때",
    "때의", "경우", "경우는", "경우가", "등", "및", "또는", "대해", "대한", "대하여", "관한", "관하여",
    "위한", "위해", "위하여", "따른", "따라", "시", "이래도", "그래도", "이거", "그거", "저거", "이것",
    "그것", "이런", "그런", "저런", "정도", "동안", "있나요", "있는지", "있을까요", "없나요", "되나요",
    "되는지", "하나요", "하는지", "인가요", "인지", "가요", "나요", "예요", "이에요", "해야", "하려면",
    "합니까", "됩니까", "입니까", "알려주세요", "알려줘", "궁금", "궁금해요", "가능", "가능한가요",
    "가능한지", "필요", "필요한", "주요", "관련", "사항", "사항들", "항목", "필수", "것들", "점", "안에",
    "안", "못", "다", "더", "각", "그", "이", "해", "돼", "되", "하", "할", "한", "하는", "되는", "있는",
    "없는", "있", "없", "받", "받을", "받는", "하여야", "그리고", "그런데", "근데", "하지만", "만약", "만일",
    "그럼", "그러면", "그래서", "어떠한", "얼마인가요", "누구인가요", "언제인가요", "무엇이고", "어떻게되나요", "뭔지",
    "the", "a", "an", "of", "to", "in", "is", "are", "what", "how", "when", "who", "which", "do", "does",
    "can", "i", "my", "for", "and", "or", "on", "be", "it", "must", "should", "as", "at", "by", "with", "if",
    "not", "from", "that", "this", "these", "those", "there", "was", "were", "been", "being", "has", "have",
    "had", "did", "will", "would", "could", "may", "might", "shall", "me", "we", "our", "you", "your", "he",
    "his", "she", "her", "its", "they", "their", "them", "one", "whom", "whose", "where", "why", "many",
    "much", "long", "often", "any", "some", "all", "another", "other", "before", "after", "during", "within",
    "without", "between", "into", "about", "against", "under", "over", "up", "out", "while", "than", "then",
    "so", "no", "get", "need", "happens", "please", "tell", "say", "says", "want", "wants", "here", "himself",
    "herself", "just", "still",
];

/// Verbs that only ask, however they end.
#[rustfmt::skip]
pub(super) const ASKING_VERBS: &[&str] = &[
    "되", "있", "없", "하", "알려주", "궁금하", "싶", "가능하", "필요하", "어떻", "모르", "맞",
    "괜찮",
];

/// Words that fit every question of a kind: they say a little of what is looked for.
#[rustfmt::skip]
pub(super) const VAGUE: &[&str] = &[
    "방법", "절차", "기준", "범위", "조건", "의무", "의무사항", "주의사항", "이유", "사유", "효력", "내용",
    "종류", "목적", "규정", "원칙", "예외", "권한", "조치", "제한", "요건", "대상", "기간", "기한", "시기",
    "정보", "사람", "기관", "법", "법률", "법령", "제도", "포함", "사용", "적용", "처리", "해결", "준수",
    "결정", "관리", "운영", "procedure", "method", "law", "rule", "다른",
];

/// Words that say how, how often or when, not what.
#[rustfmt::skip]
pub(super) const COLOURING: &[&str] = &[
    "해마다", "매번", "매년", "매달", "같이", "함께", "계속", "미리", "다시", "먼저", "바로", "직접", "따로",
    "보통", "대개", "지금", "현재", "요즘", "최근", "근처", "주변", "옆", "동네", "마음", "진짜", "정말",
    "아예", "그대로", "대부분", "자기", "남의", "최소", "최대", "최고", "위해", "발표", "꼭", "반드시",
    "다른", "주는", "법적", "위법", "정도", "돈", "날짜",
];

/// Units and kinds of answers, and the time at which one asks.
#[rustfmt::skip]
pub(super) const SAID_OTHERWISE: &[&str] = &[
    "퍼센트", "프로", "제곱미터", "제곱미터당", "차이", "차이점", "올해", "금년", "내년", "요즘", "지금",
    "현재", "오늘", "어제", "내일", "모레", "이번달", "다음달", "지난달", "이번주", "다음주", "지난주",
];

/// How verbs end that stand in questions, none of which a noun ends in.
#[rustfmt::skip]
pub(super) const VERB_ENDINGS: &[&str] = &[
    "나요", "까요", "가요", "어요", "아요", "여요", "래요", "대요", "네요", "세요", "해요", "돼요", "예요",
    "에요", "지요", "니까", "는지", "을지", "은지", "려면", "으면", "지면", "하면", "되면", "거나", "는데",
    "다가", "다고", "어야", "아야", "해야", "돼야", "가야", "내야", "했을", "봤을", "려고", "도록", "더니",
    "줘야", "으러", "보러",
    // As people speak: 생겨, 되나, 하냐, 쫓겨나죠.
    "겨", "되나", "되니", "되냐", "하냐", "하니", "나죠", "하죠", "되죠", "우면", "리면", "기면", "치면",
    "주면", "나면", "오면", "쓰면", "했어", "됐어", "있어", "없어", "줘", "냐", "까", "죠", "니다", "은데", "는가",
    // What somebody said or wants: 올려달라고, 나가달래, 돌리자고, 나가냐고, 준다던데, 올린답니다.
    "달라고", "달라면", "달라서", "달래", "자고", "냐고", "던데", "다며", "라며", "는대",
];
