//! What people and machines do, step by step.

use super::shop::{
    BASKET, BILLING, BOOKS, CLOSING, DELIVERY, FINDER, GATEWAY, LOCKERS, MAILER, MEMBERS, PURCHASE,
    READER_APP, STOREFRONT,
};

pub(super) struct Journey {
    /// How often, among all.
    pub(super) weight: u32,
    pub(super) has_user: bool,
    pub(super) steps: &'static [Step],
}

pub(super) struct Step {
    pub(super) service: usize,
    pub(super) path: Option<&'static str>,
    pub(super) method: Option<&'static str>,
    pub(super) action: Option<&'static str>,
    pub(super) function: &'static str,
    /// A usual duration in microseconds; 0: none is measured.
    pub(super) takes_us: i64,
    pub(super) ko: &'static str,
    pub(super) en: &'static str,
}

const fn call(
    service: usize,
    request: (&'static str, &'static str),
    function: &'static str,
    takes_ms: i64,
    words: (&'static str, &'static str),
) -> Step {
    let (method, path) = (Some(request.0), Some(request.1));
    Step {
        service,
        path,
        method,
        action: None,
        function,
        takes_us: takes_ms * 1000,
        ko: words.0,
        en: words.1,
    }
}

const fn touch(
    service: usize,
    action: &'static str,
    path: &'static str,
    function: &'static str,
    words: (&'static str, &'static str),
) -> Step {
    let (action, path) = (Some(action), Some(path));
    Step { service, path, method: None, action, function, takes_us: 0, ko: words.0, en: words.1 }
}

const fn job(
    service: usize,
    function: &'static str,
    takes_ms: i64,
    words: (&'static str, &'static str),
) -> Step {
    let takes_us = takes_ms * 1000;
    Step { service, path: None, method: None, action: None, function, takes_us, ko: words.0, en: words.1 }
}

const BROWSE: &[Step] = &[
    touch(STOREFRONT, "view", "/", "HomePage", ("첫 화면을 열었습니다", "home page opened")),
    call(GATEWAY, ("GET", "/v2/books"), "route", 9, ("요청을 전달했습니다", "request forwarded")),
    call(BOOKS, ("GET", "/v2/books"), "listBooks", 38, ("도서 목록을 보냈습니다", "book list served")),
];

const SEARCH: &[Step] = &[
    touch(STOREFRONT, "search", "/search", "SearchBox", ("검색어를 입력했습니다", "search submitted")),
    call(FINDER, ("GET", "/v2/find"), "find", 140, ("검색을 마쳤습니다", "search finished")),
    touch(STOREFRONT, "view", "/books/detail", "BookPage", ("도서 상세를 열었습니다", "book page opened")),
    call(BOOKS, ("GET", "/v2/books/detail"), "getBook", 24, ("도서 정보를 보냈습니다", "book served")),
];

const SIGN_IN: &[Step] = &[
    touch(STOREFRONT, "submit", "/sign-in", "SignInForm", ("로그인 양식을 보냈습니다", "sign-in form sent")),
    call(MEMBERS, ("POST", "/v2/sessions"), "signIn", 95, ("로그인했습니다", "signed in")),
];

const BUY: &[Step] = &[
    touch(STOREFRONT, "view", "/basket", "BasketPage", ("장바구니를 열었습니다", "basket opened")),
    call(BASKET, ("GET", "/v2/basket"), "getBasket", 31, ("장바구니를 불러왔습니다", "basket loaded")),
    touch(STOREFRONT, "submit", "/pay", "PayForm", ("결제를 눌렀습니다", "pay pressed")),
    call(
        PURCHASE,
        ("POST", "/v2/purchases"),
        "createPurchase",
        150,
        ("주문을 만들었습니다", "purchase created"),
    ),
    call(BILLING, ("POST", "/v2/charges"), "charge", 310, ("결제가 승인되었습니다", "charge approved")),
    call(DELIVERY, ("POST", "/v2/parcels"), "plan_parcel", 120, ("배송을 접수했습니다", "parcel planned")),
    job(MAILER, "send_receipt", 260, ("영수증 메일을 보냈습니다", "receipt mailed")),
];

const TRACK: &[Step] = &[
    call(GATEWAY, ("GET", "/v2/parcels/status"), "route", 8, ("요청을 전달했습니다", "request forwarded")),
    call(
        DELIVERY,
        ("GET", "/v2/parcels/status"),
        "track",
        66,
        ("배송 상태를 보냈습니다", "parcel status served"),
    ),
];

const READ: &[Step] = &[
    touch(READER_APP, "open", "library", "LibraryView", ("서재를 열었습니다", "library opened")),
    call(MEMBERS, ("GET", "/v2/members/me"), "getMember", 28, ("회원 정보를 보냈습니다", "member served")),
    touch(READER_APP, "download", "book", "Downloader", ("책을 내려받았습니다", "book downloaded")),
];

const CLOSE: &[Step] =
    &[job(CLOSING, "close_hour", 5_200, ("시간별 정산을 마쳤습니다", "hourly closing done"))];

const LOCKER: &[Step] = &[call(
    LOCKERS,
    ("POST", "/ingest"),
    "on_reading",
    12,
    ("보관함 상태를 기록했습니다", "locker state stored"),
)];

pub(super) const JOURNEYS: [Journey; 8] = [
    Journey { weight: 30, has_user: false, steps: BROWSE },
    Journey { weight: 25, has_user: true, steps: SEARCH },
    Journey { weight: 12, has_user: true, steps: SIGN_IN },
    Journey { weight: 11, has_user: true, steps: BUY },
    Journey { weight: 9, has_user: true, steps: TRACK },
    Journey { weight: 8, has_user: true, steps: READ },
    Journey { weight: 3, has_user: false, steps: CLOSE },
    Journey { weight: 6, has_user: false, steps: LOCKER },
];
