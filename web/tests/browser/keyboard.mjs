import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';
import { Server } from './server.mjs';

const LINE = { created_at: new Date().toISOString(), level: 'INFO', service: 'shop', log_type: 'BACKEND', message: 'hello' };

/** Opens the palette, types, and takes what is found first. */
async function palette(v, words) {
  await v.page.keyboard.press('Control+k');
  const dialog = v.page.getByRole('dialog', { name: v.say('명령 찾기', 'Find a command') });
  await dialog.getByRole('combobox').waitFor();
  await v.page.keyboard.type(words);
  await v.page.waitForFunction(() => document.querySelector('dialog [role=option][aria-selected=true]'));
  await v.page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

walk('from the first question to a fork, without a mouse; nodes change while one looks', async ({ browser, lang }) => {
  const server = await Server.start({ lines: [LINE], pace: 1500 });
  const v = await Visitor.come(browser, server.url, lang);
  await v.page.locator('.agents button').first().waitFor();
  // Half a syllable finds the agent; the question goes where the focus is by then.
  await palette(v, v.say('예시 그래ㅍ', 'example graph'));
  await v.page.waitForFunction(() => document.activeElement?.matches('.composer textarea'));
  assert.equal(new URL(v.page.url()).searchParams.get('agent'), 'article');
  await v.page.keyboard.type(v.say('마우스 없는 글', 'an article without a mouse'));
  await v.page.keyboard.press('Enter');
  await v.page.waitForFunction(() => location.pathname.startsWith('/c/'));
  const thread = v.page.url().split('/').at(-1);
  // To the run while it is under way: the node that works is marked, and then is done, with the focus on it.
  await palette(v, v.say('실행 과정', 'run'));
  const node = (ko, en, state) => v.page.getByRole('button', { name: new RegExp(`^${v.say(ko, en)}.* · ${state}$`) });
  const [running, done, none] = [v.say('진행 중', 'running'), v.say('완료', 'done'), v.say('실행되지 않음', 'not run')];
  await node('발행', 'Publish', none).waitFor();
  const checks = v.page.locator('g.node').filter({ hasText: v.say('검사', 'Check') });
  await checks.focus();
  await node('검사', 'Check', running).waitFor();
  await node('검사', 'Check', done).waitFor();
  assert.match(await v.focused(), new RegExp(`^${v.say('검사', 'Check')}`), 'the focus stays on the node');
  await node('사람에게 묻기', 'Ask a person', v.say('대답 기다림', 'waits for an answer')).waitFor();
  // The step that it belongs to opens with Space.
  await v.page.locator('.steps button').first().waitFor();
  await checks.focus();
  await v.page.keyboard.press('Space');
  await v.page.locator('.steps button[aria-current=step]').filter({ hasText: v.say('검사', 'Check') }).waitFor();
  // A fork says that everything after it runs again, before it does.
  await v.button('여기서 갈라 다시 실행', 'Fork and run from here').focus();
  await v.page.keyboard.press('Enter');
  await v.page.getByRole('dialog').getByText(v.say('노드가 다시 실행되며', 'run again')).waitFor();
  await v.page.keyboard.press('Escape');
  // Elsewhere, and back by what the conversation is called; the question is answered.
  await palette(v, v.say('기억', 'memory'));
  await v.page.waitForFunction(() => location.pathname === '/remembered');
  await palette(v, v.say('마우스 없는', 'without a mouse'));
  await v.page.waitForFunction((path) => location.pathname === path, `/c/${thread}`);
  await v.button('발행', 'Publish').focus();
  await v.page.keyboard.press('Enter');
  await v.turns.getByText(v.say('발행 기록', 'Receipt'), { exact: true }).waitFor();
  assert.equal(await v.page.evaluate(() => document.activeElement?.closest('article') !== null), true, 'the focus is in the turn that was answered');
  await v.page.evaluate(() => document.activeElement?.blur());
  await v.page.keyboard.press('/');
  assert.equal(await v.page.evaluate(() => document.activeElement?.id), 'find');
  await palette(v, v.say('어둡게', 'theme: dark'));
  await v.page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await v.page.keyboard.press('Control+k');
  await v.accessible('the palette');
  await v.shoot(`palette-${lang}-dark`);
  await v.fits(360);
  await v.page.keyboard.press('Escape');
  await v.leave();
  await server.end();
});
