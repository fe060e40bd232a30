import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';

const DRAFT = {
  ko: '# 납품 계약서 초안\n\n## 위약금\n\n수급인이 납품 기한을 넘기면 위약금은 삼백칠십만 원이다.\n\n## 기한\n\n납품 기한은 삼월 말이다.\n',
  en: '# Draft supply contract\n\n## Penalty\n\nThe penalty for late delivery is three hundred and seventy dollars a day.\n\n## Term\n\nDelivery is due at the end of March.\n',
};
const SECRET = { ko: '삼백칠십만', en: 'three hundred and seventy' };

/** Drops a file where it is dropped by hand. */
async function drop(page, name, text) {
  const data = await page.evaluateHandle(
    ([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name, { type: 'text/markdown' }));
      return data;
    },
    [name, text],
  );
  for (const type of ['dragover', 'drop']) await page.dispatchEvent('.composer .box', type, { dataTransfer: data });
}

walk('a file that is dropped into a conversation answers there, and nowhere else', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('researcher');
  await drop(v.page, 'draft.md', DRAFT[lang]);
  const files = v.page.getByRole('list', { name: v.say('이 대화에 올린 파일', 'Files of this conversation') });
  const chip = files.getByRole('listitem').filter({ hasText: 'draft.md' });
  const away = (name) => v.button(`${name} 빼기`, `Remove ${name}`);
  await away('draft.md').waitFor();
  // What is refused says why, and goes when it is told to.
  const input = v.page.locator('.composer input[type=file]');
  await input.setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 and nothing more') });
  const refused = files.getByRole('listitem').filter({ hasText: 'scan.pdf' });
  await refused.locator('.why').waitFor();
  assert.match(await refused.innerText(), v.say(/깨졌거나|글자가 없습니다/, /damaged|no text/));
  await v.accessible('files of a conversation');
  await v.shoot(`attached-${lang}`);
  await v.fits(360);
  await v.open1280();
  await away('scan.pdf').click();
  await refused.waitFor({ state: 'detached' });

  const question = v.say('이 문서에서 위약금은 얼마인가요?', 'In this document, what is the penalty for late delivery?');
  await v.ask(question);
  await v.settled();
  const answer = v.turns.last().locator('.markdown').first();
  assert.ok((await answer.innerText()).includes(SECRET[lang]), await answer.innerText());
  // The mark opens the passage of the file.
  await v.turns.last().locator('.markdown .mark').first().click();
  const passage = v.page.getByRole('dialog');
  await passage.getByText(v.say('문서 전체', 'The whole document')).waitFor();
  assert.ok((await passage.innerText()).includes('draft.md'));
  await v.page.keyboard.press('Escape');

  // It is there after a reload, and is named.
  await v.page.reload();
  await chip.waitFor();

  // Another conversation knows nothing of it.
  await v.page.goto(`${server.url}/?agent=researcher`);
  await v.ask(question);
  await v.settled();
  assert.equal(await files.count(), 0);
  assert.ok(!(await v.turns.last().innerText()).includes(SECRET[lang]));
  await v.page.goBack();
  await chip.waitFor();

  // Taken out by the keyboard alone, it answers no more.
  await away('draft.md').focus();
  await v.page.keyboard.press('Enter');
  await chip.waitFor({ state: 'detached' });
  await v.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await v.ask(question);
  await v.settled();
  assert.ok(!(await v.turns.last().innerText()).includes(SECRET[lang]));
  await v.leave();
});

walk('files and a question stay with their conversation when somebody goes to another one meanwhile', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('researcher');
  await drop(v.page, 'first.md', DRAFT[lang]);
  const away = (name) => v.button(`${name} 빼기`, `Remove ${name}`);
  await away('first.md').waitFor();
  await v.page.waitForURL(/\/c\//);
  const there = v.page.url();

  // The first of two is on its way until it is let go.
  const sent = [];
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = resolve));
  await v.page.route('**/threads/*/documents*', async (route) => {
    if (route.request().method() === 'POST') {
      sent.push(route.request().url());
      await held;
    }
    await route.continue();
  });
  const file = (name) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(DRAFT[lang]) });
  await v.page.locator('.composer input[type=file]').setInputFiles([file('second.md'), file('third.md')]);
  await v.page.waitForFunction(() => document.querySelectorAll('.composer li').length === 3);
  const question = v.say('이 문서에서 위약금은 얼마인가요?', 'In this document, what is the penalty for late delivery?');
  const box = v.page.locator('.composer textarea');
  await box.fill(question);
  await box.press('Enter');

  await v.button('새 대화', 'New conversation').click();
  await v.page.waitForFunction(() => document.querySelectorAll('.composer li').length === 0);
  const is = (answer) => answer.request().method() === 'POST' && /\/threads\/[^/]+\/documents/.test(answer.url());
  const last = v.page.waitForResponse((answer) => is(answer) && sent.length === 2);
  letGo();
  assert.equal((await last).status(), 200);
  const threads = new Set(sent.map((url) => new URL(url).pathname));
  assert.deepEqual([sent.length, threads.size], [2, 1], sent.join(' '));
  // Nothing was asked here, and the question is still there to be asked.
  await v.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  assert.equal(await v.turns.count(), 0);
  assert.equal(await box.inputValue(), question);

  await v.page.goto(there);
  for (const name of ['first.md', 'second.md', 'third.md']) await away(name).waitFor();
  assert.equal(await v.turns.count(), 0);
  await v.leave();
});
