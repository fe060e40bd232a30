//! The advisor with a person's own figures and deals.

use crate::Desk;

const RAISE: &str = "전세금 3억인데 얼마까지 인상할 수 있나요";
const PRICES: &str = "노원구 아파트 매매 시세 알려줘";

fn ask(desk: &Desk, question: &str, variable: &str, file: &str, text: &str) -> crate::Seen {
    std::fs::write(desk.path(file), text).unwrap();
    let path = desk.path(file);
    let env = [(variable, path.to_str().unwrap())];
    desk.with_env(&["ask", "--agent", "advisor", "--no-input", "--lang", "ko", question], &env)
}

#[test]
fn figures_and_deals_of_ones_own_are_used_and_bad_files_are_told() {
    let desk = Desk::new();
    let own = r#"{ "as_of": "2027-01-01", "increase": { "cap": 0.03 } }"#;
    let raised = ask(&desk, RAISE, "DURU_CONSTANTS", "constants.json", own);
    assert_eq!(raised.code, Some(0), "{raised:?}");
    assert!(raised.out.contains("3억 900만원") && raised.out.contains("2027-01-01"), "{}", raised.out);

    let deals = "시군구,종류,거래,전용면적,층,건축년도,거래금액(만원),계약일\n\
                 서울특별시 노원구 상계동,아파트,매매,84.9,5,1999,\"61,230\",2026-10-01\n\
                 서울특별시 노원구 상계동,아파트,매매,84.9,7,1999,\"61,230\",2026-10-02\n\
                 어디에도 없는 곳,아파트,매매,84.9,7,1999,60000,2026-10-02\n";
    let priced = ask(&desk, PRICES, "DURU_DEALS", "deals.csv", deals);
    assert_eq!(priced.code, Some(0), "{priced:?}");
    assert!(priced.out.contains("6억 1,230만원") && priced.out.contains("deals.csv"), "{}", priced.out);
    assert!(!priced.out.contains("합성"), "{}", priced.out);
    assert!(priced.err.contains("4번째 줄"), "{}", priced.err);

    let bad: [(&str, &str); 2] = [("DURU_CONSTANTS", "{}"), ("DURU_DEALS", "a,b\n1,2\n")];
    for (variable, text) in bad {
        let told = ask(&desk, PRICES, variable, "bad", text);
        assert_eq!(told.code, Some(3), "{told:?}");
        assert!(told.err.contains(variable), "{told:?}");
    }
}
