//! The client of the ministry's service against a server that says what the
//! service says, and worse.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use duru_agents::advisor::api::{Contract, Endpoint, Error, Homes, Limits, RealDeals, Trades};
use duru_agents::advisor::tools::analyse_market;
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::tools::{Parameters, Tool as _};
use duru_agents::advisor::understand::region::{self, Region};
use duru_agents::advisor::understand::{Deal, Property};
use duru_sql::guard::Lang;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

const KEY: &str = "se+cret/key==";
const SALES: Endpoint = Endpoint { homes: Homes::Apartments, contract: Contract::Sale };

/// What the server does with a request.
enum Says {
    Xml(String),
    Status(u16),
    /// Takes the request and is silent.
    Nothing,
    /// Breaks off in the middle.
    Half(String),
}

/// What it says to which page.
type Script = Box<dyn Fn(usize) -> Says + Send>;

struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Answers by the number of the page that is asked for.
    async fn new(says: impl Fn(usize) -> Says + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/getRTMSDataSvcAptTradeDev", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            let mut silent = Vec::new();
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = Vec::new();
                while !request.windows(4).any(|end| end == b"\r\n\r\n") {
                    let mut piece = [0; 1024];
                    let count = stream.read(&mut piece).await.unwrap();
                    if count == 0 {
                        break;
                    }
                    request.extend_from_slice(&piece[..count]);
                }
                let line = String::from_utf8(request).unwrap().lines().next().unwrap().to_owned();
                let page = line.split("pageNo=").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
                let page = page.parse().unwrap();
                heard.lock().unwrap().push(line);
                let (status, body, length) = match says(page) {
                    Says::Xml(body) => (200, body.clone(), body.len()),
                    Says::Status(status) => (status, String::new(), 0),
                    Says::Half(body) => (200, body.clone(), body.len() + 100),
                    Says::Nothing => {
                        silent.push(stream);
                        continue;
                    }
                };
                let head =
                    format!("HTTP/1.1 {status} x\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
                stream.write_all(head.as_bytes()).await.unwrap();
                stream.write_all(body.as_bytes()).await.unwrap();
            }
        });
        Self { address, asked, task }
    }

    fn client(&self, limits: Limits) -> Trades {
        Trades::new(&self.address, KEY, limits).unwrap()
    }
}

fn small() -> Limits {
    Limits { time: Duration::from_secs(5), rows: 2, pages: 5, bytes: 100_000 }
}

fn place(name: &str) -> Region {
    region::find(name, &[]).remove(0).region
}

fn item(dong: &str, amount: &str, day: &str, more: &str) -> String {
    format!(
        "<item><aptNm>가나 &amp; 다</aptNm><buildYear>2004</buildYear><dealAmount>{amount}</dealAmount>\
         <dealDay>{day}</dealDay><dealMonth>5</dealMonth><dealYear>2026</dealYear>\
         <excluUseAr>84.97</excluUseAr><floor>12</floor><umdNm>{dong}</umdNm>{more}</item>"
    )
}

fn page(items: &[String], total: usize) -> Says {
    Says::Xml(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><response><header><resultCode>000</resultCode>\
         <resultMsg>OK</resultMsg></header><body><items>{}</items><numOfRows>2</numOfRows>\
         <pageNo>1</pageNo><totalCount>{total}</totalCount></body></response>",
        items.concat()
    ))
}

fn refusal(code: &str, message: &str) -> Says {
    Says::Xml(format!(
        "<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg>\
         <returnAuthMsg>{message}</returnAuthMsg><returnReasonCode>{code}</returnReasonCode>\
         </cmmMsgHeader></OpenAPI_ServiceResponse>"
    ))
}

#[tokio::test]
async fn pages_are_read_to_the_end_and_become_deals() {
    let server = Server::new(|number| match number {
        1 => page(&[item("잠실동", "232,500", "3", ""), item("잠실동", " 1,000 ", "4", "")], 5),
        2 => page(&[item("신천동", "99,000", "5", ""), item("잠실동", "천만", "6", "")], 5),
        3 => page(&[item("잠실동", "50,000", "7", "<cdealType>O</cdealType>")], 5),
        _ => Says::Status(500),
    })
    .await;
    let found = server.client(small()).deals(SALES, &place("송파구"), 2026, 5).await.unwrap();
    assert_eq!(found.deals.len(), 3);
    assert_eq!(found.deals[0].price, 2_325_000_000);
    assert_eq!(found.deals[0].region, place("잠실동"));
    assert_eq!((found.deals[0].floor, found.deals[0].built, found.deals[0].area), (12, 2004, 84.97));
    assert_eq!(found.deals[0].date, jiff::civil::date(2026, 5, 3));
    assert!(found.deals.iter().all(|deal| deal.source == SALES.source()));
    assert_eq!(found.bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [4]);
    // They are what the market's analysis takes.
    let deals: Vec<_> = found.deals.iter().collect();
    assert_eq!(analyse_market(&deals).unwrap().count, 3);

    let asked = server.asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 3);
    for part in [
        "serviceKey=se%2Bcret%2Fkey%3D%3D&",
        "LAWD_CD=11710&",
        "DEAL_YMD=202605&",
        "numOfRows=2&",
        "pageNo=1 ",
    ] {
        assert!(asked[0].contains(part), "{part}: {}", asked[0]);
    }
}

#[tokio::test]
async fn a_neighbourhood_gets_its_own_deals_only() {
    let server =
        Server::new(|_| page(&[item("잠실동", "1", "3", ""), item("신천동", "2", "4", "")], 2)).await;
    let found = server.client(small()).deals(SALES, &place("신천동 송파구"), 2026, 5).await.unwrap();
    assert_eq!(found.deals.iter().map(|deal| deal.price).collect::<Vec<_>>(), [20_000]);
}

#[tokio::test]
async fn no_data_is_an_answer_and_a_wrong_total_ends() {
    let none = Server::new(|_| {
        Says::Xml(
            "<response><header><resultCode>03</resultCode><resultMsg>NODATA_ERROR</resultMsg></header></response>"
                .to_owned(),
        )
    })
    .await;
    assert!(none.client(small()).deals(SALES, &place("송파구"), 2026, 5).await.unwrap().deals.is_empty());
    // It says a hundred and gives two.
    let short = Server::new(|number| match number {
        1 => page(&[item("잠실동", "1", "3", ""), item("잠실동", "2", "4", "")], 100),
        _ => page(&[], 100),
    })
    .await;
    assert_eq!(short.client(small()).deals(SALES, &place("송파구"), 2026, 5).await.unwrap().deals.len(), 2);
    // It never ends.
    let endless = Server::new(|_| page(&[item("잠실동", "1", "3", "")], 1_000_000)).await;
    let error = endless.client(small()).deals(SALES, &place("송파구"), 2026, 5).await.unwrap_err();
    assert!(matches!(error, Error::TooMuch { .. }), "{error}");
    assert_eq!(endless.asked.lock().unwrap().len(), 5);
}

#[tokio::test]
async fn every_refusal_has_its_error_and_none_shows_the_key() {
    let long = "x".repeat(200_000);
    let cases: Vec<(&str, Script)> = vec![
        ("WrongKey", Box::new(|_| refusal("30", &format!("KEY {KEY} IS NOT REGISTERED")))),
        ("WrongKey", Box::new(|_| refusal("31", "DEADLINE_HAS_EXPIRED_ERROR"))),
        ("Quota", Box::new(|_| refusal("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"))),
        ("Refused", Box::new(|_| refusal("10", &format!("serviceKey={KEY} se%2Bcret%2Fkey%3D%3D")))),
        ("Status", Box::new(|_| Says::Status(502))),
        ("BadReply", Box::new(|_| Says::Xml("<html>down</html>".to_owned()))),
        ("BadReply", Box::new(|_| Says::Xml(format!("<response>{KEY}</{KEY}>")))),
        ("Unreachable", Box::new(|_| Says::Half("<response>".to_owned()))),
        ("TooMuch", Box::new(move |_| Says::Xml(long.clone()))),
    ];
    for (wanted, says) in cases {
        let server = Server::new(says).await;
        let client = server.client(small());
        let error = client.deals(SALES, &place("송파구"), 2026, 5).await.unwrap_err();
        assert!(format!("{error:?}").starts_with(wanted), "{wanted}: {error:?}");
        for shown in [format!("{error:?}"), error.to_string(), error.say(Lang::Ko), error.say(Lang::En)] {
            assert!(!shown.contains("cret"), "{shown}");
        }
        assert!(error.say(Lang::Ko) != error.say(Lang::En));
    }
}

#[tokio::test]
async fn silence_and_absence_are_told_apart_and_may_pass() {
    let silent = Server::new(|_| Says::Nothing).await;
    let quick = Limits { time: Duration::from_millis(50), ..small() };
    let error = silent.client(quick).deals(SALES, &place("송파구"), 2026, 5).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }) && error.is_passing(), "{error:?}");
    // Nobody listens where somebody has just stopped to.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/x", listener.local_addr().unwrap());
    drop(listener);
    let gone = Trades::new(&address, KEY, small()).unwrap();
    let error = gone.deals(SALES, &place("송파구"), 2026, 5).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }) && error.is_passing(), "{error:?}");
}

#[test]
fn settings_that_can_not_be_used_say_so_without_the_key() {
    for (address, key) in
        [("ftp://x/y", KEY), ("not an address", KEY), ("http://x/?a=b", KEY), ("http://x/y", " ")]
    {
        let Err(error) = Trades::new(address, key, small()) else { panic!("{address}") };
        assert!(matches!(error, Error::Setting { .. }) && !error.to_string().contains("cret"), "{error}");
    }
}

#[tokio::test]
async fn a_place_without_a_code_is_not_asked_for() {
    let server = Server::new(|_| Says::Status(500)).await;
    let error = server.client(small()).deals(SALES, &place("서울"), 2026, 5).await.unwrap_err();
    assert!(matches!(error, Error::UnknownDistrict { .. }), "{error:?}");
    assert!(server.asked.lock().unwrap().is_empty());
}

/// What a lease says, as the services of leases write it.
fn lease(name: &str, deposit: &str, rent: &str) -> String {
    format!(
        "<item><{name}>가나</{name}><buildYear>2015</buildYear><contractTerm>26.05~28.05</contractTerm><contractType>신규</contractType>\
         <dealDay>3</dealDay><dealMonth>5</dealMonth><dealYear>2026</dealYear><deposit>{deposit}</deposit>\
         <excluUseAr>29.5</excluUseAr><floor>3</floor><monthlyRent>{rent}</monthlyRent><sggCd>11710</sggCd><umdNm>잠실동</umdNm></item>"
    )
}

#[tokio::test]
async fn leases_row_houses_and_officetels_come_from_their_own_services() {
    for (homes, name, property) in [
        (Homes::Apartments, "aptNm", Property::Apartment),
        (Homes::RowHouses, "mhouseNm", Property::Villa),
        (Homes::Officetels, "offiNm", Property::Officetel),
    ] {
        let server = Server::new(move |_| {
            page(&[lease(name, "30,000", "0"), lease(name, "1,000", "65"), lease(name, "", "0")], 3)
        })
        .await;
        let of = Endpoint { homes, contract: Contract::Lease };
        let limits = Limits { rows: 10, ..small() };
        let found = server.client(limits).deals(of, &place("송파구"), 2026, 5).await.unwrap();
        let seen: Vec<_> =
            found.deals.iter().map(|deal| (deal.deal, deal.price, deal.monthly_rent)).collect();
        assert_eq!(
            seen,
            [(Deal::Jeonse, 300_000_000, 0), (Deal::MonthlyRent, 10_000_000, 650_000)],
            "{homes:?}"
        );
        assert!(found.deals.iter().all(|deal| deal.property == property && deal.source == of.source()));
        // A lease that says no deposit is listed as one that could not be read.
        assert_eq!(found.bad.len(), 1);
        let asked = server.asked.lock().unwrap()[0].clone();
        let service = match homes {
            Homes::Apartments => "RTMSDataSvcAptRent/getRTMSDataSvcAptRent?",
            Homes::RowHouses => "RTMSDataSvcRHRent/getRTMSDataSvcRHRent?",
            Homes::Officetels => "RTMSDataSvcOffiRent/getRTMSDataSvcOffiRent?",
        };
        assert!(asked.contains(service), "{asked}");
    }
    for (homes, service) in [
        (Homes::RowHouses, "RTMSDataSvcRHTrade/getRTMSDataSvcRHTrade?"),
        (Homes::Officetels, "RTMSDataSvcOffiTrade/getRTMSDataSvcOffiTrade?"),
    ] {
        let server = Server::new(|_| page(&[item("잠실동", "45,000", "3", "")], 1)).await;
        let of = Endpoint { homes, contract: Contract::Sale };
        let found = server.client(small()).deals(of, &place("송파구"), 2026, 5).await.unwrap();
        assert_eq!((found.deals.len(), found.deals[0].price), (1, 450_000_000));
        let asked = server.asked.lock().unwrap()[0].clone();
        assert!(asked.contains(service), "{asked}");
    }
}

/// The tool asks the services that know what is asked for, and makes nothing up beside them.
#[tokio::test]
async fn real_leases_are_the_market_data_where_a_service_knows_them() {
    let server = Server::new(|_| {
        page(
            &[lease("offiNm", "1,000", "65"), lease("offiNm", "2,000", "70"), lease("offiNm", "9,000", "0")],
            3,
        )
    })
    .await;
    let today = jiff::civil::date(2026, 5, 13);
    let limits = Limits { rows: 10, ..small() };
    let tool = RealDeals::new(server.client(limits), Sources::built_in(today), move || today);
    let asked = |deals: &[Deal], property| Parameters {
        regions: vec![place("송파구")],
        deals: deals.to_vec(),
        properties: vec![property],
        ..Parameters::default()
    };
    let found = tool.call(&asked(&[Deal::MonthlyRent], Property::Officetel), &[]).await.unwrap();
    assert!(!found.items.is_empty());
    assert!(found.items.iter().all(|item| item.source == "국토교통부 오피스텔 전월세 실거래가"), "{found:?}");
    assert!(found.items.iter().all(|item| item.deal == Some(Deal::MonthlyRent)), "{found:?}");
    // Three months of one service, however many kinds of lease are asked for.
    server.asked.lock().unwrap().clear();
    tool.call(&asked(&[Deal::MonthlyRent, Deal::Jeonse], Property::Officetel), &[]).await.unwrap();
    assert_eq!(server.asked.lock().unwrap().len(), 3);
    // Of shops no service tells.
    server.asked.lock().unwrap().clear();
    tool.call(&asked(&[Deal::Sale], Property::Shop), &[]).await.unwrap();
    assert!(server.asked.lock().unwrap().is_empty());
}
