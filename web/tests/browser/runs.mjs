import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';

walk('a run is looked at step by step, and forked', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.ask(v.say('최근 24시간 서비스별 에러 건수', 'errors by service in the last 24 hours'));
  await v.settled();
  await v.page.getByRole('link', { name: v.say('실행 과정', 'Run'), exact: true }).first().click();
  await v.page.locator('g.node.done').first().waitFor();
  assert.equal(await v.page.locator('g.node.done').count(), 8);
  // From the start through eight nodes to the end.
  await v.page.locator('path.edge.took').nth(8).waitFor({ state: 'attached' });
  assert.equal(await v.page.locator('path.edge.took').count(), 9);
  // A node leads to its step, and the step shows what it changed.
  await v.page.getByRole('button', { name: new RegExp(v.say('안전 검사', 'Safety check')) }).first().click();
  await v.page.getByText('executed_sql', { exact: true }).waitFor();
  await v.tab('이때의 상태', 'State at this step').click();
  await v.page.getByText('generated_sql', { exact: true }).waitFor();
  await v.tab('결정', 'Decisions').click();
  const table = v.page.getByRole('table');
  await table.getByText('analyst/generate_sql').waitFor();
  assert.ok((await table.getByText(v.say('규칙', 'rule'), { exact: true }).count()) >= 3, 'the rules answered');
  await v.button('여기서 갈라 다시 실행', 'Fork and run from here').click();
  await v.button('다시 실행', 'Run again').click();
  await v.page.getByText('2/2').waitFor();
  await v.settled();
  assert.ok((await v.turns.last().locator('svg rect.bar').count()) > 2);
  await v.leave();
});
