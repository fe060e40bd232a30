import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';
import { Mill, sentence } from './mill.mjs';

/** Markdown puts lines together; the words and their order are what counts. */
const words = (text) => text.split(/\s+/).filter(Boolean);

async function said(v) {
  return words(await v.turns.last().locator('.markdown').innerText());
}

walk('no word is lost or doubled by twenty cuts and a reload', async ({ browser, server, lang }) => {
  const mill = await Mill.start({ page: server.url, tokens: 900, rate: 220, cutEvery: 40 });
  const v = await Visitor.come(browser, mill.url, lang);
  await v.ask('go');
  // Whatever is on the screen at any moment is a beginning of the whole.
  const whole = words(sentence(900));
  for (let n = 0; n < 4; n += 1) {
    await v.page.waitForTimeout(350);
    const now = await said(v).catch(() => []);
    assert.deepEqual(now, whole.slice(0, now.length));
  }
  await v.page.reload();
  await v.page.locator('article .markdown').waitFor();
  await v.settled();
  assert.deepEqual(await said(v), whole);
  assert.ok(mill.cuts >= 20, `${mill.cuts} cuts`);
  await v.leave();
  mill.close();
}, ['ko']);

walk('two hundred tokens a second leave the page quick', async ({ browser, server, lang }) => {
  const mill = await Mill.start({ page: server.url, tokens: 1600, rate: 200 });
  const v = await Visitor.come(browser, mill.url, lang);
  await v.composer.waitFor();
  await v.page.evaluate(() => {
    globalThis.long = [];
    new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map((one) => one.duration))).observe({ entryTypes: ['longtask'] });
  });
  await v.ask('go');
  await v.page.locator('article .markdown').waitFor();
  // Typing goes on while the answer streams.
  await v.composer.fill('');
  const from = Date.now();
  await v.composer.press('a');
  const took = Date.now() - from;
  await v.settled();
  const long = await v.page.evaluate(() => globalThis.long);
  console.log(`     long tasks while streaming: ${long.map((one) => one.toFixed(0)).join(', ') || 'none'} ms; a key took ${took} ms`);
  assert.deepEqual(await said(v), words(sentence(1600)));
  // The streaming text is no live region: a screen reader hears one sentence at the end.
  assert.equal(await v.page.locator('article [aria-live], article [role=status], article [role=log]').count(), 0);
  await v.page.locator('[role=status]').getByText('답변이 끝났습니다.').waitFor({ state: 'attached' });
  await v.leave();
  mill.close();
}, ['ko']);
