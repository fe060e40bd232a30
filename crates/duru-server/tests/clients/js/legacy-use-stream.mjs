// useStream of @langchain/langgraph-sdk/react, which speaks the older protocol.
import { HELLO, TOOL, assert, eq, until } from "./harness.mjs";

const text = (m) => (typeof m.content === "string" ? m.content : m.content.map((b) => b.text ?? "").join(""));

export const checks = {
  async use_stream_agent(c) {
    let thread;
    // The hook asks for the stream modes of what is read from it while rendering.
    const reading = (options) => () => {
      const s = c.useStream({ apiUrl: c.url, assistantId: "agent", ...options });
      return { submit: s.submit, messages: s.messages, isLoading: s.isLoading, error: s.error };
    };
    const box = c.mount(reading({ onThreadId: (t) => (thread = t) }));
    await until(() => box.now, "the hook is mounted");
    box.now.submit(TOOL);
    const ended = () => !box.now.isLoading && (box.now.error || box.now.messages.length === 4);
    await until(ended, "it ends with four messages", () => [thread, box.now.isLoading, box.now.messages.map((m) => [m.type, text(m)])]);
    eq(box.now.error, undefined);
    assert(box.seen.some((s) => s.isLoading), "it was seen to load");
    eq(box.now.messages.map((m) => m.type), ["human", "ai", "tool", "ai"]);
    eq(box.now.messages.map(text), ["use tool", "", "sunny", "Hello from fake"]);
    eq(box.now.messages[1].tool_calls?.[0]?.name, "get_weather");
    assert(box.seen.some((s) => s.messages.some((m) => text(m) === "Hel")), "a token was seen before the whole");
    eq(new Set(box.now.messages.map((m) => m.id)).size, 4);
    assert(thread);
    box.unmount();
    // The thread, loaded again.
    const again = c.mount(reading({ threadId: thread }));
    await until(() => again.now?.messages?.length === 4, "the thread is loaded from its history");
    again.now.submit(HELLO);
    await until(() => again.now.messages.length === 6 && !again.now.isLoading, "the thread goes on");
    eq(text(again.now.messages[5]), "Hello from fake");
    again.unmount();
  },

  async use_stream_interrupt(c) {
    const box = c.mount(() => c.useStream({ apiUrl: c.url, assistantId: "hitl", fetchStateHistory: true }));
    await until(() => box.now, "the hook is mounted");
    box.now.submit({ q: "go" });
    await until(() => box.now.interrupt && !box.now.isLoading, "the interrupt is shown");
    eq(box.now.interrupt.value, { question: "approve?", q: "go!" });
    box.now.submit(undefined, { command: { resume: "yes" } });
    await until(() => box.now.values?.answer === "yes done" && !box.now.isLoading, "the answer is taken");
    await until(() => box.now.interrupt === undefined, "the interrupt is gone");
    box.unmount();
  },

  async use_stream_error(c) {
    let seen;
    const box = c.mount(() => c.useStream({ apiUrl: c.url, assistantId: "fail", onError: (e) => (seen = e) }));
    await until(() => box.now, "the hook is mounted");
    box.now.submit({ x: 1 });
    await until(() => box.now.error, "the error is shown");
    assert(/kaboom/.test(String(box.now.error?.message ?? box.now.error)), box.now.error);
    assert(seen);
    box.unmount();
  },

  async use_stream_stop(c) {
    let thread;
    let ticks = 0;
    const seen = { onThreadId: (t) => (thread = t), onCustomEvent: () => ticks++ };
    const box = c.mount(() => c.useStream({ apiUrl: c.url, assistantId: "slow", ...seen }));
    await until(() => box.now, "the hook is mounted");
    box.now.submit({ n: 100, tick: 0.1 }, { streamMode: ["values", "custom"] });
    await until(() => thread && box.now.isLoading, "it loads");
    // A hook that is stopped while the answer to its request is on the way may go on loading for ever.
    await until(() => ticks, "the run is seen to go");
    await box.now.stop();
    await until(() => !box.now.isLoading, "it has stopped");
    await until(async () => (await c.client.runs.list(thread))[0].status === "interrupted", "so has the run");
    box.unmount();
  },
};
