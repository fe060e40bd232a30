import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Visitor, walk } from './harness.mjs';
import { Server } from './server.mjs';

const plan = (v) => v.turns.last().getByRole('group', { name: v.say('계획', 'Plan') });

/**
 * What one conversation found, the next one of the same person uses: a walk that looks for a search needs a server of its own.
 * Searches of the samples take no time, so nobody would be asked whether earlier data will do.
 */
const walkAlone = (name, run, langs) =>
  walk(name, async (given) => {
    const server = await Server.start({ more: { DURU_ASK_SECONDS: '0' } });
    await run({ ...given, server });
    await server.end();
  }, langs);

/** Two places, and then a question that may mean either. */
async function unclear(v) {
  await v.choose('advisor');
  const questions = [
    v.say('은평구 아파트 매매 시세', 'apartment sale prices in Eunpyeong-gu'),
    v.say('종로구 아파트 매매 시세도 보여줘', 'and the sale prices in Jongno-gu'),
    v.say('거기 시세로 수익률 뽑아줘', 'work out the rental yield with the prices there'),
  ];
  for (const [at, question] of questions.entries()) {
    await v.ask(question);
    await v.page.waitForFunction((count) => document.querySelectorAll('article').length === count, at + 1);
    await v.settled();
  }
  return v.turns.last().getByRole('group', { name: v.say('확인해 주세요', 'Please confirm') });
}

walkAlone('the advisor plans, its teams work, and what was found is used again', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('advisor');
  await v.ask(v.say('마포구 아파트 시세로 대출 한도 계산해줘. 연봉은 7천만원이야', 'prices of apartments in Mapo-gu, and how much can I borrow with an income of 70 million won?'));
  await v.settled();
  // Both teams, with their tools, the quality of what they brought, and how far the goal was reached.
  await plan(v).getByText(v.say('시세 자료', 'Market data')).waitFor();
  await plan(v).getByText(v.say('대출 계산', 'Loan simulator')).waitFor();
  assert.equal(await plan(v).locator('li.completed').count(), 2);
  assert.match(await plan(v).innerText(), v.lang === 'ko' ? /품질 \d+%/ : /quality \d+%/);
  await plan(v).locator('summary').click();
  assert.match(await plan(v).innerText(), v.lang === 'ko' ? /\(규칙, \d+%\)/ : /\(rule, \d+%\)/);
  await v.turns.last().getByText(v.say('목표 달성 100%', 'Goal reached 100%')).waitFor();
  await v.accessible('an answer of the advisor');
  await v.shoot(`advisor-${lang}-light`);
  await v.fits(360);
  await v.open1280();
  // The same again: nothing is searched, and the person is told.
  await v.ask(v.say('마포구 아파트 시세 다시 알려줘', 'tell me the apartment prices in Mapo-gu again'));
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  const reuse = v.turns.last().getByRole('group', { name: v.say('다시 사용한 자료', 'Data used again') });
  assert.match(await reuse.innerText(), v.lang === 'ko' ? /마포구 시세 \d+건을 다시 사용합니다/ : /Using \d+ prices of .* again/);
  assert.equal(await plan(v).getByText(v.say('시세 자료', 'Market data')).count(), 0, 'no search');
  await v.button('새로 검색', 'Search again', reuse).click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 3);
  await v.settled();
  await plan(v).getByText(v.say('시세 자료', 'Market data')).waitFor();
  // A reload tells all of it once more.
  await v.page.reload();
  await v.turns.nth(2).getByText(v.say('시세 자료', 'Market data')).waitFor();
  await v.turns.nth(1).getByRole('group', { name: v.say('다시 사용한 자료', 'Data used again') }).waitFor();
  await v.leave();
});

walkAlone('only the person can say what was meant: the countdown survives a reload', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  const confirm = await unclear(v);
  const left = async () => Number(/(\d+)/.exec(await confirm.locator('.timer').innerText())?.[1]);
  const before = await left();
  assert.ok(before > 5 && before <= 30, `${before} s left`);
  await v.accessible('a confirmation');
  await v.shoot(`confirm-${lang}-light`);
  await v.page.reload();
  await confirm.waitFor();
  assert.ok((await left()) <= before, 'time has gone on');
  await v.button('예, 이전 데이터 사용', 'Yes, use the earlier data', confirm).or(confirm.getByRole('button').first()).first().click();
  await confirm.waitFor({ state: 'detached' });
  await v.settled();
  await v.turns.last().getByRole('group', { name: v.say('다시 사용한 자료', 'Data used again') }).waitFor();
  assert.equal(await plan(v).locator('li.skipped').count(), 1, 'the search was left out');
  assert.equal(await v.turns.count(), 3, 'the answer belongs to the question');
  await v.leave();
});

walkAlone('whoever does not answer in time gets a new search', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  const confirm = await unclear(v);
  await confirm.waitFor({ state: 'detached' });
  await v.settled();
  await plan(v).getByText('시세 자료').waitFor();
  assert.equal(await v.turns.count(), 3);
  await v.leave();
}, ['ko']);

walk('a step that has not begun can be skipped, and decisions say who took them', async ({ browser, lang }) => {
  // A model that is slow at first and talks nonsense: there is time to press something, and the rules decide.
  const slow = JSON.stringify({ says: '그렇군요', pause_ms: 250 });
  const server = await Server.start({ model: `${`${slow}\n`.repeat(12)}{"says": "그렇군요", "always": true}\n` });
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('advisor');
  await v.ask('마포구 아파트 시세로 대출 한도 계산해줘. 연봉은 7천만원이야');
  const waiting = plan(v).locator('li.pending').last();
  await v.button('이 단계 건너뛰기', 'Skip this step', waiting).click();
  await v.settled();
  const skipped = plan(v).locator('li.skipped');
  await skipped.first().waitFor();
  assert.equal(await plan(v).getByText('대출 계산').count(), 0, 'its tools did not run');
  // Costs and who decided: the model was asked, and the rules answered.
  await v.page.getByRole('link', { name: v.say('실행 과정', 'Run'), exact: true }).first().click();
  await v.tab('비용과 시간', 'Cost and time').click();
  const costs = v.page.getByRole('tabpanel');
  await costs.getByRole('row', { name: /합계/ }).waitFor();
  const numbers = async (row) => (await row.getByRole('cell').allInnerTexts()).map((text) => Number(/^[\d.]+/.exec(text.replaceAll(',', ''))?.[0] ?? 0));
  const rows = await costs.locator('tbody tr').all();
  const tokens = await Promise.all(rows.map(async (row) => (await numbers(row))[2]));
  const total = (await numbers(costs.locator('tfoot tr')))[2];
  assert.ok(total > 0, 'the model has cost tokens');
  assert.equal(tokens.reduce((sum, one) => sum + one, 0), total);
  await v.tab('결정', 'Decisions').click();
  const foot = await v.page.locator('tfoot td').allInnerTexts();
  assert.equal(Number(foot[1]), total, 'the sums are those of the decisions');
  await v.accessible('costs');
  await v.leave();
  await server.end();
}, ['ko']);

walk('a lease is filled in, looked at again, and downloaded', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('advisor');
  await v.ask(v.say('마포구 연남동 보증금 3억 전세 계약서 초안을 만들어 주세요', 'Draft a jeonse lease contract with a deposit of 300 million won in Mapo-gu'));
  const form = v.turns.last().getByRole('group', { name: v.say('계약서 초안 확인', 'Check the draft contract') });
  await form.waitFor();
  const field = (name) => form.locator(`[id$="-${name}"]`);
  assert.equal(await field('deposit').inputValue(), '300000000');
  await v.accessible('a draft');
  await v.fits(360);
  await v.open1280();
  await field('landlord.name').fill('김두루');
  await field('tenant.name').fill('이나래');
  await form.getByRole('status').waitFor();
  await v.shoot(`draft-${lang}-light`);
  // Looked at again, with what was written; it survives a reload.
  await form.getByRole('button').nth(1).click();
  await v.page.waitForFunction(() => [...document.querySelectorAll('input')].filter((input) => input.value === '이나래').length === 1);
  await v.settled();
  await v.page.reload();
  await form.waitFor();
  assert.equal(await field('landlord.name').inputValue(), '김두루');
  await form.getByText(v.say('미리 보기', 'Preview')).click();
  await form.locator('.paper').getByText('김두루').first().waitFor();
  // What can't be goes back to the person, with the reason.
  await field('start').fill('2027-03-01');
  await field('end').fill('2026-03-01');
  await form.getByRole('button').first().click();
  await form.locator('.flaw.grave').waitFor();
  await field('end').fill('2029-02-28');
  await form.getByRole('button').first().click();
  await form.waitFor({ state: 'detached' });
  await v.settled();
  const download = v.page.waitForEvent('download');
  await v.turns.last().getByRole('button', { name: v.say('계약서 내려받기 (.docx)', 'Download contract (.docx)') }).click();
  const file = await download;
  assert.ok(file.suggestedFilename().endsWith('.docx'), file.suggestedFilename());
  // A Word document is a zip.
  assert.equal(readFileSync(await file.path()).subarray(0, 2).toString(), 'PK');
  assert.equal(await v.turns.count(), 1, 'all of it is one question');
  await v.leave();
});
