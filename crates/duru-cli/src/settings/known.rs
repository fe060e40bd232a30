//! The variables that mean something, for `duru config` and for whoever mistypes one.

use duru_llm::Models;
use duru_llm::decision::DecisionPolicies;

/// A variable, and what it says.
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) ko: &'static str,
    pub(crate) en: &'static str,
    /// Its value is shown to nobody.
    pub(crate) is_secret: bool,
}

const PLAIN: [(&str, &str, &str); 48] = [
    (
        "DURU_STORE",
        "스레드를 두는 곳: 파일, postgres:// URL, 여러 데이터베이스를 적은 shards:파일",
        "where threads are kept: a file, a postgres:// URL, or shards:FILE that names several databases",
    ),
    (
        "DURU_LOGS",
        "로그를 두는 곳: 폴더나 postgres://, s3:// URL",
        "where logs are kept: a folder, or a postgres:// or s3:// URL",
    ),
    (
        "DURU_TABLES",
        "로그 대신 물을 테이블: postgres:// URL",
        "tables to ask in place of the logs: a postgres:// URL",
    ),
    ("DURU_DOCUMENTS", "문서 색인의 폴더", "the folder of the documents' index"),
    ("DURU_THESAURUS", "사용자의 동의어 사전 (파일)", "a file with words of yours that mean the same"),
    ("DURU_LANG", "언어: ko, en", "the language: ko, en"),
    (
        "DURU_MODEL",
        "모델: anthropic:…, openai:…, ollama:…, http://…#이름, none",
        "the model: anthropic:…, openai:…, ollama:…, http://…#NAME, none",
    ),
    (
        "DURU_HOST",
        "서버가 들을 주소 (기본 127.0.0.1: 이 컴퓨터에서만)",
        "the address that the server listens on (127.0.0.1: only this machine)",
    ),
    ("DURU_PORT", "서버의 포트 (기본 2024)", "the server's port (2024)"),
    (
        "DURU_INGEST_MAP",
        "POST /logs/ingest의 필드 이름, 기본값, 가리기 규칙 (JSON 파일)",
        "names of fields, defaults and masks for POST /logs/ingest (a JSON file)",
    ),
    (
        "DURU_ORIGINS",
        "서버에 물을 수 있는 웹 페이지의 출처, 쉼표로 나눔 (https://…)",
        "origins of web pages that may ask the server, with commas (https://…)",
    ),
    (
        "DURU_HOSTS",
        "서버가 답할 호스트 이름, 쉼표로 나눔",
        "host names that the server answers to, with commas",
    ),
    (
        "DURU_PROXIES",
        "앞에 둔 프록시의 주소, 쉼표로 나눔 (127.0.0.1, 10.0.0.0/8); 있으면 키가 꼭 필요함",
        "addresses of proxies in front of the server, with commas (127.0.0.1, 10.0.0.0/8); with any, keys are needed",
    ),
    (
        "DURU_HINTS",
        "서버들이 새 소식을 바로 나누는 NATS의 주소 (nats://…); 없으면 조금 늦게 알 뿐임",
        "NATS, by which servers tell each other at once what is new (nats://…); without, they notice later",
    ),
    (
        "DURU_LOG_WORKERS",
        "s3:// 로그에 대한 질문을 나누어 답할 서버들 (호스트:포트, 쉼표로 나눔); 없으면 혼자 답함",
        "servers that answer questions about logs in s3:// together (host:port, with commas); without, each answers alone",
    ),
    (
        "DURU_LOG_WORKER_LISTEN",
        "이 서버가 다른 서버의 질문을 나누어 맡을 주소와 포트 (0.0.0.0:2026)",
        "where this server takes its part of others' questions, address and port (0.0.0.0:2026)",
    ),
    (
        "DURU_RUNS_AT_ONCE",
        "서버가 한 번에 하는 실행의 수 (기본 10000)",
        "how many runs a server carries out at once (10000)",
    ),
    (
        "DURU_LONGEST_QUEUE",
        "기다릴 수 있는 실행의 수; 넘으면 429 (기본 10000)",
        "how many runs may wait before new ones are refused with 429 (10000)",
    ),
    (
        "DURU_LAME_DUCK_SECONDS",
        "멈추라는 말을 듣고 /ready만 아니라고 하며 그대로 일하는 시간 (기본 0)",
        "how long a server that is told to stop goes on while /ready says no (0)",
    ),
    (
        "DURU_UPLOADS_QUOTA",
        "한 사람이 올려 둘 수 있는 파일의 크기 (기본 1GB)",
        "how much somebody's files that were sent may take (1GB)",
    ),
    (
        "DURU_EMBEDDING",
        "임베딩 모델: openai:…, ollama:…, 주소; 없으면 내장된 것",
        "the model for embeddings: openai:…, ollama:…, an address; otherwise the built-in one",
    ),
    (
        "DURU_RERANK",
        "찾은 조각의 순서를 다시 매기는 서비스의 주소 (…/rerank, TEI는 tei:…/rerank); 없으면 쓰지 않음",
        "a service that puts passages in order, its address (…/rerank; of TEI tei:…/rerank); otherwise none",
    ),
    ("DURU_RERANK_MODEL", "그 서비스의 모델 이름", "the name of its model"),
    (
        "DURU_WEB_SEARCH",
        "연구원의 웹 검색: tavily나 주소; 없으면 쓰지 않음",
        "the researcher's web search: tavily or an address; otherwise none",
    ),
    (
        "DURU_MOLIT_URL",
        "실거래가 서비스의 주소 (기본: 국토교통부)",
        "the services of real deals (the ministry's)",
    ),
    (
        "DURU_KAKAO_URL",
        "주변 시설 서비스의 주소 (기본: 카카오 로컬)",
        "the service of what is nearby (Kakao Local)",
    ),
    (
        "DURU_KEEP_LOGS",
        "로그를 보관할 기간 (30d, 12h; 없으면 계속)",
        "how long logs are kept (30d, 12h; else for ever)",
    ),
    ("DURU_KEEP_RUNS", "끝난 실행의 기록을 보관할 기간", "how long the queue's record of a run is kept"),
    (
        "DURU_KEEP_EVENTS",
        "대화의 사건과 체크포인트를 보관할 기간; 마지막 상태는 남음",
        "how long events and checkpoints are kept; where a thread stands stays",
    ),
    ("DURU_KEEP_THREADS", "쓰이지 않는 대화를 보관할 기간", "how long a thread is kept after its last use"),
    (
        "DURU_CONSTANTS",
        "상담사가 쓰는 세율, 한도, 금리 (JSON 파일; 없는 항목은 내장된 것)",
        "the advisor's tax rates, caps and interest (a JSON file; the rest is built in)",
    ),
    (
        "DURU_DEALS",
        "상담사가 쓰는 거래 (CSV 파일); 없으면 합성 데이터",
        "the deals that the advisor looks in (a CSV file); otherwise synthetic ones",
    ),
    (
        "DURU_ASK_SECONDS",
        "검색이 이만큼 걸릴 때부터 이전 자료를 쓸지 물음 (기본 1초; 0이면 늘)",
        "how long a search must take for the advisor to ask for earlier data (1 s; 0 always)",
    ),
    ("DURU_PROMPTS", "사용자의 프롬프트 폴더", "a folder with prompts of yours"),
    (
        "DURU_POLICY",
        "누가 정하나: model, rule, unless_certain, agree, agree_unless_certain, witness",
        "who decides: model, rule, unless_certain, agree, agree_unless_certain, witness",
    ),
    (
        "DURU_POLICIES",
        "재어 본 모델마다 누가 정하는지의 파일 (duru eval … --write-policy)",
        "who decides with models that you measured: a file of duru eval … --write-policy",
    ),
    (
        "DURU_FIRST_WORD_SECONDS",
        "질문마다 첫 말까지 모델을 기다리는 초 (기본 30)",
        "seconds that a question waits for a model's first word (30)",
    ),
    (
        "DURU_QUESTION_SECONDS",
        "질문마다 모델을 기다리는 초 (기본 90)",
        "seconds that a question waits for models in all (90)",
    ),
    (
        "DURU_REASONING_TOKENS",
        "모델이 답하기 전에 생각에 쓸 토큰 (답의 토큰과 따로)",
        "tokens that a model may think, beside those of its answer",
    ),
    (
        "DURU_REPLIES",
        "모델의 답을 두고 다시 쓰는 파일 (재어 볼 때; replay:파일은 있는 것만)",
        "a file of replies that are given again, to measure; replay:FILE asks nobody",
    ),
    ("DURU_PRICES", "모델 가격표 (JSON 파일)", "a JSON file with the prices of models"),
    ("DURU_LOG_FORMAT", "서버 로그 줄의 형식: text, json", "how a server's log lines look: text, json"),
    (
        "DURU_LOG_LEVEL",
        "서버 로그에 남길 것: error, warn, info, debug",
        "what is worth a server's log line: error, warn, info, debug",
    ),
    (
        "DURU_LOG",
        "서버 로그에 남길 것을 크레이트와 모듈마다: duru=info,duru_server=debug",
        "the same by crate and module: duru=info,duru_server=debug",
    ),
    (
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "추적을 보낼 OpenTelemetry 수집기의 주소 (http://…:4318); 없으면 보내지 않음",
        "the OpenTelemetry collector for traces (http://…:4318); otherwise none are sent",
    ),
    (
        "OTEL_EXPORTER_OTLP_PROTOCOL",
        "추적을 쓰는 형식: http/protobuf, http/json",
        "how traces are written: http/protobuf, http/json",
    ),
    ("OTEL_SERVICE_NAME", "추적에 나오는 이름 (기본 duru)", "the name in traces (duru)"),
    (
        "OTEL_TRACES_SAMPLER",
        "보낼 추적: always_on, always_off, traceidratio, parentbased_… (기본: 여기서 시작하는 추적의 10분의 1)",
        "which traces are sent: always_on, always_off, traceidratio, parentbased_… (a tenth of those that begin here)",
    ),
];

const SECRETS: [(&str, &str, &str); 12] = [
    ("ANTHROPIC_API_KEY", "Anthropic의 키", "the key for Anthropic"),
    ("OPENAI_API_KEY", "OpenAI의 키", "the key for OpenAI"),
    ("OLLAMA_API_KEY", "Ollama의 키", "the key for Ollama"),
    ("TAVILY_API_KEY", "Tavily의 키", "the key for Tavily"),
    (
        "DURU_RERANK_KEY",
        "순서를 다시 매기는 서비스의 키",
        "the key for the service that puts passages in order",
    ),
    ("DURU_WEB_SEARCH_KEY", "다른 웹 검색의 키", "the key for another web search"),
    ("DURU_MOLIT_KEY", "국토교통부 실거래가 서비스의 키", "the key for the ministry's services of deals"),
    ("DURU_KAKAO_KEY", "카카오 로컬 서비스의 REST API 키", "the REST API key for Kakao Local"),
    ("OTEL_EXPORTER_OTLP_HEADERS", "수집기에 보낼 머리글", "headers for the collector"),
    (
        "DURU_LOG_WORKER_SECRET",
        "로그 질문을 나누는 서버들이 서로를 알아보는 비밀 (16자 이상)",
        "by which servers that share questions about logs know each other (16 characters or more)",
    ),
    ("DURU_KEY", "실행 중인 두루 서버의 키", "the key for a server of Duru that runs"),
    ("DURU_API_KEY", "다른 모델 서버의 키", "the key for another model server"),
];

pub(crate) fn known() -> Vec<Known> {
    let shown = |is_secret| {
        move |(name, ko, en): (&str, &'static str, &'static str)| Known {
            name: name.to_owned(),
            ko,
            en,
            is_secret,
        }
    };
    let registry = duru_agents::decisions::registry();
    let mut models: Vec<String> =
        registry.into_iter().flat_map(|entry| Models::variables(entry.name())).collect();
    models.sort();
    models.dedup();
    let models = models.into_iter().filter(|name| name != "DURU_MODEL").map(|name| Known {
        name,
        ko: "이 에이전트나 판단의 모델",
        en: "the model of this agent or decision",
        is_secret: false,
    });
    let mut policies: Vec<String> =
        registry.into_iter().flat_map(|entry| DecisionPolicies::variables(entry.name())).collect();
    policies.sort();
    policies.dedup();
    let policies = policies.into_iter().filter(|name| name != "DURU_POLICY").map(|name| Known {
        name,
        ko: "이 에이전트나 판단을 누가 정하나",
        en: "who makes the decisions of this agent, or this one",
        is_secret: false,
    });
    let plain = PLAIN.into_iter().map(shown(false)).chain(SECRETS.into_iter().map(shown(true)));
    plain.chain(models).chain(policies).collect()
}
