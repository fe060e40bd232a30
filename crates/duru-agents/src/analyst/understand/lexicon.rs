//! Words of both languages for the columns, levels, services and values.

use super::query::Field;
use super::scan::{Scan, re};
use super::vocabulary::Vocabulary;

/// A word or phrase, and the English stems that a service's name may hold.
pub(super) const SERVICE_STEMS: &[(&str, &[&str])] = &[
    ("결제|페이먼트|payments?|billing|checkout service", &["payment", "pay", "billing"]),
    ("주문|오더|orders?|ordering", &["order"]),
    ("재고|인벤토리|inventory|stock", &["inventory", "stock"]),
    ("인증|로그인|어스|auth|authentication|login", &["auth", "login", "identity"]),
    ("알림|노티|푸시|notifications?", &["notification", "notify", "push", "alert"]),
    ("검색|search", &["search"]),
    ("배송|택배|shipping|delivery|shipment", &["shipping", "delivery", "shipment"]),
    ("회원|사용자|유저|고객|users?|members?|accounts?", &["user", "member", "account", "customer"]),
    ("상품|제품|카탈로그|products?|catalog", &["product", "catalog", "item"]),
    ("게이트웨이|gateway", &["gateway"]),
    ("웹\\s*앱|웹|프론트|프론트엔드|web\\s*app|website|web|frontend", &["web", "front"]),
    ("모바일\\s*앱|모바일|mobile\\s*app|mobile", &["mobile"]),
    ("배치\\s*작업|배치\\s*잡|배치|워커|batch\\s*worker|batch\\s*jobs?|batch|worker", &["batch", "worker"]),
    ("센서|센서\\s*허브|iot|사물인터넷|sensors?|sensor\\s*hub", &["sensor", "iot"]),
    ("장바구니|카트|cart", &["cart"]),
    ("추천|recommendations?", &["recommend"]),
    ("리뷰|후기|reviews?", &["review"]),
    ("쿠폰|coupons?", &["coupon"]),
    ("정산|settlement", &["settlement"]),
    ("관리자|어드민|admin", &["admin"]),
    ("스케줄러|scheduler", &["scheduler", "cron"]),
];

/// Korean for the English words of which names of errors, paths and functions are made.
pub(super) const TRANSLATED: &[(&str, &[&str])] = &[
    ("인증", &["authentication", "auth"]),
    ("로그인", &["login", "authentication", "auth"]),
    ("실패", &["failed", "failure", "fail"]),
    ("타임아웃|시간\\s*초과|시간초과", &["timeout"]),
    ("연결|커넥션", &["connection"]),
    ("데이터베이스|디비|db", &["database", "db"]),
    ("카드", &["card"]),
    ("검증|유효성\\s*(?:검사|검증)?", &["validation"]),
    ("결제", &["payment"]),
    ("게이트웨이", &["gateway"]),
    ("재고", &["stock", "inventory"]),
    ("예약|선점", &["reserve"]),
    ("불일치", &["mismatch"]),
    ("토큰", &["token"]),
    ("만료", &["expired"]),
    ("갱신", &["refresh"]),
    ("권한", &["permission"]),
    ("거부", &["denied", "rejected"]),
    ("중복", &["duplicate"]),
    ("이메일", &["email"]),
    ("사용자|유저|회원", &["user", "users"]),
    ("네트워크", &["network"]),
    ("메모리", &["memory"]),
    ("부족", &["outof", "insufficient", "out"]),
    ("잔액", &["funds"]),
    ("레디스", &["redis"]),
    ("푸시", &["push"]),
    ("무효|유효하지\\s*않은", &["invalid"]),
    ("데드락|교착\\s*상태|교착", &["deadlock"]),
    ("주문", &["order", "orders"]),
    ("검색", &["search"]),
    ("장치|기기|디바이스", &["device"]),
    ("오프라인", &["offline"]),
    ("체크섬", &["checksum"]),
    ("파일", &["file"]),
    ("작업|잡", &["job"]),
    ("품절", &["outofstock"]),
    ("장바구니|카트", &["cart"]),
    ("환불", &["refund"]),
    ("로그아웃", &["logout"]),
    ("추천", &["recommend"]),
    ("상품", &["product", "products"]),
    ("알림", &["notify", "notification"]),
    ("체크아웃", &["checkout"]),
    ("업스트림", &["upstream"]),
    ("수집", &["ingest"]),
    ("클릭", &["click"]),
    ("이동", &["navigate"]),
    ("제출", &["submit"]),
    ("데스크\\s*[탑톱]", &["desktop"]),
    ("모바일", &["mobile"]),
    ("안드로이드", &["android"]),
    ("윈도우즈?", &["windows"]),
    ("맥", &["macos"]),
    ("아이폰|아이오에스", &["ios"]),
    ("크롬", &["chrome"]),
    ("사파리", &["safari"]),
    ("엣지", &["edge"]),
    ("파이어폭스", &["firefox"]),
    ("삼성\\s*(?:인터넷|브라우저)?", &["samsung internet"]),
    ("정산", &["settlement"]),
    ("보고서|리포트", &["report"]),
    ("정리", &["cleanup"]),
    ("토스", &["toss-pg", "toss"]),
    ("카카오\\s*페이", &["kakao-pay", "kakao"]),
    ("네이버\\s*페이", &["naver-pay", "naver"]),
];

/// What a dimension is called, with the pattern of its names; longer names first.
pub(super) struct Dimension {
    pub(super) field: fn() -> Field,
    pub(super) words: &'static str,
}

fn column(name: &str) -> Field {
    Field::column(name)
}

macro_rules! dimension {
    ($name:literal, $words:literal) => {
        Dimension { field: || column($name), words: $words }
    };
    (meta $name:literal, $words:literal) => {
        Dimension { field: || Field::Meta($name.into()), words: $words }
    };
}

pub(super) const DIMENSIONS: &[Dimension] = &[
    dimension!(
        "error_type",
        r"(?:에러|오류|예외|장애)\s*(?:의\s*)?(?:유형|종류|타입|코드|클래스)|(?:유형|종류|타입)의\s*(?:에러|오류|예외)|예외|error[\s_]*(?:types?|kinds?|class(?:es)?|categor(?:y|ies))|exceptions?(?:\s+types?)?|(?:types?|kinds?)\s+of\s+errors?"
    ),
    dimension!("stack_trace", r"스택\s*트레이스|stack[\s_]*traces?"),
    dimension!("log_type", r"로그\s*(?:유형|종류|타입)|log[\s_]*types?|플랫폼|platforms?"),
    dimension!(
        "action_type",
        r"(?:사용자\s*)?(?:액션|행동|동작)\s*(?:유형|종류|타입)?|(?:user\s+)?actions?(?:[\s_]*types?)?"
    ),
    dimension!(meta "app_version", r"앱\s*버전|app[\s_]*versions?"),
    dimension!(
        "service_version",
        r"(?:서비스\s*|배포\s*|릴리[스즈]\s*)?버전|(?:service[\s_]*)?versions?|releases?"
    ),
    dimension!(meta "status_code", r"(?:http\s*)?(?:상태|응답)\s*코드|http\s*코드|(?:http\s+)?(?:status|response)[\s_]*codes?|(?:http\s+)?status(?:es)?\b|스테이터스(?:\s*코드)?"),
    dimension!(meta "client_ip", r"(?:client[\s_]*|source\s+)?\bip\s+address(?:es)?|(?:(?:클라이언트|접속|요청|사용자|출발지)\s*)?(?:\bips?\b|아이피)(?:\s*주소)?|client[\s_]*ips?|source\s+ips?|ip\s+address(?:es)?|\bips\b"),
    dimension!(meta "browser", r"브라우저(?:\s*종류)?|browsers?"),
    dimension!(meta "device_id", r"센서(?:\s*(?:id|아이디|장치))?|장치(?:\s*(?:id|아이디))?|device[\s_]*ids?|sensor\s+ids?|sensors\b"),
    dimension!(meta "device", r"(?:기기|디바이스|단말)\s*(?:유형|종류|타입)?|device(?:[\s_]*types?)?\b|devices\b"),
    dimension!(meta "os", r"운영\s*체제|os\s*종류|\bos(?:es)?\b|operating\s+systems?"),
    dimension!(meta "region", r"리전|지역|가용\s*영역|\bregions?\b|availability\s+zones?"),
    dimension!(meta "external_api", r"외부\s*(?:api|연동(?:사|업체)?|업체|서비스|호출\s*대상)|결제\s*수단|결제사|external[\s_]*(?:apis?|services?|providers?)|payment\s+(?:providers?|methods?|gateways?)|\bproviders?\b|pg사?"),
    dimension!(meta "job", r"(?:배치\s*)?(?:잡|작업)\s*(?:이름|종류|유형)?|\bjobs?\b(?:[\s_]*(?:names?|types?))?"),
    dimension!(meta "host", r"호스트|서버\s*이름|hosts?(?:name)?s?"),
    dimension!("session_id", r"세션(?:\s*(?:id|아이디))?|sessions?(?:[\s_]*ids?)?"),
    dimension!(
        "trace_id",
        r"trace[\s_]*ids?|(?:추적|트레이스|trace)\s*(?:id|아이디)|트레이스|추적|trace[\s_]*ids?|traces?\b"
    ),
    dimension!(
        "user_id",
        r"순\s*(?:사용자|방문자|이용자)|방문자|(?:사용자|유저|회원|고객)\s*(?:계정|id|아이디)?|계정|user[\s_]*ids?|users?\b|accounts?\b|customers?\b|people\b|이용자"
    ),
    dimension!("function_name", r"함수(?:\s*(?:이름|명))?|function(?:[\s_]*names?)?s?\b"),
    dimension!("file_path", r"(?:소스\s*)?파일(?:\s*경로|\s*명)?|source\s+files?|file[\s_]*paths?|files?\b"),
    dimension!(
        "message",
        r"(?:에러|오류|로그|경고)?\s*메시지(?:\s*(?:종류|내용|유형))?|(?:error\s+|log\s+)?messages?\b"
    ),
    dimension!(
        "method",
        r"(?:http\s*|요청\s*)?(?:메서드|메소드)|(?:http\s+|request\s+)?methods?\b|http\s+verbs?"
    ),
    dimension!(
        "path",
        r"(?:api\s*|요청\s*|url\s*)?(?:경로|엔드포인트|url)|페이지|화면|(?:api\s+|url\s+|request\s+)?(?:paths?|endpoints?|urls?|routes?)\b|\bpages?\b|\bscreens?\b"
    ),
    dimension!("environment", r"(?:배포\s*|실행\s*)?환경|environments?|\benvs?\b"),
    dimension!("level", r"(?:로그\s*)?(?:레벨|등급|심각도|수준)|(?:log\s+)?levels?\b|severit(?:y|ies)"),
    dimension!("service", r"서비스|services?\b|시스템|systems?\b|컴포넌트|components?\b"),
    // After the others: what is left of 에러 유형.
    dimension!("error_type", r"유형|타입|종류|\btypes?\b"),
    // An API is a path of a backend.
    dimension!("path", r"\bapis?\b"),
];

/// Numbers that can be averaged: what they are called, and where they are.
pub(super) const NUMBERS: &[(&str, &str)] = &[
    (
        "external_ms",
        r"외부\s*(?:api|연동|호출|서비스)?\s*(?:의\s*)?(?:평균\s*|최대\s*)?(?:응답\s*시간|호출\s*시간|지연(?:\s*시간)?|소요\s*시간|시간)|external[\s_]*(?:api\s+)?(?:ms|latency|call\s+(?:time|duration)|response\s+times?|durations?|time)",
    ),
    (
        "db_query_ms",
        r"(?:db|디비|데이터베이스)\s*(?:쿼리|질의)?\s*(?:의\s*)?(?:평균\s*|최대\s*)?(?:실행\s*|응답\s*|소요\s*)?시간|쿼리\s*(?:실행\s*|응답\s*|소요\s*)?시간|(?:db|database)[\s_]*query[\s_]*(?:ms|times?|latency|durations?)|query\s+times?",
    ),
    (
        "load_ms",
        r"(?:페이지\s*)?(?:로딩|로드)\s*(?:의\s*)?(?:시간|속도)|페이지\s*(?:로딩|로드)|(?:page\s+)?load(?:ing)?[\s_]*(?:ms|times?)|page\s+loads?",
    ),
    ("amount", r"(?:결제\s*|주문\s*)?금액|\bamounts?\b"),
    ("batch_size", r"배치\s*(?:크기|사이즈)|batch[\s_]*sizes?"),
    ("temp_c", r"온도|temp(?:erature)?s?(?:_c)?\b"),
    (
        "duration_ms",
        r"(?:api\s*)?(?:응답|처리|소요|실행|지연|수행|요청)\s*(?:의\s*)?(?:시간|속도)|걸린\s*시간|레이턴시|지연|duration(?:[\s_]*ms)?s?|latenc(?:y|ies)|response\s*(?:times?|speed)|(?:processing|execution)\s+times?|\bhow\s+(?:long|slow|fast)\b",
    ),
];

/// The dimensions of this data: those of its columns and keys, by our words and by its own.
pub(super) fn dimensions(vocabulary: &Vocabulary) -> impl Iterator<Item = (Field, &'static regex::Regex)> {
    use std::sync::LazyLock;
    static PATTERNS: LazyLock<Vec<(Field, regex::Regex)>> = LazyLock::new(|| {
        let compile = |dimension: &Dimension| {
            let pattern = format!(r"(?:{})(?:들)?", dimension.words);
            ((dimension.field)(), super::scan::compile(&pattern))
        };
        DIMENSIONS.iter().map(compile).collect()
    });
    PATTERNS
        .iter()
        .filter(|(field, _)| match field {
            Field::Column(_) => true,
            Field::Meta(key) => vocabulary.has_key(key),
        })
        .map(|(field, pattern)| (field.clone(), pattern))
}

/// A number that the question names.
pub(super) fn take_number_field(scan: &mut Scan, vocabulary: &Vocabulary) -> Option<Field> {
    use std::sync::LazyLock;
    static PATTERNS: LazyLock<Vec<(&str, regex::Regex)>> =
        LazyLock::new(|| NUMBERS.iter().map(|(name, words)| (*name, super::scan::compile(words))).collect());
    for (name, pattern) in PATTERNS.iter() {
        let meta = *name != "duration_ms";
        if meta && !vocabulary.has_key(name) {
            continue;
        }
        if scan.take(pattern).is_some() {
            scan.drop_all(pattern);
            if meta && name.ends_with("_ms") {
                // "소요시간(external_ms)": the general word says no more.
                PATTERNS.iter().filter(|(other, _)| *other == "duration_ms").for_each(|(_, general)| {
                    scan.drop_all(general);
                });
            }
            return Some(if meta { Field::Meta((*name).into()) } else { Field::column(name) });
        }
    }
    None
}

/// The level that a word stands for.
pub(super) fn level(word: &str) -> Option<&'static str> {
    Some(match word {
        "에러" | "오류" | "error" | "errors" | "err" => "ERROR",
        "경고" | "워닝" | "warn" | "warning" | "warnings" | "warns" => "WARN",
        "치명" | "치명적" | "심각" | "fatal" | "fatals" | "critical" => "FATAL",
        "정보" | "인포" | "info" | "infos" => "INFO",
        "디버그" | "debug" => "DEBUG",
        "트레이스" | "trace" => "TRACE",
        _ => return None,
    })
}

/// Environments by what people call them.
pub(super) fn environment(scan: &mut Scan) -> Vec<(usize, usize, String)> {
    let words = [
        (
            "production",
            re!(r"(?:운영|프로덕션|상용|실서버|라이브|\bproduction\b|\bprod\b|\blive\b)\s*(?:환경|서버|계)?"),
        ),
        ("staging", re!(r"(?:스테이징|스테이지|검증계|\bstaging\b|\bstage\b)\s*(?:환경|서버|계)?")),
        (
            "development",
            re!(r"(?:개발계|개발\s*(?:환경|서버|계)|개발|\bdevelopment\b|\bdev\b)\s*(?:환경|서버)?"),
        ),
        ("test", re!(r"(?:테스트|시험|\btest\b)\s*(?:환경|서버|계)")),
        ("local", re!(r"(?:로컬|\blocal\b)\s*(?:환경|서버)?")),
    ];
    let mut all = Vec::new();
    for (value, pattern) in words {
        // 운영체제 is a system, not an environment.
        while let Some(found) = scan.find(pattern) {
            if scan.rest.get(found.end..).is_some_and(|after| after.trim_start().starts_with("체제")) {
                break;
            }
            scan.blank(found.start, found.end);
            all.push((found.start, found.end, value.to_owned()));
        }
    }
    all
}
