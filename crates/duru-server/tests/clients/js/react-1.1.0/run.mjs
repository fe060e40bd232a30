// @langchain/react 1.1.0, which speaks protocol v2 only: node run.mjs --url URL [--only NAME] [--reference] [--verbose]
import { randomUUID } from "node:crypto";
import { JSDOM } from "jsdom";
import { HELLO, TOOL, assert, eq, main, mounter, page, sleep, until } from "../harness.mjs";

await page(JSDOM);
const React = await import("react");
const { createRoot } = await import("react-dom/client");
const { useStream } = await import("@langchain/react");
const { Client } = await import("@langchain/langgraph-sdk");

const type = (m) => m.type ?? m.getType();
const text = (m) => (typeof m.content === "string" ? m.content : m.content.map((b) => b.text ?? "").join(""));

/** Mount useStream, and note each request it makes. */
function open(c, assistantId, threadId, more = {}) {
  const calls = [];
  const noting = (input, init) => {
    const u = new URL(typeof input === "string" ? input : (input.url ?? input.href ?? input));
    calls.push(`${init?.method ?? input.method ?? "GET"} ${u.pathname.replace(/[0-9a-f-]{36}/g, "{}")}`);
    return fetch(input, init);
  };
  const box = c.mount(() => useStream({ apiUrl: c.url, assistantId, threadId: threadId ?? null, fetch: noting, ...more }));
  box.calls = calls;
  return until(() => box.now, "the hook is mounted").then(() => box);
}

/** The values a page shows at once are its own guess; this asks the server. */
const running = (c, thread) =>
  until(async () => {
    if (!thread()) return false;
    const runs = await c.client.runs.list(thread()).catch(() => []);
    return runs[0]?.status === "running" && (await c.client.threads.getState(thread())).values?.n;
  }, "the run goes");

const checks = {
  async values_of_a_plain_graph(c) {
    const box = await open(c, "three");
    void box.now.submit({ x: 1 });
    await until(() => box.now.values?.x === 4, "the values arrive");
    eq(box.now.values.log, ["a", "b", "c"]);
    await until(() => !box.now.isLoading, "it ends");
    box.unmount();
  },

  async second_turn(c) {
    const box = await open(c, "agent");
    void box.now.submit(HELLO);
    await until(() => !box.now.isLoading && box.now.messages.length === 2, "the first turn");
    void box.now.submit({ messages: [{ type: "human", content: "more" }] });
    await until(() => !box.now.isLoading && box.now.messages.length === 4, "the second turn");
    eq(box.now.messages.map(text), ["hi", "Hello from fake", "more", "Hello from fake"]);
    box.unmount();
  },

  // Not the first: it measures time, and a page that is still loading its code sees everything late.
  async agent_with_a_tool_call(c) {
    let thread;
    const box = await open(c, "agent", null, { onThreadId: (t) => (thread = t) });
    void box.now.submit(TOOL);
    await until(() => !box.now.isLoading && box.now.messages.length === 4, "it ends with four messages");
    assert(box.seen.some((s) => s.isLoading), "it was seen to load");
    eq(box.now.error, undefined);
    eq(box.now.messages.map(type), ["human", "ai", "tool", "ai"]);
    eq(box.now.messages.map(text), ["use tool", "", "sunny", "Hello from fake"]);
    eq(box.now.messages[1].tool_calls.map((t) => [t.name, t.args, t.id]), [["get_weather", { city: "SF" }, "call_1"]]);
    assert(box.seen.some((s) => s.messages.some((m) => ["Hel", "Hello "].includes(text(m)))), "tokens were seen before the whole");
    eq(new Set(box.now.messages.map((m) => m.id)).size, 4, "no message twice");
    assert(thread && box.now.threadId === thread, "the page made up the thread's id");
    eq((await c.client.threads.get(thread)).thread_id, thread);
    assert(!box.calls.some((x) => x.includes("/runs/stream")), `no call of the older protocol: ${box.calls}`);
    box.unmount();
  },

  async interrupt_and_respond(c) {
    let thread;
    const box = await open(c, "hitl", null, { onThreadId: (t) => (thread = t) });
    void box.now.submit({ q: "go" });
    await until(() => box.now.interrupt && !box.now.isLoading, "the interrupt is shown");
    eq(box.now.interrupts.length, 1);
    eq(box.now.interrupt.value, { question: "approve?", q: "go!" });
    await until(async () => (await c.client.threads.get(thread)).status === "interrupted", "the thread waits");
    await box.now.respond("yes");
    await until(() => box.now.values?.answer === "yes done" && !box.now.isLoading, "it finishes");
    await until(() => !box.now.interrupt, "the interrupt is gone");
    eq((await c.client.threads.getState(thread)).values, { q: "go!", answer: "yes done" });
    box.unmount();
  },

  async thread_id_of_the_page(c) {
    const thread = randomUUID(); // nothing on the server knows it yet
    const box = await open(c, "agent", thread);
    await until(() => !box.now.isThreadLoading, "the thread that is not there is looked up");
    void box.now.submit(HELLO);
    await until(() => !box.now.isLoading && box.now.messages.length === 2, "it ends");
    eq(box.now.threadId, thread);
    eq((await c.client.threads.getState(thread)).values.messages.length, 2);
    box.unmount();
  },

  async reload_of_a_finished_thread(c) {
    let thread;
    const box = await open(c, "agent", null, { onThreadId: (t) => (thread = t) });
    void box.now.submit(TOOL);
    await until(() => !box.now.isLoading && box.now.messages.length === 4, "it ends");
    const ids = box.now.messages.map((m) => m.id);
    box.unmount();
    const again = await open(c, "agent", thread);
    await until(() => again.now.messages.length === 4, "the messages come back");
    await sleep(500); // whatever is replayed late must not double them
    eq(again.now.messages.map((m) => m.id), ids);
    eq(again.now.isLoading, false);
    void again.now.submit(HELLO);
    await until(() => !again.now.isLoading && again.now.messages.length === 6, "and the thread goes on");
    again.unmount();
  },

  async reload_of_an_interrupted_thread(c) {
    let thread;
    const box = await open(c, "hitl", null, { onThreadId: (t) => (thread = t) });
    void box.now.submit({ q: "go" });
    await until(() => box.now.interrupt && !box.now.isLoading, "the interrupt is shown");
    box.unmount();
    await until(async () => (await c.client.threads.get(thread)).status === "interrupted", "the thread waits");
    const again = await open(c, "hitl", thread);
    await until(() => again.now.interrupt, "the interrupt is shown again");
    eq(again.now.interrupt.value, { question: "approve?", q: "go!" });
    await until(() => again.now.getThread()?.interrupts.length === 1, "the stream tells of it too, though it was opened late");
    await again.now.respond("later");
    await until(() => again.now.values?.answer === "later done", "it finishes");
    again.unmount();
  },

  async reload_in_the_middle_of_a_run(c) {
    let thread;
    const box = await open(c, "slow", null, { onThreadId: (t) => (thread = t) });
    void box.now.submit({ n: 15, tick: 0.2 });
    await running(c, () => thread);
    box.unmount();
    const again = await open(c, "slow", thread);
    await until(() => again.now.isLoading, "the page sees that a run goes on");
    await until(() => (again.now.values?.log ?? []).length === 2 && !again.now.isLoading, "and its end");
    eq((await c.client.runs.list(thread)).map((r) => r.status), ["success"]);
    again.unmount();
  },

  async two_pages_on_one_run(c) {
    // (A page on an idle thread opens no stream until it submits, so the second one comes while the run goes.)
    let thread;
    const one = await open(c, "slow", null, { onThreadId: (t) => (thread = t) });
    void one.now.submit({ n: 15, tick: 0.2 });
    await running(c, () => thread);
    const two = await open(c, "slow", thread);
    await until(() => two.now.isLoading, "the second sees that a run goes on");
    for (const box of [one, two]) await until(() => (box.now.values?.log ?? []).length === 2 && !box.now.isLoading, "each sees its end");
    one.unmount();
    two.unmount();
  },

  async error_is_shown(c) {
    const box = await open(c, "fail");
    void box.now.submit({ x: 1 }).catch(() => {});
    await until(() => box.now.error, "the error");
    assert(/kaboom/.test(String(box.now.error?.message ?? box.now.error)), box.now.error);
    await until(() => !box.now.isLoading, "it ends");
    box.unmount();
  },

  async stop_cancels_the_run(c) {
    let thread;
    const box = await open(c, "slow", null, { onThreadId: (t) => (thread = t) });
    void box.now.submit({ n: 100, tick: 0.1 }).catch(() => {});
    await running(c, () => thread);
    await box.now.stop();
    await until(() => !box.now.isLoading, "the page has stopped");
    await until(async () => (await c.client.runs.list(thread))[0].status === "interrupted", "so has the run");
    box.unmount();
  },
};

await main(checks, ({ url, reference }) => ({ url, reference, client: new Client({ apiUrl: url, apiKey: null }), mount: mounter(React, createRoot) }));
