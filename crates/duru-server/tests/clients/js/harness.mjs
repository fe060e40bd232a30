// What every client's checks share: the registry, the report, and a page to mount a hook in.
import assert from "node:assert/strict";
import { inspect } from "node:util";

export { assert };
export const UNKNOWN = "00000000-0000-4000-8000-00000000ffff";
export const TOOL = { messages: [{ type: "human", content: "use tool" }] };
export const HELLO = { messages: [{ type: "human", content: "hi" }] };

export class Skip extends Error {}

export function eq(got, want, what = "") {
  try {
    assert.deepStrictEqual(got, want);
  } catch {
    const show = (v) => inspect(v, { depth: 6, breakLength: Infinity }).slice(0, 400);
    throw new Error(`${what ? `${what}: ` : ""}got ${show(got)}, want ${show(want)}`);
  }
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Wait for something; `seen` gives what is there instead if it does not come. */
export async function until(test, what, seen = () => undefined, ms = 15000) {
  const end = Date.now() + ms;
  for (;;) {
    const got = await test();
    if (got) return got;
    if (Date.now() > end) {
      const instead = seen();
      const but = instead === undefined ? "" : ` (${inspect(instead, { depth: 6, breakLength: Infinity }).slice(0, 400)})`;
      throw new Error(`not within ${ms / 1000} s: ${what}${but}`);
    }
    await sleep(20);
  }
}

export async function fails(promise, pattern, what = "the call") {
  try {
    await promise;
  } catch (e) {
    if (!pattern.test(`${e?.name} ${e?.message ?? e} ${e?.status ?? ""} ${inspect(e)}`)) throw new Error(`${what} failed with ${inspect(e).slice(0, 300)}, want ${pattern}`);
    return e;
  }
  throw new Error(`${what} did not fail`);
}

export async function all(iterable) {
  const out = [];
  for await (const x of iterable) if (x.event !== "end") out.push(x);
  return out;
}

/** Run `checks` ({name: fn}) one after the other, report each, and end with the right code. */
export async function main(checks, makeContext) {
  const args = process.argv.slice(2);
  const option = (name) => {
    const i = args.indexOf(name);
    return i < 0 ? undefined : args[i + 1];
  };
  const url = option("--url");
  const only = option("--only");
  if (!url) {
    console.error("usage: node run.mjs --url URL [--only NAME] [--reference] [--verbose]");
    process.exit(2);
  }
  const ctx = await makeContext({ url: url.replace(/\/$/, ""), reference: args.includes("--reference") });
  const count = { ok: 0, FAIL: 0, skip: 0 };
  for (const [name, fn] of Object.entries(checks)) {
    if (only && !name.startsWith(only)) continue;
    let word = "ok";
    let why = "";
    let timer;
    try {
      await Promise.race([
        fn(ctx),
        new Promise((_, no) => {
          timer = setTimeout(() => no(new Error("not done within 60 s")), 60000);
        }),
      ]);
    } catch (e) {
      word = e instanceof Skip ? "skip" : "FAIL";
      why = `: ${String(e?.message ?? e).replace(/\s+/g, " ").slice(0, 700)}`;
      if (args.includes("--verbose") && word === "FAIL") console.error(e);
    }
    clearTimeout(timer);
    count[word]++;
    console.log(`${word} ${name}${why}`);
  }
  console.error(`${count.ok} ok, ${count.FAIL} failed, ${count.skip} skipped`);
  process.exit(count.FAIL || !(count.ok + count.skip) ? 1 : 0);
}

/** A document, before React is loaded. Node's own fetch and streams stay. */
export async function page(JSDOM) {
  const dom = new JSDOM("<!doctype html><body></body>", { url: "http://localhost:3000/" });
  globalThis.window = dom.window;
  globalThis.document = dom.window.document;
  globalThis.navigator ??= dom.window.navigator; // Node has its own from 21 on
  globalThis.sessionStorage = dom.window.sessionStorage;
  for (const name of ["HTMLElement", "Node", "Event", "CustomEvent"]) globalThis[name] ??= dom.window[name];
  return dom;
}

/**
 * Mount a hook; `now` is what it returned last, `seen` all it returned. `now` waits for the hook's effects, as a person
 * does who can't be quicker than the page: one that is told to submit before them may take its own new thread for another
 * one's, and give up.
 */
export function mounter(React, createRoot) {
  return (hook) => {
    const box = { now: undefined, seen: [] };
    const Component = ({ args }) => {
      const value = hook(args);
      box.seen.push(value);
      React.useEffect(() => {
        box.now = value;
      });
      return null;
    };
    const root = createRoot(document.body.appendChild(document.createElement("div")));
    box.render = (args) => root.render(React.createElement(Component, { args }));
    box.unmount = () => root.unmount();
    box.render(undefined);
    return box;
  };
}
