//! Scripts of failures, retries, handlers, crashes and questions.

use super::{check, check_every_crash};

#[test]
fn a_retry_runs_again_what_failed_and_nothing_else() {
    let script = "graph  a -> b c ; b c -> d
                  retry  b 3
                  run    b fails twice
                  expect a1 b1! c1 b2! b3 d1 done
                  state  a b c d";
    check(script);
}

#[test]
fn a_retry_gives_up_in_the_end() {
    check(
        "graph  a -> b
         retry  b 2
         run    b fails always
         expect a1 b1! b2! Node(b)
         says   b broke
         state  a",
    );
}

#[test]
fn what_finished_before_a_crash_does_not_run_again() {
    check(
        "graph  a -> b c ; b c -> d
         retry  b 2
         run    b fails once
         crash  after commit of c
         expect a1 b1! c1 # b2 d1 done
         state  a b c d",
    );
}

#[test]
fn tries_before_a_crash_count() {
    check(
        "graph  a -> b c
         retry  b 3
         run    b fails always
         order  b c
         crash  after commit of c
         expect a1 b1! c1 # b2! b3! Node(b)
         says   b broke
         state  a",
    );
}

#[test]
fn tries_before_a_failure_that_somebody_resumes_do_not_count() {
    check(
        "graph  a -> b
         retry  b 2
         run    b fails always
         then   continue
         expect a1 b1! b2! Node(b) b3! b4! Node(b)",
    );
}

#[test]
fn what_was_not_committed_before_a_crash_runs_again() {
    check(
        "graph  a -> b c ; b c -> d
         order  c b
         crash  before commit of c
         expect a1 b1 c1 # b2 c2 d1 done
         state  a b c d",
    );
}

#[test]
fn a_failure_lets_its_siblings_finish_and_keeps_them() {
    check(
        "graph  a -> b c ; b c -> d
         run    b fails once
         then   continue
         expect a1 b1! c1 Node(b) b2 d1 done
         says   graph script, node b, step 2, thread script: b broke
         state  a b c d",
    );
}

#[test]
fn a_failure_starts_nothing_more() {
    check(
        "graph  a -> b c
         max    1
         run    b fails once
         then   continue
         expect a1 b1! Node(b) b2 c1 done
         state  a b c",
    );
}

#[test]
fn a_failure_ends_the_waits_of_its_siblings() {
    check(
        "graph  a -> b c
         retry  c 2
         run    b fails once ; c fails once
         order  c b
         then   continue
         expect a1 b1! c1! Node(b) b2 c2 done
         state  a b c",
    );
}

#[test]
fn new_input_may_give_a_failed_step_up() {
    check(
        "graph  a -> b c ; b c -> d
         run    b fails once
         then   discard
         expect a1 b1! c1 Node(b) a2 b2 c2 d1 done
         state  a input a b c d",
    );
}

#[test]
fn an_error_handler_takes_over_and_edges_are_not_followed() {
    let script = "graph   a -> b ; b -> c
                  handler b
                  retry   b 2
                  run     b fails always
                  expect  a1 b1! b2! b*1 done
                  state   a b*";
    check(script);
    check_every_crash(
        "graph   a -> b ; b -> c
         handler b
         run     b fails always
         expect  a1 b1! b*1 done
         state   a b*",
    );
}

#[test]
fn a_handler_may_go_where_its_node_may() {
    check(
        "graph   a -> b ; b -> c ; b ?> d
         goes    b d
         handler b
         run     b fails always ; b* commands c
         expect  a1 b1! b*1 c1 done",
    );
}

#[test]
fn a_crash_in_a_handler_resumes_at_the_handler() {
    check(
        "graph   a -> b c
         handler b
         run     b fails always
         crash   at start of b*
         expect  a1 b1! c1 b*1 # b*2 c2 done
         state   a b* c",
    );
}

#[test]
fn a_handler_that_fails_fails_the_run_and_is_where_it_resumes() {
    check(
        "graph   a -> b
         handler b
         run     b fails always ; b* fails once
         then    continue
         expect  a1 b1! b*1! Node(b) b*2 done
         state   a b*",
    );
}

#[test]
fn a_handler_that_asks_is_answered_itself() {
    check(
        "graph   a -> b
         handler b
         run     b fails always ; b* asks x
         then    answer x
         expect  a1 b1! b*1? asks(x) b*2 done
         state   a b*",
    );
}

#[test]
fn a_handler_that_asks_is_not_told_what_its_node_was() {
    // The crash comes while the handler runs: the next process must not confuse them either.
    for crash in ["", "crash at start of b*"] {
        let again = if crash.is_empty() { "b*1?" } else { "b*1 # b*2?" };
        let last = if crash.is_empty() { "b*2" } else { "b*3" };
        check(&format!(
            "graph   a -> b
             handler b
             run     b asks x ; b fails always ; b* asks x
             {crash}
             then    answer x
             then    answer x
             expect  a1 b1? asks(x) b2! {again} asks(x) {last} done
             state   a b*"
        ));
    }
}

#[test]
fn several_questions_are_answered_one_by_one() {
    check(
        "graph  a -> b c ; b c -> d
         run    b asks x y ; c asks z
         then   answer z
         then   answer x
         then   answer y
         expect a1 b1? c1? asks(x,z) c2 asks(x) b2? asks(y) b3 d1 done
         state  a b c d",
    );
}

#[test]
fn several_questions_are_answered_together() {
    check(
        "graph  a -> b c ; b c -> d
         run    b asks x ; c asks z
         then   answer z,x
         expect a1 b1? c1? asks(x,z) b2 c2 d1 done
         state  a b c d",
    );
}

#[test]
fn a_question_lets_siblings_finish_and_keeps_them() {
    check(
        "graph  a -> b c ; b c -> d
         run    b asks x
         then   answer x
         expect a1 b1? c1 asks(x) b2 d1 done
         state  a b c d",
    );
}

#[test]
fn a_failure_beside_a_question_leaves_the_question_open() {
    check(
        "graph  a -> b c ; b c -> d
         run    b asks x ; c fails once
         then   continue
         then   answer x
         expect a1 b1? c1! Node(c) c2 asks(x) b2 d1 done
         state  a b c d",
    );
}
