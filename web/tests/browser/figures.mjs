// Figures, not a test: how quick the page is. `DURU_BIN=… node tests/browser/figures.mjs`
// Frames can't be shorter than the screen's (16.7 ms); what the page itself works in each is what counts.
import { Visitor, launch } from './harness.mjs';
import { Mill } from './mill.mjs';
import { LINE, talk } from './long.mjs';
import { Server, endAll } from './server.mjs';

const at = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
const ms = (time) => `${time.toFixed(1)} ms`;

/** What the page's main thread did meanwhile, in milliseconds of its own time: what others do on the machine is not in it. */
async function worked(page, act) {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => Object.fromEntries((await client.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value * 1000]));
  const before = await read();
  const result = await act();
  const after = await read();
  await client.detach();
  const spent = (name) => after[name] - before[name];
  return { result, task: spent('TaskDuration'), script: spent('ScriptDuration'), layout: spent('LayoutDuration') + spent('RecalcStyleDuration') };
}

/** The longest tasks of the page's main thread meanwhile, by its own time, in milliseconds. */
async function longest(browser, page, act) {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const mains = new Set(traceEvents.filter((one) => one.name === 'thread_name' && one.args.name === 'CrRendererMain').map((one) => `${one.pid} ${one.tid}`));
  const tasks = traceEvents.filter((one) => one.tdur && one.name.endsWith('RunTask') && mains.has(`${one.pid} ${one.tid}`));
  return tasks.map((one) => one.tdur / 1000).sort((a, b) => b - a).slice(0, 5);
}

async function start(browser, server) {
  const v = await Visitor.come(browser, `${server.url}/favicon.svg`, 'en');
  const tasks = await longest(browser, v.page, async () => {
    await v.page.goto(server.url);
    await v.composer.waitFor();
    await v.page.waitForTimeout(1000);
  });
  const [shown, painted] = await v.page.evaluate(() => [performance.getEntriesByType('navigation')[0].loadEventEnd, performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0]);
  console.log(`start: first paint after ${ms(painted)}, loaded after ${ms(shown)}; longest tasks ${tasks.map(ms).join(', ')}`);
  await v.context.close();
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

async function stream(browser, server, paragraph) {
  const mill = await Mill.start({ page: server.url, tokens: 2000, rate: 200, paragraph });
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
  const from = Date.now();
  let until = from;
  let busy = 0;
  const tasks = await longest(browser, v.page, async () => {
    busy = (
      await worked(v.page, async () => {
        for (let n = 0; n < 12; n += 1) {
          const from = Date.now();
          await v.composer.press('a');
          keys.push(Date.now() - from);
          await v.page.waitForTimeout(400);
        }
        until = Date.now();
      })
    ).task;
    await v.settled();
  });
  const long = await v.page.evaluate(() => globalThis.long);
  console.log(`200 tokens a second, 10 s, ${paragraph ? `paragraphs of ${paragraph} words` : 'all in one paragraph'}: long tasks ${long.length === 0 ? 'none' : long.map((one) => one.toFixed(0)).join(', ') + ' ms'}; a key took ${at(keys, 0.5)} ms (median), ${Math.max(...keys)} ms at most; the main thread was busy ${((busy / (until - from)) * 100).toFixed(0)} %; longest tasks by its own time ${tasks.map(ms).join(', ')}`);
  await v.context.close();
  mill.close();
}

/** From the address to the newest answer, and what was asked for on the way. */
async function long(browser, turns) {
  const server = await Server.start({ lines: [LINE], pace: 1 });
  const thread = await talk(server, turns, 'long');
  const v = await Visitor.come(browser, `${server.url}/favicon.svg`, 'en');
  const times = [];
  let requests = 0;
  v.page.on('request', (request) => (requests += ['fetch', 'xhr'].includes(request.resourceType()) ? 1 : 0));
  for (let n = 0; n < 5; n += 1) {
    await v.page.goto('about:blank');
    requests = 0;
    const from = Date.now();
    await v.page.goto(`${server.url}/c/${thread}`);
    await v.turns.last().getByText(`long ${turns - 1}`).first().waitFor();
    await v.settled();
    times.push(Date.now() - from);
  }
  const from = Date.now();
  const page = await fetch(`${server.url}/threads/${thread}/turns`).then((answer) => answer.text());
  console.log(`a conversation of ${turns} turns: open after ${at(times, 0.5)} ms (median), ${Math.max(...times)} ms at most, ${requests} requests; a page of turns took ${Date.now() - from} ms and has ${(page.length / 1024).toFixed(0)} KiB`);
  await v.context.close();
  await server.end();
}

/** From the click until the server has ended the run; its node would take twenty seconds more. */
async function stopping(browser) {
  const server = await Server.start({ lines: [LINE], pace: 20_000 });
  const v = await Visitor.come(browser, server.url, 'en');
  const times = [];
  for (let n = 0; n < 5; n += 1) {
    await v.page.goto(server.url);
    await v.choose('article');
    await v.ask('an article to stop');
    await v.page.waitForFunction(() => location.pathname.startsWith('/c/'));
    const path = `/threads/${v.page.url().split('/').at(-1)}/runs`;
    const from = Date.now();
    await v.button('', 'Stop').click();
    while ((await server.ask('GET', path))[0].status !== 'interrupted') await new Promise((resolve) => setTimeout(resolve, 5));
    times.push(Date.now() - from);
  }
  console.log(`stop: the server has ended the run ${at(times, 0.5)} ms after the click (median), ${Math.max(...times)} ms at most`);
  await v.context.close();
  await server.end();
}

const browser = await launch();
const server = await Server.start();
await long(browser, 1000);
await stopping(browser);
await start(browser, server);
await table(browser, server);
await stream(browser, server, 50);
await stream(browser, server, 0);
await browser.close();
await endAll();
