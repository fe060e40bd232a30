import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';

walk('a run is looked at step by step, and forked', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.ask(v.say('최근 24시간 서비스별 에러 건수', 'errors by service in the last 24 hours'));
  await v.settled();
  await v.page.getByRole('link', { name: v.say('실행 과정', 'Run'), exact: true }).first().click();
  await v.page.locator('g.node.done').first().waitFor();
  assert.equal(await v.page.locator('g.node.done').count(), 9);
  // From the start through nine nodes to the end.
  await v.page.locator('path.edge.took').nth(9).waitFor({ state: 'attached' });
  assert.equal(await v.page.locator('path.edge.took').count(), 10);
  // A node leads to its step, and the step shows what it changed.
  await v.page.getByRole('button', { name: new RegExp(v.say('안전 검사', 'Safety check')) }).first().click();
  await v.page.getByText(v.say('실행한 SQL', 'Executed SQL'), { exact: true }).waitFor();
  await v.tab('이때의 상태', 'State at this step').click();
  await v.page.getByText(v.say('만든 SQL', 'Written SQL'), { exact: true }).waitFor();
  // Steps are counted from one.
  const steps = (await v.page.locator('.steps .step').allInnerTexts()).map((line) => line.replace(/\s*[\d.]+\s*(s|초)$/, '').replaceAll('\n', ' ').trim());
  assert.equal(steps[0], v.say('입력', 'input'));
  assert.equal(steps[1], `1 ${v.say('맥락 파악', 'Resolve context')}`);
  assert.equal(steps.length, 10, 'the input, and nine nodes');
  await v.tab('결정', 'Decisions').click();
  const table = v.page.getByRole('table');
  await table.getByText(v.say('SQL 작성', 'Write SQL'), { exact: true }).waitFor();
  assert.equal(await table.getByText('analyst/').count(), 0, 'nobody reads inner names');
  assert.ok((await table.getByText(v.say('규칙', 'rule'), { exact: true }).count()) >= 3, 'the rules answered');
  await v.button('여기서 갈라 다시 실행', 'Fork and run from here').click();
  await v.button('다시 실행', 'Run again').click();
  await v.page.getByText('2/2').waitFor();
  await v.settled();
  assert.ok((await v.turns.last().locator('svg rect.bar').count()) > 2);
  await v.leave();
});

walk('a run that asks back is not done, and a query of one’s own is called by its text', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.ask(v.say('최근 7일 레벨별 로그 수', 'number of logs by level in the last 7 days'));
  await v.settled();
  await v.tab('SQL', 'SQL', v.turns.last()).click();
  await v.button('SQL 고치기', 'Edit SQL', v.turns.last()).click();
  const sql = 'select level, count(*) as n from logs group by 1';
  await v.turns.last().getByRole('textbox').fill(sql);
  await v.button('안전 검사 후 실행', 'Check and run', v.turns.last()).click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  await v.ask(v.say('조금 전 에러 로그 보여줘', 'show me the error logs from a while ago'));
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 3);
  await v.settled();
  await v.page.getByRole('link', { name: v.say('실행 과정', 'Run'), exact: true }).first().click();
  const choose = v.page.locator('.choose select');
  await v.page.locator('g.node.waiting').waitFor();
  const options = await choose.locator('option').allInnerTexts();
  assert.equal(options.length, 3);
  assert.match(options[0], v.say(/대답 기다림$/, /waits for an answer$/));
  assert.ok(options[1].includes(sql), options[1]);
  assert.match(options[2], v.say(/완료$/, /done$/));
  // The step that waits is in the list, and is not told to be done.
  await v.page.locator('.steps .waits').getByText(v.say('되물을지 판단', 'Decide whether to ask')).waitFor();
  await v.accessible('a run that waits');
  await v.shoot(`run-waits-${lang}`);
  await v.fits(360);
  await v.leave();
});

walk('every agent’s graph is drawn inside its picture', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  for (const [agent, question] of [
    ['analyst', v.say('최근 24시간 에러 수', 'errors in the last 24 hours')],
    ['researcher', v.say('전세금 증액 한도는?', 'Which file formats can be ingested?')],
    ['advisor', v.say('전세금 5% 인상이 가능한가요?', 'Can my landlord raise the deposit by 5 %?')],
    ['article', 'x'],
  ]) {
    await v.page.goto(server.url);
    await v.choose(agent);
    await v.ask(question);
    await v.settled();
    await v.page.getByRole('link', { name: v.say('실행 과정', 'Run'), exact: true }).first().click();
    await v.page.locator('path.edge').first().waitFor({ state: 'attached' });
    const outside = await v.page.locator('svg:has(path.edge)').evaluate((svg) => {
      const { width, height } = svg.viewBox.baseVal;
      const boxes = [...svg.querySelectorAll('path.edge, g.node rect')].map((one) => one.getBBox());
      return boxes.filter((box) => box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height).length;
    });
    assert.equal(outside, 0, agent);
    await v.shoot(`graph-${agent}-${lang}`);
  }
  await v.leave();
});
