// Figures, not a test: how quick the page is. `DURU_BIN=… node tests/browser/figures.mjs`
// Frames can't be shorter than the screen's (16.7 ms); what the page itself works in each is what counts.
import { Visitor, launch } from './harness.mjs';
import { Mill } from './mill.mjs';
import { Server, endAll } from './server.mjs';

const at = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
const ms = (time) => `${time.toFixed(1)} ms`;

/** What the page's main thread did meanwhile, in milliseconds. */
async function worked(page, act) {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const read = async () => Object.fromEntries((await client.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value * 1000]));
  const before = await read();
  const result = await act();
  const after = await read();
  await client.detach();
  const spent = (name) => after[name] - before[name];
  return { result, task: spent('TaskDuration'), script: spent('ScriptDuration'), layout: spent('LayoutDuration') + spent('RecalcStyleDuration') };
}

async function table(browser, server) {
  const v = await Visitor.come(browser, server.url, 'en');
  await v.ask('number of logs by level in the last 7 days');
  await v.settled();
  await v.tab('SQL', 'SQL', v.turns.last()).click();
  await v.button('SQL 고치기', 'Edit SQL', v.turns.last()).click();
  await v.turns.last().getByRole('textbox').fill('select created_at, level, service, message from logs order by created_at');
  await v.button('', 'Check and run', v.turns.last()).click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  await v.button('', 'Show up to 10,000', v.turns.last()).click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 3);
  await v.settled();
  const box = v.turns.last().locator('.box');
  await box.waitFor();
  const frames = 120;
  for (const [name, step] of [['a flick (400 px a frame)', 400], ['from end to end (2,800 px a frame)', 2800]]) {
    const { result, task, script, layout } = await worked(v.page, () =>
      box.evaluate(
        async (box, [frames, step]) => {
          const times = [];
          box.scrollTop = 0;
          await new Promise((resolve) => requestAnimationFrame(resolve));
          let before = performance.now();
          for (let n = 0; n < frames; n += 1) {
            box.scrollTop += step;
            await new Promise((resolve) => requestAnimationFrame(resolve));
            const now = performance.now();
            times.push(now - before);
            before = now;
          }
          return times;
        },
        [frames, step],
      ),
    );
    console.log(`10,000 rows, ${name}: frames ${ms(at(result, 0.5))} (median), ${ms(at(result, 0.95))} (95 %); the page worked ${ms(task / frames)} in each (script ${ms(script / frames)}, style and layout ${ms(layout / frames)})`);
  }
  await v.context.close();
}

async function stream(browser, server) {
  const mill = await Mill.start({ page: server.url, tokens: 2000, rate: 200 });
  const v = await Visitor.come(browser, mill.url, 'en');
  await v.composer.waitFor();
  await v.page.evaluate(() => {
    globalThis.long = [];
    new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map((one) => one.duration))).observe({ entryTypes: ['longtask'] });
    globalThis.painted = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('article .markdown')?.textContent?.trim()) return;
        observer.disconnect();
        // The frame after the one that has it is painted.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(Date.now())));
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
  });
  await v.ask('go');
  const painted = await v.page.evaluate(() => globalThis.painted);
  console.log(`first token: painted ${painted - mill.firstSent} ms after the server sent it`);
  const keys = [];
  const { task } = await worked(v.page, async () => {
    for (let n = 0; n < 12; n += 1) {
      const from = Date.now();
      await v.composer.press('a');
      keys.push(Date.now() - from);
      await v.page.waitForTimeout(400);
    }
  });
  await v.settled();
  const long = await v.page.evaluate(() => globalThis.long);
  console.log(`200 tokens a second, 10 s: long tasks ${long.length === 0 ? 'none' : long.map((one) => one.toFixed(0)).join(', ') + ' ms'}; a key took ${at(keys, 0.5)} ms (median), ${Math.max(...keys)} ms at most; the main thread was busy ${((task / (12 * 400)) * 100).toFixed(0)} %`);
  await v.context.close();
  mill.close();
}

const browser = await launch();
const server = await Server.start();
await table(browser, server);
await stream(browser, server);
await browser.close();
await endAll();
