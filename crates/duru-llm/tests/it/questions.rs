//! A question waits for models only so long, however many decisions it needs.

use std::time::Duration;

use duru_llm::decision::{By, Decider, Patience};
use duru_llm::fake::{Fake, Fault, Says};
use duru_llm::{Models, Policy};

use crate::decisions::{GOOD, Severity, line};

const SHORT: Patience =
    Patience { first_word: Duration::from_millis(400), total: Duration::from_millis(800) };

fn decider(fake: &Fake) -> Decider {
    let get =
        |name: &str| if name == "DURU_MODEL" { Some("openai:m".to_owned()) } else { fake.variable(name) };
    Decider::with_models(Models::read(get, ["watch/severity"], Policy::default())).waiting(SHORT)
}

#[tokio::test]
async fn a_model_that_hangs_costs_one_limit_once() {
    for fault in [Fault::Hang, Fault::Drip(Duration::from_millis(50))] {
        let fake = Fake::start().await.unwrap();
        fake.otherwise({
            let fault = fault.clone();
            move |_| fault.clone()
        });
        let decider = decider(&fake);
        let question = decider.for_question("one");
        let first = question.decide::<Severity>(&line()).await;
        assert_eq!((first.by, first.value.severity), (By::Rule, 9), "{fault:?}");
        assert!(first.why.as_ref().unwrap().contains("the time of the question was over"), "{:?}", first.why);
        for name in ["one", "one", "two"] {
            let next = decider.for_question(name).decide::<Severity>(&line()).await;
            assert_eq!(next.by, By::Rule, "{fault:?} {name}");
            let why = next.why.unwrap();
            assert!(why.contains("rests") || why.contains("time of the question"), "{fault:?} {name}: {why}");
        }
        assert_eq!(fake.seen().len(), 1, "{fault:?}: nobody else waits for it");
    }
}

#[tokio::test]
async fn each_question_has_its_own_time() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says::text(GOOD));
    let decider = decider(&fake).waiting(Patience { first_word: Duration::from_secs(60), ..SHORT });
    let over = decider.clone().waiting(Patience { first_word: Duration::ZERO, total: Duration::ZERO });
    let late = over.for_question("late").decide::<Severity>(&line()).await;
    assert_eq!((late.by, late.calls), (By::Rule, 0));
    assert_eq!(decider.for_question("late").decide::<Severity>(&line()).await.by, By::Rule, "it stays over");
    assert_eq!(decider.for_question("other").decide::<Severity>(&line()).await.by, By::Model);
}
