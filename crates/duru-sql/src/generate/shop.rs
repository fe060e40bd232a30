//! The shop: its services, what they do, and how they fail.

use crate::LogType;

pub(super) struct Service {
    pub(super) name: &'static str,
    pub(super) kind: LogType,
    /// Its sources end like this.
    pub(super) ending: &'static str,
    /// Major and minor version at the start.
    pub(super) version: (u32, u32),
    /// Of a thousand steps, so many fail on an ordinary day.
    pub(super) fails: u32,
    pub(super) errors: &'static [Failure],
}

/// A kind of error, with its status and words in both languages.
pub(super) struct Failure {
    pub(super) kind: &'static str,
    pub(super) status: u16,
    pub(super) ko: &'static str,
    pub(super) en: &'static str,
}

const fn failure(kind: &'static str, status: u16, ko: &'static str, en: &'static str) -> Failure {
    Failure { kind, status, ko, en }
}

pub(super) const GATEWAY: usize = 0;
pub(super) const MEMBERS: usize = 1;
pub(super) const BOOKS: usize = 2;
pub(super) const FINDER: usize = 3;
pub(super) const BASKET: usize = 4;
pub(super) const PURCHASE: usize = 5;
pub(super) const BILLING: usize = 6;
pub(super) const DELIVERY: usize = 7;
pub(super) const STOREFRONT: usize = 8;
pub(super) const READER_APP: usize = 9;
pub(super) const MAILER: usize = 10;
pub(super) const CLOSING: usize = 11;
pub(super) const LOCKERS: usize = 12;

pub(super) const SERVICES: [Service; 13] = [
    Service {
        name: "edge-gateway",
        kind: LogType::Backend,
        ending: "rs",
        version: (4, 2),
        fails: 8,
        errors: &[
            failure("UpstreamUnavailable", 502, "뒤쪽 서비스가 응답하지 않습니다", "upstream did not answer"),
            failure("TooManyRequests", 429, "요청이 너무 많아 제한했습니다", "client was throttled"),
        ],
    },
    Service {
        name: "member-service",
        kind: LogType::Backend,
        ending: "kt",
        version: (2, 7),
        fails: 22,
        errors: &[
            failure("InvalidCredentials", 401, "비밀번호가 일치하지 않습니다", "wrong password"),
            failure("SessionExpired", 401, "세션이 만료되었습니다", "session has expired"),
            failure("MemberNotFound", 404, "회원을 찾을 수 없습니다", "no such member"),
        ],
    },
    Service {
        name: "book-service",
        kind: LogType::Backend,
        ending: "kt",
        version: (3, 1),
        fails: 12,
        errors: &[
            failure("BookNotFound", 404, "도서를 찾을 수 없습니다", "no such book"),
            failure(
                "CacheTimeout",
                504,
                "캐시가 2초 안에 응답하지 않았습니다",
                "cache did not answer within 2s",
            ),
        ],
    },
    Service {
        name: "finder",
        kind: LogType::Backend,
        ending: "go",
        version: (1, 9),
        fails: 15,
        errors: &[
            failure("QueryTimeout", 504, "검색이 3초 안에 끝나지 않았습니다", "search took longer than 3s"),
            failure("ShardUnavailable", 503, "검색 샤드를 쓸 수 없습니다", "a search shard is down"),
        ],
    },
    Service {
        name: "basket",
        kind: LogType::Backend,
        ending: "go",
        version: (1, 4),
        fails: 10,
        errors: &[failure("BasketLocked", 409, "장바구니가 잠겨 있습니다", "basket is locked")],
    },
    Service {
        name: "purchase",
        kind: LogType::Backend,
        ending: "java",
        version: (5, 0),
        fails: 28,
        errors: &[
            failure("OutOfStock", 409, "재고가 부족합니다", "not enough in stock"),
            failure("AddressInvalid", 400, "배송지 형식이 올바르지 않습니다", "address is malformed"),
            failure("DeadlockDetected", 500, "데이터베이스 교착 상태가 발생했습니다", "database deadlock"),
        ],
    },
    Service {
        name: "billing",
        kind: LogType::Backend,
        ending: "java",
        version: (3, 6),
        fails: 35,
        errors: &[
            failure("CardDeclined", 402, "카드사가 승인을 거절했습니다", "card was declined"),
            failure("BankTimeout", 504, "은행 응답 시간이 초과되었습니다", "bank did not answer in time"),
            failure(
                "PoolExhausted",
                503,
                "DB 연결 풀이 고갈되었습니다",
                "database connection pool exhausted",
            ),
        ],
    },
    Service {
        name: "delivery",
        kind: LogType::Backend,
        ending: "py",
        version: (2, 2),
        fails: 18,
        errors: &[
            failure(
                "CourierUnreachable",
                503,
                "택배사 API에 연결할 수 없습니다",
                "courier API is unreachable",
            ),
            failure("RouteNotFound", 422, "배송 경로를 찾을 수 없습니다", "no route to the address"),
        ],
    },
    Service {
        name: "storefront",
        kind: LogType::Frontend,
        ending: "tsx",
        version: (7, 3),
        fails: 30,
        errors: &[
            failure(
                "TypeError",
                0,
                "undefined의 속성을 읽을 수 없습니다",
                "cannot read properties of undefined",
            ),
            failure("NetworkError", 0, "네트워크 요청이 실패했습니다", "network request failed"),
        ],
    },
    Service {
        name: "reader-app",
        kind: LogType::Mobile,
        ending: "swift",
        version: (6, 1),
        fails: 26,
        errors: &[
            failure("DownloadFailed", 0, "책을 내려받지 못했습니다", "book download failed"),
            failure("StorageFull", 0, "저장 공간이 부족합니다", "device storage is full"),
        ],
    },
    Service {
        name: "mail-worker",
        kind: LogType::Worker,
        ending: "py",
        version: (1, 1),
        fails: 25,
        errors: &[
            failure(
                "SmtpRejected",
                0,
                "메일 서버가 수신자를 거부했습니다",
                "mail server refused the recipient",
            ),
            failure("TemplateMissing", 0, "메일 서식이 없습니다", "mail template is missing"),
        ],
    },
    Service {
        name: "closing-worker",
        kind: LogType::Worker,
        ending: "py",
        version: (1, 5),
        fails: 30,
        errors: &[failure(
            "JobTimeout",
            0,
            "정산 작업이 제한 시간을 넘겼습니다",
            "closing job exceeded its time",
        )],
    },
    Service {
        name: "locker-hub",
        kind: LogType::Iot,
        ending: "rs",
        version: (0, 9),
        fails: 20,
        errors: &[
            failure("LockerOffline", 0, "무인 보관함이 응답하지 않습니다", "locker does not respond"),
            failure("LowBattery", 0, "보관함 배터리가 부족합니다", "locker battery is low"),
        ],
    },
];
