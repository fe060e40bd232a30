import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';
import { Server } from './server.mjs';

export const LINE = { created_at: new Date().toISOString(), level: 'INFO', service: 'shop', log_type: 'BACKEND', message: 'hello' };

/** A conversation of so many turns, as another client would have made it. */
export async function talk(server, turns, name) {
  const { thread_id: thread } = await server.ask('POST', '/threads', { metadata: { graph_id: 'article', title: name } });
  for (let at = 0; at < turns; at += 1) await server.ask('POST', `/threads/${thread}/runs/wait`, { assistant_id: 'article', input: { topic: `${name} ${at}`, lang: 'en' } });
  return thread;
}

/** What the page asks for while something is done, without its own files; and how long it takes. */
async function asked(v, act) {
  const paths = [];
  const hear = (request) => {
    const { pathname, searchParams } = new URL(request.url());
    // Every few seconds the page looks whether somebody else has asked something.
    const looks = pathname.endsWith('/runs') && searchParams.get('limit') === '1';
    if (!looks && ['fetch', 'xhr'].includes(request.resourceType())) paths.push(`${request.method()} ${pathname.replace(/[0-9a-f-]{36}/g, '*')}`);
  };
  v.page.on('request', hear);
  const from = Date.now();
  await act();
  const took = Date.now() - from;
  // Whatever would still be asked for.
  await v.page.waitForTimeout(500);
  v.page.off('request', hear);
  return { paths: paths.sort(), took };
}

/** What opening a conversation asks for, however long it is. */
const OPENING = [
  'GET /tables',
  'GET /threads/*/turns',
  'POST /assistants/search',
  'POST /store/items/search',
  'POST /store/items/search',
  'POST /threads/search',
  'POST /threads/search',
  'POST /threads/search',
];

walk('a long conversation opens in as many requests as a short one; older turns come on scrolling', async ({ browser, lang }) => {
  const turns = 60;
  // The example's nodes take their time, for people to see them; here they may not.
  const server = await Server.start({ lines: [LINE], pace: 1 });
  const thread = await talk(server, turns, `long-${lang}`);
  const v = await Visitor.come(browser, server.url, lang);
  // What the first view still asks for is not counted.
  await v.page.goto('about:blank');
  const { paths, took } = await asked(v, async () => {
    await v.page.goto(`${server.url}/c/${thread}`);
    await v.turns.last().getByText(`long-${lang} ${turns - 1}`).first().waitFor();
    await v.settled();
  });
  console.log(`     ${turns} turns were open after ${took} ms`);
  assert.deepEqual(paths, OPENING);
  assert.equal(await v.turns.count(), 20);
  // The newest question is in sight; what is above it comes when somebody goes there, and nothing jumps.
  const column = v.page.locator('.scroll').first();
  const first = v.turns.first();
  const label = await first.getAttribute('aria-label');
  assert.equal(label, `long-${lang} ${turns - 20}`);
  // The page puts the newest question in sight once it is drawn: who scrolls before that is taken back.
  await column.evaluate((box) => new Promise((rests) => {
    let before = -1;
    const look = () => {
      if (box.scrollTop > 0 && box.scrollTop === before) return rests();
      before = box.scrollTop;
      setTimeout(look, 300);
    };
    look();
  }));
  const more = await asked(v, async () => {
    await column.evaluate((box) => (box.scrollTop = 300));
    await v.counts(v.turns, 40);
  });
  assert.deepEqual(more.paths, ['GET /threads/*/turns']);
  const where = v.page.locator(`article[aria-label="${label}"]`);
  const top = await where.evaluate((one) => one.getBoundingClientRect().top);
  assert.ok(top > -600 && top < 860, `the turn that was read is at ${top} px`);
  // A link leads to a turn that is not there yet.
  const page = await server.ask('GET', `/threads/${thread}/turns?limit=${Math.min(100, turns)}`);
  const far = page.turns[0];
  await v.page.goto(`${server.url}/c/${thread}#${far.turn_id}`);
  await v.page.reload();
  await v.page.waitForFunction((id) => document.activeElement?.getAttribute('data-turn') === id, far.turn_id);
  await v.accessible('a long conversation');
  await v.leave();
  await server.end();
});

walk('a second tab follows the first', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.ask(v.say('최근 24시간 서비스별 에러 건수', 'errors by service in the last 24 hours'));
  await v.settled();
  const first = v.page;
  const address = first.url();
  // The same person in another tab, and in another browser altogether.
  await v.open();
  const second = v.page;
  await second.goto(address);
  await v.settled();
  const other = await Visitor.come(browser, server.url, lang);
  await other.page.goto(address);
  await other.settled();
  v.page = first;
  const question = v.say('최근 7일 레벨별 로그 수', 'logs by level in the last 7 days');
  await v.ask(question);
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  v.page = second;
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  assert.equal(await v.turns.last().getAttribute('aria-label'), question);
  assert.ok((await v.turns.last().locator('svg rect.bar').count()) > 1, 'with its answer');
  await other.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await other.settled();
  // And back: the first follows the second.
  await v.ask(v.say('그중 billing만', 'only billing'));
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 3);
  v.page = first;
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 3);
  await v.settled();
  await other.leave();
  await v.leave();
});
