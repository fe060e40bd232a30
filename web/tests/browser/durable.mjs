import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';
import { Server } from './server.mjs';

/** Slow enough to be stopped, reloaded and killed in the middle, on a busy machine, too. */
const SLOW = 1500;
const LINE = { created_at: new Date().toISOString(), level: 'INFO', service: 'shop', log_type: 'BACKEND', message: 'hello' };

/** The steps of the newest turn, as the page lists them. */
async function steps(v) {
  const turn = v.turns.last();
  const details = turn.locator('details').first();
  if (!(await details.evaluate((one) => one.open))) await turn.locator('summary').first().click();
  await turn.locator('details ol li').first().waitFor();
  return turn.locator('details ol li').count();
}

walk('a graph asks a person; the question survives a reload and is answered', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('article');
  await v.ask(v.say('멈춰도 이어지는 그래프', 'graphs that survive a crash'));
  const revise = v.button('다시 쓰기', 'Revise');
  await revise.waitFor();
  await v.page.reload();
  await revise.click();
  await v.button('발행', 'Publish').waitFor();
  await v.button('발행', 'Publish').click();
  await v.turns.getByText(v.say('발행 기록', 'Receipt'), { exact: true }).waitFor();
  assert.equal(await v.turns.count(), 1, 'answers belong to their question');
  await v.leave();
});

walk('a reload in the middle loses nothing and doubles nothing', async ({ browser, lang }) => {
  const server = await Server.start({ lines: [LINE], pace: SLOW });
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('article');
  await v.ask(v.say('다시 여는 페이지', 'a page that is opened again'));
  await v.page.waitForFunction(() => location.pathname.startsWith('/c/'));
  await v.page.reload();
  await v.button('발행', 'Publish').waitFor();
  assert.equal(await v.turns.count(), 1);
  assert.equal(await steps(v), 5, 'a draft, three checks, a question');
  await v.leave();
  await server.end();
});

walk('a run is stopped', async ({ browser, lang }) => {
  const server = await Server.start({ lines: [LINE], pace: SLOW });
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('article');
  await v.ask(v.say('멈출 글', 'an article to stop'));
  // Only what is seen to run is stopped.
  await v.button('중지', 'Stop').focus();
  await v.page.keyboard.press('Enter');
  await v.settled();
  // The server, too, knows of no run that goes on.
  const thread = v.page.url().split('/').at(-1);
  const [run] = await server.ask('GET', `/threads/${thread}/runs`);
  assert.equal(run.status, 'interrupted');
  assert.equal(await v.focused(), v.say('보내기', 'Send'), 'whoever stopped it is where they were');
  await v.turns.last().getByText(v.say('중지한 답변입니다.', 'This answer was stopped.')).waitFor();
  // Once more from the keyboard: the turn that takes its place has the focus, and Escape stops it.
  await v.button('다시 답하기', 'Answer again').focus();
  await v.page.keyboard.press('Enter');
  await v.button('중지', 'Stop').waitFor();
  await v.page.waitForFunction(() => document.activeElement?.closest('article')?.getAttribute('aria-busy') === 'true');
  await v.page.keyboard.press('Escape');
  await v.settled();
  assert.equal(await v.page.evaluate(() => document.activeElement?.closest('article') !== null), true);
  // Through the branches without leaving the button.
  const previous = v.button('이전 갈래', 'Previous branch');
  await previous.focus();
  await v.page.keyboard.press('Enter');
  await v.page.getByText('1/2').waitFor();
  assert.equal(await v.focused(), v.say('다음 갈래', 'Next branch'), 'there is none before the first');
  await v.page.keyboard.press('Enter');
  await v.page.getByText('2/2').waitFor();
  assert.equal(await v.focused(), v.say('이전 갈래', 'Previous branch'));
  await v.leave();
  await server.end();
});

walk('the server dies in the middle and comes back; so does the answer', async ({ browser, lang }) => {
  const server = await Server.start({ lines: [LINE], pace: SLOW });
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('article');
  await v.ask(v.say('서버가 죽어도', 'although the server dies'));
  await v.page.waitForFunction(() => location.pathname.startsWith('/c/'));
  await server.kill();
  await v.page.getByText(v.say('연결이 끊겼습니다', 'connection to the server was lost')).waitFor();
  await server.begin();
  await v.button('발행', 'Publish').waitFor();
  assert.equal(await steps(v), 5);
  assert.equal(await v.page.getByText(v.say('연결이 끊겼습니다', 'connection to the server was lost')).count(), 0);
  // It dies once more, while the person thinks: the question is still there, and its answer counts.
  await server.kill();
  await server.begin();
  await v.page.reload();
  await v.button('발행', 'Publish').click();
  await v.turns.getByText(v.say('발행 기록', 'Receipt'), { exact: true }).waitFor();
  assert.equal(await v.turns.count(), 1);
  await v.leave();
  await server.end();
});

walk('without a server the page says what to do, and keeps what was written', async ({ browser, lang }) => {
  const server = await Server.start({ lines: [LINE], pace: SLOW });
  const v = await Visitor.come(browser, server.url, lang);
  await v.page.getByRole('heading', { name: v.say('무엇을 알아볼까요?', 'What would you like to know?') }).waitFor();
  // Lists that are still being got would say it, too.
  await v.page.waitForLoadState('networkidle');
  await server.kill();
  await v.ask(v.say('들리나요', 'can you hear me'));
  await v.page.getByRole('alert').getByText('duru serve').waitFor();
  assert.equal(await v.composer.inputValue(), v.say('들리나요', 'can you hear me'));
  await server.begin();
  await v.button('다시 시도', 'Try again').click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 1);
  await v.leave();
  await server.end();
});
