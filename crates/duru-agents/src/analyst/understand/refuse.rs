//! What no query over past log lines can or may answer.

use serde::{Deserialize, Serialize};

use super::scan::{Scan, re};
use duru_sql::guard::Lang;

/// Why a question is not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RefusalKind {
    /// It would change something.
    Write,
    /// It asks for secrets, credentials or people's personal data.
    Secret,
    /// It asks for rows that were deleted.
    Deleted,
    /// It asks for what has not happened yet.
    Prediction,
    /// It asks for data that the logs do not hold.
    OtherData,
    /// It is not about logs at all.
    OutOfScope,
    /// It asks for a reason or advice, which no query gives.
    Advice,
    /// Some of its words are not understood.
    NotUnderstood,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    pub kind: RefusalKind,
    /// In the asker's language.
    pub reason: String,
    /// The words that led to it.
    pub words: Vec<String>,
}

impl Refusal {
    pub(super) fn new(kind: RefusalKind, words: Vec<String>, lang: Lang) -> Self {
        let (ko, en) = match kind {
            RefusalKind::Write => (
                "로그는 읽기만 합니다. 바꾸거나 지우는 일은 하지 않습니다.",
                "I only read logs; I change and delete nothing.",
            ),
            RefusalKind::Secret => (
                "비밀번호·키·개인정보는 찾아 드리지 않습니다.",
                "I don't look for passwords, keys or personal data.",
            ),
            RefusalKind::Deleted => {
                ("삭제된 로그는 조회할 수 없습니다.", "Deleted lines can't be asked for.")
            }
            RefusalKind::Prediction => {
                ("앞으로의 일은 지난 로그로 답할 수 없습니다.", "Past logs don't answer what is to come.")
            }
            RefusalKind::OtherData => ("로그에 없는 데이터입니다.", "The logs don't hold that data."),
            RefusalKind::OutOfScope => ("로그에 관한 질문이 아닙니다.", "That is not a question about logs."),
            RefusalKind::Advice => (
                "원인이나 조언은 조회로 답할 수 없습니다. 건수·목록·추이로 물어봐 주세요.",
                "A query gives no reasons or advice; ask for counts, lists or trends.",
            ),
            RefusalKind::NotUnderstood => ("질문을 이해하지 못했습니다.", "I don't understand the question."),
        };
        let mut reason = lang.pick(ko, en).to_owned();
        if kind == RefusalKind::NotUnderstood && !words.is_empty() {
            let list = words.join(", ");
            reason = lang.pick(
                format!("이해하지 못한 말이 있습니다: {list}. 다르게 물어봐 주세요."),
                format!("I don't understand: {list}. Please put it in other words."),
            );
        }
        Self { kind, reason, words }
    }
}

/// Looks for what is refused whatever else is asked. Texts that are searched for are taken out before.
pub(super) fn check(scan: &Scan) -> Option<(RefusalKind, String)> {
    let kinds = [
        (
            RefusalKind::Secret,
            re!(
                r"비밀\s*번호|패스워드|암호(?:를|\s*목록|\s*해시|화\s*키)|비번|\bpasswords?\b|\bpasswd\b|(?:api|액세스|access|비밀|secret|private|개인|암호화|ssh|인증)\s*(?:키|keys?)(?:[를와과은는이가]|\s|$|[?.,])|\bsecrets?\b|\bcredentials?\b|크리덴셜|자격\s*증명|주민\s*(?:등록)?\s*번호|여권\s*번호|(?:신용)?카드\s*번호|계좌\s*번호|전화\s*번호|휴대폰\s*번호|핸드폰\s*번호|이메일\s*주소(?:를|\s*목록|들)|집\s*주소|\b(?:credit\s+)?card\s+numbers?\b|\bphone\s+numbers?\b|\bemail\s+address(?:es)?\b|\bssn\b|\bsocial\s+security\b|개인\s*정보|\bpersonal\s+(?:data|information)\b|\bpii\b|토큰\s*(?:값|원문|을\s*(?:출력|보여|알려|뽑)|목록)|\b(?:access|auth|bearer|session|jwt)\s+tokens?\s*(?:values?|of\b|for\b|$)|\bpg_(?:shadow|authid|user|roles|stat)\w*|\binformation_schema\b|\bpg_catalog\b|시스템\s*(?:카탈로그|테이블)|\bsystem\s+(?:catalog|tables?)\b|환경\s*변수|\benv(?:ironment)?\s+variables?\b|\bconnection\s+strings?\b|접속\s*정보|데이터베이스\s*(?:사용자|계정|유저)|\bdatabase\s+(?:users?|roles?|accounts?)\b"
            ),
        ),
        (
            RefusalKind::Deleted,
            re!(
                r"삭제\s*(?:된|처리된|했던|한)\s*(?:로그|행|데이터|기록|것)|지워진\s*(?:로그|행|데이터|기록|것)|\b(?:soft[\s-]?)?deleted\s+(?:logs?|rows?|records?|entries|lines?)\b|\bdeleted\s*=\s*true\b"
            ),
        ),
        (
            RefusalKind::Write,
            re!(
                r"(?:레벨|설정|한도|임계\s*값|권한|용량|인스턴스|서버|알림)(?:을|를)\s*(?:[가-힣a-z0-9]+(?:로|으로)?\s*)?(?:올려|내려|낮춰|높여|늘려|줄여|꺼|켜|조정|설정|해제)|(?:삭제|제거|수정|변경|추가|생성|초기화|갱신|업데이트|입력|등록|드롭|롤백|재시작|재기동|중지|중단|종료|차단|배포|실행|백업|복구|이동|아카이브|익명화|마스킹)\s*(?:을|를)?\s*(?:좀\s*)?(?:해\s*줘|해\s*주|해줄|해라|해봐|해\s*버려|해\s*놔|하고\s*싶|하세요|하라|할\s*수\s*있|시켜|부탁|해$|해[.!?])|(?:지워|없애|바꿔|고쳐|비워|넣어|만들어|꺼|켜|죽여|막아|옮겨|날려)\s*(?:줘|주|줄|라|버려|놔|봐|$)|(?:^|\b(?:please|then|and|now|could\s+you|can\s+you|would\s+you|i\s+want\s+to|i\s+need\s+to|let's|go\s+ahead\s+and)\s+)(?:delete|drop|update|insert|truncate|alter|create|grant|revoke|remove|erase|wipe|purge|clear|modify|rename|restart|reboot|stop|kill|disable|enable|deploy|roll\s*back|change|set|mark|fix|add|edit|overwrite|reset|archive|move|anonymi[sz]e|mask|turn\s+(?:off|on))\b|\bdrop\s+(?:the\s+)?(?:table|database|schema|column|index)\b|\bdelete\s+from\b|\btruncate\s+table\b|\binsert\s+into\b|\bupdate\s+\w+\s+set\b"
            ),
        ),
        (
            RefusalKind::Prediction,
            re!(
                r"(?:나면|생기면|발생하면|터지면|뜨면|넘으면|늘면)\s*(?:바로\s*|즉시\s*)?(?:[가-힣]+(?:한테|에게|로|으로)\s*)?(?:알려|연락|보내|통보|알림|메일|문자|전화|깨워)|예측|예상(?:해|하|되|치|될|돼|이|을|은)|전망|내일|모레|다음\s*(?:주|달|해|시간|분기|번)|내년|향후|앞으로|미래|\bpredict\w*|\bforecast\w*|\btomorrow\b|\bnext\s+(?:week|month|year|hour|day|quarter)\b|\bwill\s+(?:we|there|it|be|have|happen|the)\b|\bgoing\s+to\s+(?:be|have|happen|fail|crash)\b|\bin\s+the\s+future\b|\bestimate\s+(?:how|the\s+(?:future|next|number\s+of\s+future))"
            ),
        ),
        (
            RefusalKind::OtherData,
            re!(
                r"매출|수익|이익률|영업\s*이익|급여|연봉|월급|직원|사원|인사\s*(?:정보|기록)|주가|시가\s*총액|환율|\brevenues?\b|\bsalar(?:y|ies)\b|\bemployees?\b|\bstock\s+prices?\b|\bprofits?\b|\bsales\s+(?:figures?|numbers?|total|amount|revenue)\b|\bturnover\b|cpu\s*(?:사용|점유|utili)|\bcpu\s+usage\b|디스크\s*(?:사용|용량|공간)|\bdisk\s+(?:usage|space)\b|재고\s*(?:수량|현황|물량)|고객\s*만족도|\bcustomer\s+satisfaction\b|가입자\s*수|다른\s*(?:테이블|데이터베이스)|\bother\s+(?:tables?|databases?)\b|(?:orders|users|customers|payments|products|accounts|employees)\s+(?:table|테이블)|(?:주문|회원|고객|상품|결제|직원|사용자)\s*테이블"
            ),
        ),
        (
            RefusalKind::OutOfScope,
            re!(
                r"날씨|기온|미세\s*먼지|(?:점심|아침)\s*(?:메뉴|뭐|추천|식사|먹|밥)|저녁\s*(?:메뉴|뭐)|메뉴\s*추천|맛집|농담|노래|영화|드라마|축구|야구|운세|여행|뉴스|번역|시를?\s*(?:써|지어)|소설|요리|레시피|\bweather\b|\bjokes?\b|\bpoems?\b|\brecipes?\b|\btranslate\b|\b(?:for|eat|have)\s+(?:lunch|dinner)\b|\b(?:lunch|dinner)\s+(?:menu|options?|places?|ideas?|recommend\w*)|\brestaurants?\b|\bmovies?\b|\bfootball\b|\bwho\s+(?:are\s+you|is\s+the\s+president|won)\b|대통령|너는?\s*누구|수도(?:는|가)|\bcapital\s+of\b|코드를?\s*(?:짜|작성|써)|\bwrite\s+(?:me\s+)?(?:a|some|an)\s+(?:code|script|program|poem|email|essay|story|function)\b|이메일을?\s*(?:써|보내|작성)|메일을?\s*(?:써|보내|작성)|\bsend\s+(?:an?\s+)?(?:e-?mail|message|slack)\b|슬랙|\bon[\s-]call\b|담당자|당직자?|\bwhat\s+does\s+.{1,40}\bmean\b|(?:무슨|어떤)\s*뜻"
            ),
        ),
        (
            RefusalKind::Advice,
            re!(
                r"(?:^|\s)왜(?:\s|$)|원인(?:이|은|을|과|$|\s)|이유(?:가|는|를|$|\s|\?)|해결\s*(?:책|방법|법|해)|어떻게\s*(?:고치|해결|하면|해야|막)|조언|추천해|개선\s*(?:방법|방안|책)|\bwhy\b|\broot\s+cause\b|\bhow\s+(?:do|can|should|to)\s+(?:i|we|you)?\s*(?:fix|solve|prevent|improve|resolve)\b|\bshould\s+(?:i|we)\b"
            ),
        ),
    ];
    kinds.into_iter().find_map(|(kind, pattern)| {
        let found = pattern.find(&scan.rest)?;
        Some((kind, found.as_str().trim().to_owned()))
    })
}
