//! Tables of others: asked at once, named, described, measured, and never changed.

use std::process::{Command, Stdio};

use duru_llm::fake::{Fake, Says};
use serde_json::{Value, json};

use crate::guarded;
use crate::postgres::{Server, server};
use crate::serve::Serving;
use crate::{Desk, Seen};

const SHOP: &str = "
    CREATE TABLE customers (id int PRIMARY KEY, name text, city text, password text);
    CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customers, amount numeric, channel text);
    INSERT INTO customers SELECT i, 'Customer ' || i, CASE WHEN i % 4 = 0 THEN 'Seoul' ELSE 'Busan' END, 'x'
      FROM generate_series(1, 40) AS i;
    INSERT INTO orders SELECT i, i % 40 + 1, i * 10, CASE WHEN i % 3 = 0 THEN 'web' ELSE 'phone' END
      FROM generate_series(1, 120) AS i;
    CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA public TO reader; GRANT SELECT ON customers, orders TO reader;
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;";

/// What `psql` prints.
fn sql(server: &Server, database: &str, text: &str) -> String {
    let url = server.url().replace("/postgres", &format!("/{database}"));
    let output = Command::new("/usr/lib/postgresql/15/bin/psql")
        .args([&url, "-At", "-v", "ON_ERROR_STOP=1", "-c", text])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A database with tables of somebody, and its address for a role that may only read.
fn shop(server: &Server) -> String {
    sql(server, "postgres", "CREATE DATABASE shop");
    sql(server, "shop", SHOP);
    server.url().replace("kim@", "reader@").replace("/postgres", "/shop")
}

fn ask(desk: &Desk, url: &str, question: &str) -> Seen {
    desk.run(&["ask", "--tables", url, "--json", "--no-input", "--lang", "en", question])
}

#[test]
fn any_database_is_asked_at_once_and_nothing_in_it_changes() {
    let Some(server) = server() else { return };
    let url = shop(&server);
    let desk = Desk::new();
    let seen = ask(&desk, &url, "How many orders are there?");
    let answer = seen.json();
    assert_eq!(answer["results"][0]["count"], 120, "{seen:?}");
    assert_eq!(answer["suggestions"], serde_json::json!([]), "nothing about logs");
    assert!(answer["executed_sql"].as_str().unwrap().contains("\"orders\""), "{answer}");
    let seen = ask(&desk, &url, "number of customers by city");
    assert_eq!(seen.json()["results"].as_array().unwrap().len(), 2, "{seen:?}");

    let made = "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                WHERE n.nspname LIKE 'duru%' OR c.relname IN ('logs', 'threads')";
    assert_eq!(sql(&server, "shop", made), "0");
    let kept = desk.run(&[
        "ask",
        "--tables",
        &url,
        "--run",
        "SELECT password FROM customers",
        "--json",
        "--no-input",
    ]);
    assert_eq!(kept.code, Some(4), "a secret: {kept:?}");
}

#[test]
fn a_question_never_makes_a_log_store() {
    let Some(server) = server() else { return };
    let url = shop(&server);
    let desk = Desk::new();
    let seen = desk.run(&["ask", "--logs", &url, "--json", "--no-input", "errors today"]);
    assert_eq!(seen.json()["error"]["code"], "no-log-store", "{seen:?}");
    sql(&server, "shop", "CREATE TABLE logs (line text); GRANT SELECT ON logs TO reader");
    let owner = server.url().replace("/postgres", "/shop");
    for url in [&url, &owner] {
        let seen = desk.run(&["ask", "--logs", url, "--lang", "en", "--no-input", "errors today"]);
        assert!(
            seen.code == Some(2) && seen.err.contains("--tables") && seen.err.contains("of its own"),
            "{seen:?}"
        );
    }
    assert_eq!(sql(&server, "shop", "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'duru%'"), "0");
    let seen = desk.run(&["logs", "init", &owner]);
    assert!(seen.code != Some(0) && sql(&server, "shop", "SELECT count(*) FROM logs") == "0", "{seen:?}");
}

#[test]
fn a_database_is_named_described_checked_and_forgotten() {
    let Some(server) = server() else { return };
    let url = shop(&server);
    let desk = Desk::new();
    let with_password = url.replace("reader@", "reader:c4nary@");
    let seen = desk.run(&["tables", "add", &with_password, "--lang", "en", "--json"]);
    let added = seen.json();
    assert_eq!((seen.code, &added["name"]), (Some(0), &"shop".into()), "{seen:?}");
    assert_eq!(added["tables"][0]["rows"], 120, "{added}");
    let file = desk.path("duru/tables/shop.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("c4nary") && !seen.out.contains("c4nary"), "{text}");
    let examples = added["examples"].as_array().unwrap();
    assert!(!examples.is_empty(), "{added}");
    for example in examples {
        let seen = ask(&desk, "shop", example.as_str().unwrap());
        assert_eq!(seen.code, Some(0), "{example}: {seen:?}");
    }
    assert_eq!(desk.run(&["tables", "add", &url]).code, Some(2), "the name is taken");
    assert!(desk.run(&["tables", "list"]).out.contains("postgres://reader@127.0.0.1"));
    let shown = desk.run(&["tables", "show", "shop", "--lang", "en"]);
    assert!(
        shown.out.contains("orders(customer_id) = customers(id)") && !shown.out.contains("password"),
        "{shown:?}"
    );

    assert_eq!(desk.run(&["tables", "check"]).code, Some(0));
    let words = "\n[table.orders]\nnouns = [\"purchases\"]\ntime = \"at\"\n\n[table.order]\n";
    std::fs::write(&file, format!("{text}{words}")).unwrap();
    let seen = desk.run(&["tables", "check", "shop", "--lang", "en"]);
    let line = |found: &str| {
        let at = format!("{text}{words}").lines().position(|line| line.contains(found)).unwrap() + 1;
        format!("shop.toml:{at}: ")
    };
    assert_eq!(seen.code, Some(3), "{seen:?}");
    assert!(
        seen.out.contains(&format!("{}orders has no column at (time)", line("time = \"at\""))),
        "{seen:?}"
    );
    assert!(seen.out.contains(&format!("{}there is no table order", line("[table.order]"))), "{seen:?}");
    std::fs::write(&file, format!("{text}\n[table.orders]\nnoun = []\n")).unwrap();
    let seen = desk.run(&["tables", "check", "shop", "--lang", "en"]);
    assert!(seen.code == Some(3) && seen.err.contains("line "), "{seen:?}");

    assert_eq!(desk.run(&["tables", "forget", "shop"]).code, Some(0));
    let gone = ask(&desk, "shop", "How many orders are there?");
    assert_eq!(gone.json()["error"]["code"], "tables-unknown", "{gone:?}");
}

#[test]
fn files_are_tables() {
    let desk = Desk::new();
    let folder = desk.path("sales");
    std::fs::create_dir(&folder).unwrap();
    let orders = "id,customer_id,amount,channel\n1,1,10.5,web\n2,2,20,web\n3,1,,phone\n";
    std::fs::write(folder.join("orders.csv"), orders).unwrap();
    std::fs::write(folder.join("customers.json"), r#"[{"id": 1, "name": "Kim"}, {"id": 2, "name": "Lee"}]"#)
        .unwrap();
    std::fs::write(folder.join("broken.json"), "{").unwrap();
    let seen = ask(&desk, "sales", "How many orders are there?");
    assert_eq!(seen.json()["results"][0]["count"], 3, "{seen:?}");
    let seen = ask(&desk, "sales/orders.csv", "number of orders by channel");
    assert_eq!(seen.json()["results"].as_array().unwrap().len(), 2, "{seen:?}");
    let seen = desk.run(&["tables", "add", "sales", "--name", "shop", "--json"]);
    assert!(seen.code == Some(0) && seen.err.contains("broken.json"), "{seen:?}");
    let seen = ask(&desk, "shop", "How many customers are there?");
    assert_eq!(seen.json()["results"][0]["count"], 2, "{seen:?}");
    let seen = ask(&desk, "no-such-file.csv", "How many?");
    assert_eq!(seen.json()["error"]["code"], "tables-unknown", "{seen:?}");
}

#[test]
fn a_workbook_is_asked_at_once_and_says_what_is_wrong_with_a_sheet() {
    let desk = Desk::new();
    let mut book = rust_xlsxwriter::Workbook::new();
    let sales = book.add_worksheet().set_name("매출").unwrap();
    for (row, (city, amount)) in (1..).zip([("서울", 10.0), ("부산", 20.0), ("서울", 30.0)]) {
        sales.write(row, 0, city).unwrap();
        sales.write(row, 1, amount).unwrap();
    }
    sales.write(0, 0, "도시").unwrap();
    sales.write(0, 1, "금액").unwrap();
    let report = book.add_worksheet().set_name("보고").unwrap();
    report.merge_range(0, 0, 0, 1, "2026년", &rust_xlsxwriter::Format::new()).unwrap();
    report.write(0, 2, "합계").unwrap();
    report.write(1, 0, "서울").unwrap();
    book.save(desk.path("sales.xlsx")).unwrap();
    let ask = |lang: &str, question: &str| {
        desk.run(&["ask", "--tables", "sales.xlsx", "--json", "--no-input", "--lang", lang, question])
    };
    let seen = ask("ko", "도시별 매출 건수");
    assert_eq!(seen.json()["results"].as_array().unwrap().len(), 2, "{seen:?}");
    assert!(seen.err.contains("보고 시트는 뺐습니다: 열 이름이 병합되어 있습니다 (A1:B1)"), "{seen:?}");
    let seen = ask("en", "average 금액 of 매출");
    assert!(seen.out.contains("20"), "{seen:?}");
    let mut broken = rust_xlsxwriter::Workbook::new();
    broken.add_worksheet().write(0, 0, 1.0).unwrap();
    broken.save(desk.path("sales.xlsx")).unwrap();
    let seen = ask("en", "how many?");
    assert_eq!(seen.json()["error"]["code"], "tables-empty", "{seen:?}");
    assert!(seen.err.contains("row 1 has values instead of names of columns"), "{seen:?}");
    // No word of databases and their rights: these are files.
    assert!(seen.out.contains("CSV") && !seen.out.contains("GRANT"), "{seen:?}");
    std::fs::write(desk.path("sales.xlsx"), "no workbook").unwrap();
    assert!(ask("en", "how many?").err.contains("this is no workbook, or a damaged one"));
    broken.save(desk.path("sales.xlsx")).unwrap();
    let seen = desk.run(&["tables", "add", "sales.xlsx", "--lang", "ko"]);
    assert!(seen.err.contains("파일에는 물을 수 있는 테이블이 없습니다"), "{seen:?}");
    assert!(seen.err.contains("1행"), "{seen:?}");
}

/// What a key was not granted is to it as what does not exist: not known, not asked, and refused in the same words.
#[test]
fn a_key_asks_about_the_tables_that_it_names_and_hears_of_no_others() {
    let desk = Desk::new();
    let folder = desk.path("sales");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("orders.csv"), "id,customer_id,amount\n1,1,10\n2,2,20\n3,1,30\n").unwrap();
    std::fs::write(folder.join("customers.csv"), "id,city,password\n1,Seoul,x\n2,Busan,y\n").unwrap();
    assert_eq!(desk.run(&["tables", "add", "sales", "--name", "shop"]).code, Some(0));
    let key = |name: &str, more: &[&str]| {
        let made = desk.run(&[&["keys", "add", name, "--json"], more].concat()).json();
        format!("x-api-key: {}\r\ncontent-type: application/json\r\n", made["key"].as_str().unwrap())
    };
    let (some, whole, none) = (
        key("some", &["--tables", "orders"]),
        key("whole", &["--tables", "shop"]),
        key("none", &["--tables", "elsewhere"]),
    );
    let everything = key("everything", &[]);
    let listed = desk.run(&["keys", "list", "--json"]).json();
    let tables: Vec<&Value> = listed["keys"].as_array().unwrap().iter().map(|key| &key["tables"]).collect();
    assert!(tables.contains(&&json!(["orders"])) && tables.contains(&&Value::Null), "{listed}");

    let server = Serving::with(&desk, &["--tables", "shop"]);
    let ask = |key: &str, body: Value| guarded::ask(&server, "POST /query", key, &body.to_string());
    let asks = |key: &str, question: &str| ask(key, json!({ "question": question }));
    let runs = |key: &str, sql: &str| ask(key, json!({ "sql": sql }));
    let count =
        |(status, answer): (u16, Option<Value>)| (status, answer.unwrap()["results"][0]["count"].clone());

    for key in [&some, &whole, &everything] {
        assert_eq!(count(asks(key, "How many orders are there?")), (200, json!(3)));
    }
    for key in [&whole, &everything] {
        assert_eq!(count(asks(key, "How many customers are there?")), (200, json!(2)));
    }
    let same_words = |key: &str, there: &str, not_there: &str| {
        let words = |name: &str| {
            let (status, answer) = runs(key, &format!("SELECT count(*) FROM {name}"));
            let answer = answer.unwrap();
            (status, answer["error"].to_string().replace(name, "…"), answer["code"].clone())
        };
        assert_eq!(words(there), words(not_there));
        assert_eq!(words(there).0, 422);
    };
    same_words(&some, "customers", "elephants");
    same_words(&none, "orders", "elephants");
    for (key, question) in [(&some, "How many customers are there?"), (&none, "How many orders are there?")] {
        let (status, answer) = asks(key, question);
        let answer = answer.unwrap();
        assert!(status != 200 || answer["results"].as_array().is_none_or(Vec::is_empty), "{answer}");
        assert!(!answer.to_string().contains("Seoul"), "{answer}");
    }
    // Joined in, or hidden in a part of a query, it is not there either.
    for sql in [
        "SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id",
        "SELECT count(*) FROM orders WHERE customer_id IN (SELECT id FROM customers)",
        "SELECT count(*) FROM shop.customers",
    ] {
        assert_eq!(runs(&some, sql).0, 422, "{sql}");
    }
    // And a secret is nobody's.
    for key in [&some, &whole, &everything] {
        assert_eq!(runs(key, "SELECT password FROM customers").0, 422);
    }
}

#[test]
fn passwords_come_from_the_environment_or_a_file_and_are_never_shown() {
    let desk = Desk::new();
    let url = "postgres://kim@127.0.0.1:1/shop";
    let args = ["ask", "--tables", url, "--no-input", "--json", "how many orders"];
    for lang in ["ko", "en"] {
        let seen = desk.with_env(&[&args[..], &["--lang", lang]].concat(), &[("PGPASSWORD", "c4nary")]);
        assert_eq!(seen.json()["error"]["code"], "tables-unavailable", "{seen:?}");
        assert!(
            seen.code == Some(5) && !seen.err.contains("c4nary") && !seen.out.contains("c4nary"),
            "{seen:?}"
        );
    }
    let seen = desk.run(&[&args[..], &["--tables-password-file", "no-such-file"]].concat());
    assert_eq!((seen.code, &seen.json()["error"]["code"]), (Some(3), &"tables-password".into()), "{seen:?}");
}

#[test]
fn questions_on_tables_are_measured() {
    let Some(server) = server() else { return };
    shop(&server);
    let desk = Desk::new();
    let items = [
        r#"{"id": "1", "db": "shop", "question": "How many orders are there?", "expect": "sql", "gold": ["SELECT count(*) FROM orders"]}"#,
        r#"{"id": "2", "db": "shop", "question": "How many orders are there?", "expect": "sql", "gold": ["SELECT 1"]}"#,
        r#"{"id": "3", "db": "shop", "question": "What is dark matter?", "expect": "refuse", "gold": []}"#,
    ];
    std::fs::write(desk.path("items.jsonl"), items.join("\n")).unwrap();
    let base = server.url().replace("kim@", "reader@").replace("/postgres", "");
    let args = ["eval", "tables", "--items", "items.jsonl", "--base", &base, "--out", "said.jsonl", "--json"];
    let seen = desk.run(&args);
    let counts = &seen.json()["sets"]["answerable"];
    assert_eq!((&counts["right"], &counts["wrong"]), (&1.into(), &1.into()), "{seen:?}");
    assert_eq!(seen.json()["sets"]["unanswerable"]["right"], 1, "{seen:?}");
    let said = std::fs::read_to_string(desk.path("said.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["id"], &first["refused"], &first["asked"]),
        (&"1".into(), &false.into(), &false.into())
    );

    std::fs::write(desk.path("items.jsonl"), r#"{"id": "4", "db": "no_such", "question": "How many?"}"#)
        .unwrap();
    assert_eq!(desk.run(&args).code, Some(1), "an item that can't be asked is a failure");
}

/// What a model calls orders, and one of their columns; of other tables it says nothing. Half of it can't be used.
fn names(asked: &str) -> Says {
    let none = r#"{"table": {"en": [], "ko": []}, "columns": []}"#;
    let orders = r#"{"table": {"en": ["purchase", "customers"], "ko": ["구매"]}, "columns": [
        {"column": "amount", "en": ["turnover", "channel"], "ko": ["매출액"]}, {"column": "gone", "en": ["x ray"], "ko": []}]}"#;
    Says::text(if asked.contains("CREATE TABLE orders") { orders } else { none })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_names_columns_once_and_later_questions_are_read_without_one() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|asked| names(&asked.last_text()));
    let desk = Desk::new();
    std::fs::create_dir(desk.path("sales")).unwrap();
    std::fs::write(desk.path("sales/orders.csv"), "id,amount,channel\n1,10,web\n2,20,web\n3,30,phone\n")
        .unwrap();
    std::fs::write(desk.path("sales/customers.csv"), "id,city\n1,Seoul\n2,Busan\n").unwrap();
    assert_eq!(desk.run(&["tables", "add", "sales", "--name", "shop"]).code, Some(0));
    let file = desk.path("duru/tables/shop.toml");
    let own = std::fs::read_to_string(&file).unwrap() + "\n[table.orders]\nnouns = [\"deals\"] # as we say\n";
    std::fs::write(&file, &own).unwrap();
    let describe = |more: &[&str], policy: &str| {
        let mut command = desk.command(&[&["tables", "describe", "shop", "--json"], more].concat());
        for name in ["OPENAI_BASE_URL", "OPENAI_API_KEY"] {
            command.env(name, fake.variable(name).unwrap());
        }
        Seen::of(command.env("DURU_POLICY_ANALYST_NAME_COLUMNS", policy).output().unwrap())
    };

    let model = ["--model", "openai:m"];
    for (lang, words) in [("en", "DURU_MODEL"), ("ko", "모델이 없습니다")] {
        let seen = desk.run(&["tables", "describe", "shop", "--lang", lang]);
        assert_eq!(seen.code, Some(3), "{seen:?}");
        assert!(seen.err.contains("[tables-model]") && seen.err.contains(words), "{seen:?}");
    }
    assert_eq!(describe(&model, "rule").code, Some(3), "it is set that no model does");
    assert!(fake.seen().is_empty());
    assert_ne!(ask(&desk, "shop", "How many purchases are there?").json()["results"][0]["count"], 3);

    let seen = describe(&model, "");
    let tables = &seen.json()["tables"];
    assert_eq!((seen.code, fake.seen().len()), (Some(0), 2), "once for each table: {seen:?}");
    assert_eq!(tables[1]["suggested"], json!(["purchase", "구매"]), "{tables}");
    assert_eq!(tables[1]["columns"], json!({ "amount": ["turnover", "매출액"] }), "{tables}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(own.lines().all(|line| text.contains(line)), "{text}");
    assert!(text.contains("suggested = [\"purchase\", \"구매\"]"), "{text}");
    assert_eq!(desk.run(&["tables", "check", "shop"]).code, Some(0));
    for question in ["How many purchases are there?", "구매는 몇 건이야?", "How many deals are there?"]
    {
        let seen = ask(&desk, "shop", question);
        assert_eq!(seen.json()["results"][0]["count"], 3, "{question}: {seen:?}");
    }
    assert_eq!(fake.seen().len(), 2, "no model was asked again");

    fake.otherwise(|_| Says::text("I would rather not."));
    let seen = describe(&model, "");
    assert_eq!((seen.code, &seen.json()["error"]["code"]), (Some(5), &"tables-model".into()), "{seen:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "nothing was changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_measured_with_what_a_model_named() {
    let Some(server) = server() else { return };
    shop(&server);
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|asked| names(&asked.last_text()));
    let desk = Desk::new();
    let item = r#"{"id": "1", "db": "shop", "question": "How many purchases are there?", "gold": ["SELECT count(*) FROM orders"]}"#;
    std::fs::write(desk.path("items.jsonl"), item).unwrap();
    let base = server.url().replace("kim@", "reader@").replace("/postgres", "");
    let args = ["eval", "tables", "--items", "items.jsonl", "--base", &base, "--out", "said.jsonl", "--json"];
    let run = |more: &[&str]| {
        let mut command = desk.command(&[&args, more].concat());
        for name in ["OPENAI_BASE_URL", "OPENAI_API_KEY"] {
            command.env(name, fake.variable(name).unwrap());
        }
        Seen::of(command.output().unwrap())
    };
    let right = |seen: &Seen| seen.json()["sets"]["answerable"]["right"].clone();
    assert_ne!(right(&desk.run(&args)), 1);
    let with = ["--model", "openai:m", "--describe", "--replies", "tape.jsonl"];
    let seen = run(&with);
    assert_eq!((right(&seen), fake.seen().len()), (1.into(), 2), "{seen:?}");
    let described = json!({ "databases": 1, "tables": 2, "words": 4, "failed": 0 });
    assert_eq!((&seen.json()["described"], &seen.json()["calls"]), (&described, &0.into()), "{seen:?}");
    assert_eq!(right(&run(&with)), 1);
    assert_eq!(fake.seen().len(), 2, "replies are kept");
    assert_eq!(run(&["--describe"]).code, Some(2), "without a model");
}
