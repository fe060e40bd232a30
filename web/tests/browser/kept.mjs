import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Visitor, walk } from './harness.mjs';
import { committed, generate, misfits } from '../../scripts/types.mjs';

walk('an answer is judged, a conversation pinned and written to a file', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  const question = v.say('최근 24시간 서비스별 에러 건수', 'errors by service in the last 24 hours');
  await v.ask(question);
  await v.settled();
  const turn = v.turns.last();
  await v.button('아쉬워요', 'Bad answer', turn).click();
  const why = turn.getByRole('textbox', { name: v.say('무엇이 아쉬웠나요? (선택)', 'What was wrong? (optional)') });
  await why.fill(v.say('단위가 없습니다', 'no unit'));
  await why.press('Enter');
  await why.waitFor({ state: 'detached' });
  const thread = v.page.url().split('/').at(-1);
  const found = async () => (await server.ask('POST', '/store/items/search', { namespace_prefix: ['page', 'feedback'], limit: 1000 })).items.map((item) => item.value).filter((one) => one.thread_id === thread);
  for (let tries = 0; tries < 50 && !(await found())[0]?.reason; tries += 1) await v.page.waitForTimeout(100);
  const [said] = await found();
  assert.deepEqual([said.verdict, said.reason, said.question, said.agent], ['bad', v.say('단위가 없습니다', 'no unit'), question, 'analyst']);
  assert.match(said.run_id, /^[0-9a-f-]{36}$/);
  // The same at the command line, as a case to evaluate with.
  const cases = server.command('feedback', '--bad').trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(cases.find((one) => one.run_id === said.run_id), said);
  // It is remembered, and can be changed and taken back.
  await v.page.reload();
  const good = v.button('도움이 됐어요', 'Good answer', v.turns.last());
  const pressed = v.turns.last().locator('.actions [aria-pressed=true]');
  await pressed.waitFor();
  await good.click();
  for (let tries = 0; tries < 50 && (await found())[0]?.verdict !== 'good'; tries += 1) await v.page.waitForTimeout(100);
  assert.equal((await found())[0].verdict, 'good');
  assert.equal(await pressed.getAttribute('aria-label'), v.say('도움이 됐어요', 'Good answer'));
  await good.click();
  for (let tries = 0; tries < 50 && (await found()).length > 0; tries += 1) await v.page.waitForTimeout(100);
  assert.deepEqual(await found(), []);
  // Pinned above all others, and written to files.
  const menu = () => v.page.locator('.row.current').getByRole('button').click();
  await menu();
  await v.button('고정', 'Pin').click();
  const groups = v.page.getByRole('navigation', { name: v.say('대화 목록', 'Conversations') });
  // The own row: other walks pin theirs on the same server.
  const pinned = groups.getByRole('heading', { name: v.say('고정한 대화', 'Pinned') }).locator('+ ul').locator('.row.current');
  await pinned.waitFor();
  assert.equal(await groups.getByRole('heading').first().innerText(), v.say('고정한 대화', 'Pinned'));
  for (const [form, ko, en] of [['md', 'Markdown으로 내보내기', 'Export as Markdown'], ['json', 'JSON으로 내보내기', 'Export as JSON']]) {
    await menu();
    const download = v.page.waitForEvent('download');
    await v.button(ko, en).click();
    const file = await download;
    assert.ok(file.suggestedFilename().endsWith(`.${form}`));
    const text = readFileSync(await file.path(), 'utf8');
    if (form === 'md') assert.ok(text.includes(`## ${question}`) && text.includes('```sql'), text);
    else assert.deepEqual([JSON.parse(text).turns.length, JSON.parse(text).turns[0].question], [1, question]);
  }
  // Another question leaves it pinned, and what the server said before a change does not undo the change.
  let release;
  const released = new Promise((resolve) => (release = resolve));
  let held;
  const read = new Promise((resolve) => (held = resolve));
  await v.page.route(`**/threads/${thread}/turns?*`, async (route) => {
    const response = await route.fetch();
    held();
    await released;
    await route.fulfill({ response });
  });
  await v.ask(question);
  await read;
  assert.equal(await pinned.count(), 1, 'still pinned');
  await menu();
  await v.button('고정 풀기', 'Unpin').click();
  await pinned.waitFor({ state: 'detached' });
  const late = v.page.waitForResponse((one) => one.url().includes(`/threads/${thread}/turns`));
  release();
  await (await late).finished();
  await v.settled();
  await v.page.waitForTimeout(200);
  assert.deepEqual([await pinned.count(), await groups.locator('.row.current').count()], [0, 1], 'not pinned again');
  await v.leave();
});

walk('the types are those of the server, and what it sends is of these types', async ({ server }) => {
  const openapi = await server.ask('GET', '/openapi.json');
  assert.equal(committed(), generate(openapi), 'run `npm run types` in web/ beside a server, and commit what it makes');
  const shapes = openapi.components.schemas;
  const fits = (value, name) => assert.deepEqual(misfits(value, { $ref: `#/components/schemas/${name}` }, shapes), [], name);
  const thread = await server.ask('POST', '/threads', {});
  fits(thread, 'Thread');
  const run = { assistant_id: 'article', input: { topic: '두루', lang: 'ko' } };
  await server.ask('POST', `/threads/${thread.thread_id}/runs/wait`, run);
  for (const one of await server.ask('GET', `/threads/${thread.thread_id}/runs`)) fits(one, 'Run');
  fits(await server.ask('GET', `/threads/${thread.thread_id}/state`), 'ThreadState');
  fits(await server.ask('GET', `/threads/${thread.thread_id}/turns`), 'Turns');
  for (const one of await server.ask('POST', `/threads/${thread.thread_id}/history`, { limit: 20 })) fits(one, 'ThreadState');
  for (const one of await server.ask('POST', '/threads/search', { limit: 20 })) fits(one, 'Thread');
  for (const one of await server.ask('POST', '/assistants/search', {})) {
    fits(one, 'Assistant');
    fits(await server.ask('GET', `/assistants/${one.assistant_id}/graph`), 'Graph');
  }
  await server.ask('PUT', '/store/items', { namespace: ['types'], key: 'k', value: { a: 1 } });
  fits(await server.ask('POST', '/store/items/search', { namespace_prefix: ['types'] }), 'Items');
}, ['ko']);
