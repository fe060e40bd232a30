import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';
import { Server } from './server.mjs';

/** The first answer from an address waits until it is let through; what was asked has arrived at the server by then. */
async function holdAnswer(page, urlPattern) {
  const debug = await page.context().newCDPSession(page);
  const pass = ({ requestId }) => debug.send('Fetch.continueRequest', { requestId });
  const held = new Promise((resolve) => debug.once('Fetch.requestPaused', resolve));
  await debug.send('Fetch.enable', { patterns: [{ urlPattern, requestStage: 'Response' }] });
  return {
    held,
    async release() {
      debug.on('Fetch.requestPaused', pass);
      await pass(await held);
    },
  };
}

const LINE = { created_at: new Date().toISOString(), level: 'INFO', service: 'shop', log_type: 'BACKEND', message: 'hello' };

walk('a file that is not taken in says why, and the examples fit the documents that are there', async ({ browser, lang }) => {
  const server = await Server.start({ lines: [LINE] });
  const v = await Visitor.come(browser, server.url, lang);
  const examples = v.page.locator('.examples button.example');
  await v.choose('researcher');
  const sample = v.say('전세금 증액 한도는?', 'Which file formats can be ingested?');
  await v.page.getByRole('button', { name: sample, exact: true }).waitFor();
  await v.page.goto(`${server.url}/library`);
  const input = v.page.locator('input[type=file]');
  await input.waitFor({ state: 'attached' });
  await input.setInputFiles({ name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 and nothing more') });
  const refused = v.page.locator('.refused');
  await refused.waitFor();
  assert.match(await refused.innerText(), v.say(/broken\.pdf.*넣지 못했습니다\.[^]*(깨졌거나|글자가 없습니다)/, /broken\.pdf.*could not be taken in\.[^]*(damaged|no text)/));
  // It is still to be read when the next file is there.
  const manual = { ko: '# 휴가 규정\n\n## 연차\n\n연차는 한 해에 열다섯 날입니다. 남은 연차는 다음 해로 넘어가지 않습니다.\n', en: '# Leave policy\n\n## Annual leave\n\nAnnual leave is fifteen days a year. What is left does not carry over.\n' }[lang];
  const answer = await holdAnswer(v.page, '*/documents');
  await input.setInputFiles({ name: 'leave.md', mimeType: 'text/markdown', buffer: Buffer.from(manual) });
  // All of it was sent, and nothing says yet that it can be asked about.
  const reading = v.page.getByText(v.say('“leave.md” 문서를 읽고 있습니다…', '“leave.md” is being read…'));
  const taken = v.page.getByText(v.say('“leave.md” 문서를 넣었습니다.', '“leave.md” was taken in.')).first();
  await answer.held;
  await reading.waitFor();
  assert.equal(await taken.count(), 0);
  await answer.release();
  await taken.waitFor();
  assert.equal(await reading.count(), 0);
  await v.page.locator('li.line', { hasText: 'leave.md' }).waitFor();
  assert.equal(await refused.count(), 1);
  await v.accessible('a file that was refused');
  await v.shoot(`upload-refused-${lang}`);
  await v.fits(360);
  await v.open1280();
  // Whoever has documents of their own is asked about those.
  await v.page.goto(`${server.url}/?agent=researcher`);
  const own = examples.filter({ hasText: v.say('휴가 규정', 'Leave policy') });
  await own.waitFor();
  assert.equal(await v.page.getByRole('button', { name: sample, exact: true }).count(), 0);
  await v.shoot(`examples-own-${lang}`);
  await own.click();
  await v.settled();
  assert.match(await v.turns.last().innerText(), v.say(/연차/, /leave/i));
  await v.leave();
  await server.end();
});
