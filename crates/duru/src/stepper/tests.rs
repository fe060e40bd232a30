//! What the stepper does, as scripts. See [`super::scripts`] for how to read them.

use super::scripts::{check, check_every_crash, check_every_order};

#[test]
fn a_chain() {
    check_every_crash(
        "graph  a -> b ; b -> c
         expect a1 b1 c1 done
         state  a b c",
    );
}

#[test]
fn a_loop() {
    check_every_crash(
        "graph  a ?> a END
         goes   a a a END
         expect a1 a2 a3 done
         state  a a a",
    );
}

#[test]
fn a_diamond_runs_its_tip_once() {
    let script = "graph  a -> b c ; b c -> d
                  expect a1 b1 c1 d1 done
                  state  a b c d";
    check_every_order(script);
    check_every_crash(script);
}

#[test]
fn an_edge_runs_its_target_in_the_next_step_every_time() {
    check(
        "graph  a -> b c ; b -> e ; c e -> d
         expect a1 b1 c1 d1 e1 d2 done
         state  a b c d e d",
    );
}

#[test]
fn a_join_waits_for_branches_of_different_depth() {
    let script = "graph  a -> b c ; b -> e ; c + e -> d
                  expect a1 b1 c1 e1 d1 done
                  state  a b c e d";
    check_every_order(script);
    check_every_crash(script);
}

#[test]
fn a_join_starts_over_after_it_was_passed() {
    check_every_crash(
        "graph  a -> b c ; b + c -> d ; d ?> a END
         goes   d a END
         expect a1 b1 c1 d1 a2 b2 c2 d2 done",
    );
}

#[test]
fn a_join_of_which_one_source_never_runs_is_never_passed() {
    check(
        "graph  a ?> b c ; b + c -> d
         goes   a b
         expect a1 b1 done",
    );
}

#[test]
fn a_deferred_node_runs_when_nothing_else_is_left() {
    check_every_crash(
        "graph  a -> b d ; b -> c
         defer  d
         expect a1 b1 c1 d1 done
         state  a b c d",
    );
}

#[test]
fn deferred_nodes_wait_for_sends_and_run_together() {
    check_every_crash(
        "graph   a -> d e b ; b ?> w
         workers w
         goes    b w*2
         defer   d e
         expect  a1 b1 w1 w2 d1 e1 done
         state   a b w1 w2 d e",
    );
}

#[test]
fn sends_fold_in_the_order_in_which_they_were_sent() {
    check_every_order(
        "graph   a ?> w
         workers w
         goes    a w*4
         expect  a1 w1 w2 w3 w4 done
         state   a w1 w2 w3 w4",
    );
}

#[test]
fn nodes_fold_by_name_then_sends_in_order() {
    let script = "graph   a ?> w z b
                  workers w
                  goes    a w*2,z,b
                  expect  a1 b1 z1 w1 w2 done
                  state   a b z w1 w2";
    check_every_order(script);
    check_every_crash(script);
}

#[test]
fn a_node_reached_twice_runs_once() {
    check(
        "graph  a ?> b ; a -> b
         goes   a b
         expect a1 b1 done",
    );
}

#[test]
fn a_command_goes_in_addition_to_edges() {
    check(
        "graph  a -> b ; c -> END
         run    a commands c
         expect a1 b1 c1 done
         state  a b c",
    );
}

#[test]
fn the_recursion_limit_keeps_what_was_done() {
    check(
        "graph  a ?> a END
         goes   a a a a a END
         steps  3
         then   continue
         expect a1 a2 a3 RecursionLimit() a4 a5 done
         state  a a a a a",
    );
}

#[test]
fn a_run_may_take_as_many_steps_as_its_limit() {
    check(
        "graph  a -> b ; b -> c
         steps  3
         expect a1 b1 c1 done",
    );
}

#[test]
fn max_concurrency_starts_the_next_when_one_ends() {
    check_every_order(
        "graph   a ?> w
         workers w
         goes    a w*5
         max     2
         expect  a1 w1 w2 w3 w4 w5 done
         state   a w1 w2 w3 w4 w5",
    );
}

#[test]
fn a_nodes_limit_holds_back_that_node_only() {
    check(
        "graph   a ?> w b c
         workers w
         goes    a w*3,b,c
         limit   w 1
         order   b c w
         expect  a1 b1 c1 w1 w2 w3 done
         state   a b c w1 w2 w3",
    );
}

#[test]
fn a_breakpoint_before_a_node() {
    check(
        "graph  a -> b ; b -> c
         before b
         then   continue
         expect a1 before(b) b1 c1 done",
    );
}

#[test]
fn a_breakpoint_after_a_node() {
    check(
        "graph  a -> b c ; b c -> d
         after  c
         then   continue
         expect a1 b1 c1 after(c) d1 done",
    );
}

#[test]
fn a_breakpoint_in_a_loop_pauses_every_time() {
    check(
        "graph  a ?> a END
         goes   a a END
         before a
         then   continue
         then   continue
         expect before(a) a1 before(a) a2 done",
    );
}

#[test]
fn a_route_to_an_undeclared_target_fails_its_task() {
    check(
        "graph  a ?> b ; b -> c
         goes   a c
         expect a1 Target(a)
         says   the route of node a went to c, which it does not declare",
    );
}

#[test]
fn two_writers_of_one_value_are_named_with_the_field() {
    check_every_order(
        "graph  a -> b c d
         run    d writes one ; b writes one
         expect a1 b1 c1 d1 Conflict()
         says   nodes b and d both wrote field \"one\"
         state  a",
    );
}

#[test]
fn a_cancelled_run_keeps_what_finished() {
    check(
        "graph  a -> b c ; b c -> d
         max    1
         cancel at start of c
         then   continue
         expect a1 b1 c1 cancelled c2 d1 done
         state  a b c d",
    );
}

#[test]
fn a_step_timeout_keeps_what_finished_and_names_the_rest() {
    check(
        "graph   a -> b c ; b c -> d
         order   b c
         max     1
         timeout at start of c
         then    continue
         expect  a1 b1 c1 StepTimeout() c2 d1 done
         says    the step took longer than 1s; not finished: c
         state   a b c d",
    );
}

#[test]
fn a_drained_run_ends_its_step() {
    check(
        "graph  a -> b c ; b c -> d
         drain  at start of b
         then   continue
         expect a1 b1 c1 drained d1 done
         state  a b c d",
    );
}

#[test]
fn a_drained_run_that_is_done_anyway_is_done() {
    check(
        "graph  a -> b
         drain  at start of b
         expect a1 b1 done",
    );
}

#[test]
fn a_command_to_the_parent_ends_a_subgraph() {
    check(
        "graph  a -> b c ; b c -> d
         nested yes
         run    c to parent
         expect a1 b1 c1 parent
         state  a",
    );
}

#[test]
fn a_command_to_a_parent_that_is_not_there_fails_its_task() {
    check(
        "graph  a -> b
         run    b to parent
         expect a1 b1 Target(b)
         says   there is none",
    );
}
