import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';
import { Mill, sentence } from './mill.mjs';
import { Pen } from './pen.mjs';
import { Server } from './server.mjs';

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

/** When each text first stood in an answer, by the page's clock, which is the model's: both are on this machine. */
async function watchFor(v, word) {
  await v.composer.waitFor();
  await v.page.evaluate((word) => {
    globalThis.seen = [];
    new MutationObserver(() => {
      const count = [...document.querySelectorAll('article .markdown')].filter((one) => one.textContent.includes(word)).length;
      while (globalThis.seen.length < count) globalThis.seen.push(Date.now());
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, word);
}

for (const [agent, field, question] of [
  ['analyst', 'insight', (n) => `최근 ${24 + n}시간 서비스별 에러 건수`],
  ['advisor', 'answer', (n) => `전세 보증금 ${3 + n}억원을 얼마까지 올릴 수 있나요?`],
]) {
  walk(`the first word of the ${agent} is on the page as soon as the model has written it`, async ({ browser, lang }) => {
    // One long sentence: whoever waits for its end is late.
    const words = `정리하면 ${'물어보신 내용을 두루 찾아서 살펴보았고 '.repeat(12)}차례대로 말씀드리겠습니다. 아래를 보세요.`;
    const pen = await Pen.start({ before: `{"${field}": "`, words, after: '"}' });
    const own = await Server.start({ more: pen.variables });
    const v = await Visitor.come(browser, own.url, lang);
    await v.choose(agent);
    await watchFor(v, '정리하면');
    // The best of three: what the page holds back, it holds back each time; what a busy machine is late is chance.
    for (let n = 0; n < 3; n += 1) {
      await v.ask(question(n));
      await v.page.waitForFunction((count) => document.querySelectorAll('article').length === count, n + 1);
      await v.settled();
    }
    const seen = await v.page.evaluate(() => globalThis.seen);
    const late = seen.map((at, n) => at - pen.firstTokens[n]).sort((a, b) => a - b);
    console.log(`     the first word of the ${agent} after ${late.join(', ')} ms`);
    assert.equal(late.length, 3);
    assert.ok(late[0] <= 300, `${late} ms`);
    await v.leave();
    await own.end();
    pen.close();
  }, ['ko']);
}
