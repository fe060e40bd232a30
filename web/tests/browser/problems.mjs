import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';

/** Every status that is no success and that the server, or a proxy before it, can answer with; by what is to be said. */
const SAID = [
  [[400, 405, 411, 422], '서버가 요청을 이해하지 못했습니다. 내용을 고쳐 다시 보내세요.', 'The server did not understand the request. Change it and send again.'],
  [[403], '이 요청은 허락되지 않았습니다. 서버가 알려 준 주소로', 'This request is not allowed. Open the page at the address'],
  [[404], '찾는 것이 없습니다. 삭제되었을 수 있습니다.', 'It is not there. It may have been deleted.'],
  [[408, 504], '시간 안에 끝나지 않았습니다. 질문을 좁히거나', 'It did not finish in time. Narrow the question down'],
  [[409], '이 대화에서 다른 실행이 진행 중입니다. 끝나기를 기다리거나', 'Another run of this conversation is under way. Wait for it'],
  [[413], '보낸 내용이 너무 큽니다. 줄여서 다시 보내세요.', 'What was sent is too large. Make it shorter'],
  [[415], '이런 형식은 받지 않습니다. Markdown', 'This format is not taken. Send it as Markdown'],
  [[429], '요청이 너무 많습니다. 잠시 뒤에', 'Too many requests. Try again in a moment.'],
  [[500], '서버에서 오류가 났습니다. 다시 시도하고', 'The server had an error. Try again;'],
  [[502, 503], '서버가 잠시 일을 받지 못합니다. 잠시 뒤에', 'The server can’t take work right now. Try again'],
];

walk('every refusal says what happened and what to do, and nothing that was written is lost', async ({ browser, server, lang }) => {
  const v = await Visitor.come(browser, server.url, lang);
  await v.composer.waitFor();
  let status = 0;
  await v.page.route('**/threads', (route) => (route.request().method() === 'POST' ? route.fulfill({ status, json: { detail: 'machine words' } }) : route.fallback()));
  for (const [statuses, ko, en] of SAID) {
    for (status of statuses) {
      await v.ask(`${status}?`);
      const alert = v.page.getByRole('alert').filter({ hasText: v.say(ko, en) });
      await alert.waitFor();
      assert.equal(await v.page.getByRole('alert').count(), 1, `one notice for ${status}`);
      assert.ok(await v.button('다시 시도', 'Try again', alert).isVisible());
      assert.equal(await v.composer.inputValue(), `${status}?`);
      assert.equal(await alert.getByText('machine words').isVisible(), false, 'the server’s words are for those who look closer');
    }
  }
  await v.accessible('a notice');
  // The way on works.
  await v.page.unroute('**/threads');
  await v.button('다시 시도', 'Try again').click();
  await v.page.waitForFunction(() => document.querySelectorAll('article').length === 1);
  await v.leave();
});
