//! What lies around a place: answers from the sample, and the client of Kakao's Local service against a server that says
//! what that service says, and worse.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use duru::store::MemoryStore;
use duru_agents::advisor::api::{Error as ApiError, Limits, Places, RealInfrastructure};
use duru_agents::advisor::tools::{
    Error, Fault, Faulty, NearbyView, Parameters, Report, SAMPLE_SOURCE, Tool as _,
};
use duru_agents::advisor::understand::region::{self, Region};
use duru_agents::advisor::understand::{DataKind, Facility, Intent};
use duru_agents::advisor::{FaultKind, Remedy, Toolbox};
use duru_llm::decision::Decider;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::world::{Advisor, advisor, advisor_on, answer, asks, said, sources};

#[tokio::test]
async fn what_is_nearby_is_told_with_how_far_it_is_and_that_it_is_a_sample() {
    let advisor = advisor();
    let end = answer(&advisor, "a", asks("마포구 근처에 지하철역이랑 초등학교 있어?")).await;
    assert_eq!(end.planning.intent, Some(Intent::Infrastructure));
    assert_eq!(end.planning.required, [DataKind::Infrastructure]);
    let text = said(&end);
    for word in
        ["마포구청역 200m", "성서초등학교", "마포구청에서 직선거리 2km 안", "실제 조사 결과가 아닙니다"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!text.contains("답하지 못한 부분"), "{text}");
    // Every line with a count or a distance says who says so.
    let section = end.final_response.as_ref().unwrap().sections.iter().find(|one| one.heading == "주변 시설");
    assert!(section.unwrap().lines.iter().all(|line| line.contains("예시 데이터")), "{text}");
    assert!(text.contains(&format!("주변 시설 — {SAMPLE_SOURCE}")), "{text}");
    assert!(end.used.iter().all(|used| used.tool == "infrastructure"), "{:?}", end.used);

    let end = answer(&advisor, "b", asks("What's around Seongsu-dong: schools, parks?")).await;
    let text = said(&end);
    for word in [
        "Seongsu Elementary School",
        "Seongsu Neighbourhood Park",
        "of Seongsu Station",
        "sample data, not real",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!text.contains("초등학교") && text.contains("1 middle school,"), "{text}");
    // A length is no sum of money.
    let end = answer(&advisor, "c", asks("잠실동 반경 500m 안에 뭐가 있어?")).await;
    assert!(end.planning.terms.amounts.is_empty(), "{:?}", end.planning.terms);
    assert!(said(&end).contains("잠실새내역에서 500m 안에"), "{}", said(&end));
}

#[tokio::test]
async fn what_was_asked_around_one_place_is_asked_around_the_next() {
    let advisor = advisor();
    answer(&advisor, "a", asks("마포구 근처에 병원 있어?")).await;
    let end = answer(&advisor, "a", asks("그럼 성동구는?")).await;
    assert_eq!(end.planning.terms.facilities, [Facility::Hospital]);
    assert!(said(&end).contains("한양대학교병원") && !said(&end).contains("지하철역"), "{}", said(&end));
    // What was looked for is not looked for again.
    let end = answer(&advisor, "a", asks("아까 성동구 병원 다시 알려줘")).await;
    assert!(end.data_reused && end.used.is_empty(), "{}", said(&end));
    assert!(said(&end).contains("한양대학교병원") && !said(&end).contains("마포구보건소"), "{}", said(&end));
}

#[tokio::test]
async fn prices_and_what_is_nearby_are_answered_side_by_side() {
    let end = answer(&advisor(), "a", asks("성수동 아파트 매매 시세랑 주변 공원 알려줘")).await;
    assert_eq!(end.planning.required, [DataKind::Market, DataKind::Infrastructure]);
    for word in ["중앙값", "성수근린공원", "합성 데이터", "예시 데이터"] {
        assert!(said(&end).contains(word), "{word}: {}", said(&end));
    }
    // A home near a station is a home.
    let end = answer(&advisor(), "b", asks("마포구 지하철역 근처 아파트 시세 알려줘")).await;
    assert_eq!(end.planning.required, [DataKind::Market]);
}

#[tokio::test]
async fn what_is_missing_is_told() {
    // A kind that the sample has none of.
    let end = answer(&advisor(), "a", asks("마포구 근처에 편의점 있어?")).await;
    assert!(said(&end).contains("편의점") && said(&end).contains("찾지 못했습니다"), "{}", said(&end));
    // A place that it does not know.
    let end = answer(&advisor(), "b", asks("부산 해운대구 근처에 지하철역 있어?")).await;
    assert!(said(&end).contains("부산 해운대구 주변의 시설이 없습니다"), "{}", said(&end));
    // No place at all.
    let end = answer(&advisor(), "c", asks("근처에 초등학교 있어?")).await;
    assert!(said(&end).contains("구나 동의 이름"), "{}", said(&end));
    // A tool that fails.
    let toolbox = Toolbox::new(&sources());
    let broken =
        Faulty::new(Arc::clone(toolbox.tools.get("infrastructure").unwrap()), Fault::Exception, usize::MAX);
    let tools = toolbox.tools.clone().with(Arc::new(broken));
    let advisor = advisor_on(Arc::new(MemoryStore::new()), toolbox.with_tools(tools), Decider::by_rules());
    let end = answer(&advisor, "d", asks("마포구 근처에 지하철역 있어?")).await;
    let fault = &end.faults[0];
    assert_eq!((fault.what, fault.done), (FaultKind::Failed, Remedy::Skipped));
    assert!(said(&end).contains("서울 마포구 주변 시설 자료를 찾지 못했습니다"), "{}", said(&end));
}

const KEY: &str = "se+cret/key==";

/// What the service says to a request, by its path and query.
type Script = Box<dyn Fn(&str) -> (u16, Value) + Send>;

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
    async fn new(says: Script) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&asked);
        let task = tokio::spawn(async move {
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
                let request = String::from_utf8(request).unwrap();
                let (status, body) = says(request.lines().next().unwrap_or_default());
                heard.lock().unwrap().push(request);
                let body = body.to_string();
                let head = format!(
                    "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                stream.write_all(head.as_bytes()).await.unwrap();
                stream.write_all(body.as_bytes()).await.unwrap();
            }
        });
        Self { address, asked, task }
    }

    fn tool(&self) -> RealInfrastructure {
        let limits = Limits { time: Duration::from_secs(5), bytes: 100_000, rows: 15, pages: 3 };
        RealInfrastructure::new(Places::new(&self.address, KEY, limits).unwrap())
    }

    fn advisor(&self) -> Advisor {
        let toolbox = Toolbox::new(&sources());
        let tools = toolbox.tools.clone().with(Arc::new(self.tool()));
        advisor_on(Arc::new(MemoryStore::new()), toolbox.with_tools(tools), Decider::by_rules())
    }
}

/// Where Mapo-gu is, as the service of addresses writes it.
fn address() -> (u16, Value) {
    let document = json!({ "address_name": "서울 마포구", "address_type": "REGION", "x": "126.901639", "y": "37.566324" });
    (
        200,
        json!({ "meta": { "total_count": 1, "pageable_count": 1, "is_end": true }, "documents": [document] }),
    )
}

fn place(id: &str, name: &str, category: &str, distance: &str) -> Value {
    json!({
        "id": id, "place_name": name, "category_name": category, "category_group_code": "", "phone": "",
        "address_name": "서울 마포구 성산동 1", "road_address_name": "", "x": "126.903", "y": "37.563",
        "place_url": "http://place.map.kakao.com/1", "distance": distance
    })
}

fn page(total: usize, is_end: bool, documents: &[Value]) -> (u16, Value) {
    let meta = json!({ "same_name": null, "pageable_count": total, "total_count": total, "is_end": is_end });
    (200, json!({ "meta": meta, "documents": documents }))
}

fn asked(facilities: &[Facility]) -> Parameters {
    let regions: Vec<Region> = region::find("마포구", &[]).into_iter().map(|place| place.region).collect();
    Parameters { regions, facilities: facilities.to_vec(), ..Parameters::default() }
}

fn views(reports: &[Report]) -> Vec<&NearbyView> {
    reports
        .iter()
        .map(|report| match report {
            Report::Nearby(view) => view,
            other => panic!("{other:?}"),
        })
        .collect()
}

#[tokio::test]
async fn real_places_come_by_category_the_nearest_first_with_the_count_of_the_service() {
    let server = Server::new(Box::new(|line| match line {
        line if line.contains("address.json") => address(),
        line if line.contains("SC4") && line.contains("page=1&") => page(
            3,
            false,
            &[
                place("1", "가초등학교", "교육,학문 > 학교 > 초등학교", "700"),
                place("2", "나대학교", "교육,학문 > 학교 > 대학교", "100"),
            ],
        ),
        line if line.contains("SC4") => {
            page(3, true, &[place("3", "다초등학교", "교육,학문 > 학교 > 초등학교", "250")])
        }
        line if line.contains("HP8") => page(412, false, &[place("4", "라병원", "의료,건강 > 병원", "80")]),
        line if line.contains("keyword.json") => page(
            2,
            true,
            &[
                place("5", "마공원", "여행 > 공원 > 근린공원", "90"),
                place("6", "공원약국", "의료,건강 > 약국", "20"),
            ],
        ),
        _ => (500, Value::Null),
    }))
    .await;
    let wanted = asked(&[Facility::Elementary, Facility::Hospital, Facility::Park]);
    let found = server.tool().call(&wanted, &[]).await.unwrap();
    let views = views(&found.reports);
    let names = |at: usize| views[at].places.iter().map(|place| place.name.as_str()).collect::<Vec<_>>();
    assert_eq!((names(0), views[0].count, views[0].more), (vec!["다초등학교", "가초등학교"], 2, false));
    assert_eq!((names(1), views[1].count), (vec!["라병원"], 412));
    assert_eq!((names(2), views[2].places[0].metres), (vec!["마공원"], 90));
    assert!(views.iter().all(|view| view.source == "카카오 로컬 (Kakao Local)" && view.radius == 2_000));

    let requests = server.asked.lock().unwrap().clone();
    assert!(requests.iter().all(|request| request.contains(&format!("authorization: KakaoAK {KEY}\r\n"))));
    let schools = requests.iter().find(|request| request.contains("SC4")).unwrap();
    let line = schools.lines().next().unwrap();
    for part in [
        "GET /v2/local/search/category.json?category_group_code=SC4&x=126.901639&y=37.566324&radius=2000&",
        "sort=distance&",
        "page=1&size=15 ",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }

    let end = answer(&server.advisor(), "a", asks("마포구 근처에 초등학교랑 병원 있어?")).await;
    for word in ["초등학교 2곳", "병원 412곳", "다초등학교 250m", "카카오 로컬"] {
        assert!(said(&end).contains(word), "{word}: {}", said(&end));
    }
    assert!(!said(&end).contains("예시 데이터"), "{}", said(&end));
}

#[tokio::test]
async fn one_search_that_fails_costs_only_what_it_would_have_told() {
    let server = Server::new(Box::new(|line| match line {
        line if line.contains("address.json") => address(),
        line if line.contains("SW8") => {
            page(1, true, &[place("1", "마포구청역 6호선", "교통 > 지하철", "310")])
        }
        _ => (500, Value::Null),
    }))
    .await;
    let end = answer(&server.advisor(), "a", asks("마포구 근처에 지하철역이랑 병원 있어?")).await;
    for word in ["마포구청역 6호선 310m", "병원은 서비스가 답하지 않아 알 수 없습니다"]
    {
        assert!(said(&end).contains(word), "{word}: {}", said(&end));
    }
}

#[tokio::test]
async fn every_refusal_ends_in_an_answer_and_none_shows_the_key() {
    for status in [401, 403, 429, 500] {
        let server = Server::new(Box::new(move |_| {
            (status, json!({ "errorType": "AccessDeniedError", "message": format!("wrong appKey({KEY})") }))
        }))
        .await;
        let Err(Error::Failed(why)) = server.tool().call(&asked(&[Facility::Subway]), &[]).await else {
            panic!("{status}")
        };
        assert!(!why.contains("cret"), "{why}");
        let end = answer(&server.advisor(), "a", asks("마포구 근처에 지하철역 있어?")).await;
        assert!(said(&end).contains("주변 시설 자료를 찾지 못했습니다"), "{}", said(&end));
        assert!(!said(&end).contains("cret") && !said(&end).contains("예시 데이터"), "{}", said(&end));
    }
    // Something that is no answer, and a place that the service does not know.
    let odd = Server::new(Box::new(|_| (200, json!("down")))).await;
    assert!(matches!(odd.tool().call(&asked(&[]), &[]).await, Err(Error::Failed(_))));
    let nowhere = Server::new(Box::new(|_| page(0, true, &[]))).await;
    assert!(nowhere.tool().call(&asked(&[]), &[]).await.unwrap().is_empty());
}

#[test]
fn settings_that_can_not_be_used_say_so_without_the_key() {
    assert!(matches!(Places::read(|_| None), Ok(None)));
    let limits = Limits::default();
    for (address, key) in
        [("ftp://x/y", KEY), ("not an address", KEY), ("http://x/?a=b", KEY), ("http://x/y", " ")]
    {
        let Err(error) = Places::new(address, key, limits) else { panic!("{address}") };
        assert!(matches!(error, ApiError::Setting { .. }) && !error.to_string().contains("cret"), "{error}");
    }
}
