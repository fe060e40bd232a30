import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Visitor, walk } from './harness.mjs';

/** A server whose one graph wants to act, and asks first, all of `asked` at once; it remembers what it was answered. */
class Asker {
  static async start(page, ...asked) {
    const asker = new Asker();
    Object.assign(asker, { page, asked, runs: [], answers: [] });
    asker.http = createServer((request, response) => asker.answer(request, response).catch((error) => response.destroy(error)));
    await new Promise((resolve) => asker.http.listen(0, '127.0.0.1', resolve));
    asker.url = `http://127.0.0.1:${asker.http.address().port}`;
    return asker;
  }

  get thread() {
    return { thread_id: 'thread', created_at: '', updated_at: new Date().toISOString(), status: 'idle', metadata: { graph_id: 'asker', title: 'go' } };
  }

  /** The questions that are still open. */
  get open() {
    const answered = new Set(this.answers.flatMap((answer) => Object.keys(answer)));
    return this.asked.map((value, n) => ({ id: `i${n}`, value, response_schema: null, deadline: null })).filter((one) => !answered.has(one.id));
  }

  get turns() {
    const { open } = this;
    const messages = [{ type: 'human', content: 'go' }, ...(open.length > 0 ? [] : [{ type: 'ai', id: 'm', content: 'done' }])];
    const turn = { turn_id: 'run-0', parent: null, siblings: ['run-0'], runs: this.runs, values: { messages }, before: null, checkpoint: { checkpoint_id: 'c' }, next: open.length > 0 ? ['act'] : [], questions: open, waits: open.length > 0, custom: [], error: null };
    return { thread: this.thread, turns: this.runs.length > 0 ? [turn] : [], earlier: 0, newest_run: this.runs.at(-1)?.run_id ?? null };
  }

  frames(run) {
    const asks = this.runs[0]?.run_id === run || this.open.length > 0;
    const frame = (event, data, n) => `event: ${event}\r\ndata: ${JSON.stringify(data)}\r\nid: ${this.runs[0].at}-${n}\r\n\r\n`;
    return asks ? frame('updates', { __interrupt__: this.open }, 0) : frame('messages', [{ type: 'ai', id: 'm', content: 'done' }, { langgraph_node: 'act' }], 1);
  }

  async answer(request, response) {
    const { pathname } = new URL(request.url, this.url);
    let body = '';
    for await (const piece of request) body += piece;
    const asked = body ? JSON.parse(body) : {};
    const json = (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const stream = (run) => response.writeHead(200, { 'content-type': 'text/event-stream', 'content-location': `/threads/thread/runs/${run}` }).end(this.frames(run));
    const [, , , , run, last] = pathname.split('/');
    if (pathname === '/assistants/search') return json([{ assistant_id: 'asker', graph_id: 'asker', name: 'asker' }]);
    if (pathname === '/threads/search') return json(this.runs.length > 0 ? [this.thread] : []);
    if (pathname === '/threads' || pathname === '/threads/thread') return json(this.thread);
    if (pathname === '/threads/thread/turns') return json(this.turns);
    if (pathname === '/threads/thread/runs') return json(this.runs.toReversed());
    if (pathname === '/store/items/search') return json({ items: [] });
    if (pathname === '/store/items') return json(null);
    if (pathname.endsWith('/schemas')) return json({ input_schema: {} });
    if (pathname === '/threads/thread/runs/stream') {
      if (asked.command) this.answers.push(asked.command.resume);
      const time = new Date().toISOString();
      this.runs.push({ run_id: `run-${this.runs.length}`, at: Date.now(), thread_id: 'thread', assistant_id: 'asker', created_at: time, updated_at: time, status: 'success', metadata: asked.metadata, kwargs: { input: asked.input, command: asked.command } });
      return stream(this.runs.at(-1).run_id);
    }
    if (last === 'stream') return stream(run);
    if (pathname.startsWith('/threads/thread/runs/')) return json(this.runs.find((one) => one.run_id === run));
    const real = await fetch(this.page + pathname, { headers: { accept: request.headers.accept ?? '*/*' } });
    response.writeHead(real.status, { 'content-type': real.headers.get('content-type') ?? '' }).end(Buffer.from(await real.arrayBuffer()));
  }

  close() {
    this.http.closeAllConnections();
    this.http.close();
  }
}

const PAY = { action_requests: [{ name: 'pay', args: { won: 100, to: 'kim' }, description: 'Pay somebody' }], review_configs: [{ action_name: 'pay', allowed_decisions: ['approve', 'edit', 'reject', 'respond'] }] };

/** Asks, and comes back to the question after a reload; what was answered with the keys of the keyboard alone. */
async function answered(browser, server, lang, asked, press) {
  const asker = await Asker.start(server.url, asked);
  const v = await Visitor.come(browser, asker.url, lang);
  await v.ask('go');
  const card = v.turns.last().getByRole('group', { name: v.say('확인이 필요합니다', 'Please confirm') }).or(v.turns.last().locator('section.card')).first();
  await card.waitFor();
  await v.page.reload();
  await card.waitFor();
  await card.getByText('pay', { exact: true }).waitFor();
  await v.page.evaluate(() => document.activeElement?.blur());
  await press(v, card);
  await v.turns.last().getByText('done').waitFor();
  assert.equal(await v.turns.count(), 1, 'the answer belongs to the question');
  await v.leave();
  asker.close();
  // By the id of the question.
  return asker.answers.map((answer) => answer.i0);
}

walk('an agent that wants to act is approved, corrected, refused or told something, by the keys a, e, r and m', async ({ browser, server, lang }) => {
  const approve = await answered(browser, server, lang, PAY, (v) => v.page.keyboard.press('a'));
  assert.deepEqual(approve, [{ decisions: [{ type: 'approve' }] }]);
  const edit = await answered(browser, server, lang, PAY, async (v, card) => {
    await v.page.keyboard.press('e');
    await card.getByText(v.say('아직 고친 것이 없습니다.', 'Nothing is changed yet.')).waitFor();
    await v.page.keyboard.press('Control+a');
    await v.page.keyboard.type('{ "won": 50');
    await card.getByRole('alert').waitFor();
    assert.ok(await v.button('대답 보내기', 'Send answer', card).isDisabled(), 'half of it is no JSON');
    await v.page.keyboard.type(', "to": "kim" }');
    // What is different is shown before it is sent, and only that.
    const changed = card.getByRole('group', { name: v.say('고친 것', 'Changed') });
    await changed.locator('.before').getByText('100').waitFor();
    await changed.locator('.after').getByText('50').waitFor();
    assert.equal(await changed.locator('dt').count(), 1);
    await v.accessible('a correction');
    await v.shoot(`approval-${lang}-light`);
    await v.fits(360);
    await v.open1280();
    await v.page.keyboard.press('Tab');
    await v.page.keyboard.press('Enter');
  });
  assert.deepEqual(edit, [{ decisions: [{ type: 'edit', edited_action: { name: 'pay', args: { won: 50, to: 'kim' } } }] }]);
  const reject = await answered(browser, server, lang, PAY, async (v) => {
    await v.page.keyboard.press('r');
    await v.page.keyboard.type('too much');
    await v.page.keyboard.press('Tab');
    await v.page.keyboard.press('Enter');
  });
  assert.deepEqual(reject, [{ decisions: [{ type: 'reject', message: 'too much' }] }]);
  // As the Agent Inbox asks, which allows only to reply and to ignore.
  const inbox = [{ action_request: { action: 'pay', args: {} }, config: { allow_respond: true, allow_ignore: true } }];
  const respond = await answered(browser, server, lang, inbox, async (v, card) => {
    await v.page.keyboard.press('a');
    assert.deepEqual((await card.getByRole('button').allInnerTexts()).map((label) => label.replace(/\s+/g, ' ')), [v.say('거절 r', 'Reject r'), v.say('답장 m', 'Reply m')]);
    await v.page.keyboard.press('m');
    await v.page.keyboard.type('later');
    await v.page.keyboard.press('Tab');
    await v.page.keyboard.press('Enter');
  });
  assert.deepEqual(respond, [[{ type: 'response', args: 'later' }]]);
});

walk('of two questions the one that is left open stays after a reload, and both are in order', async ({ browser, server, lang }) => {
  const want = (name) => ({ ...PAY, action_requests: [{ name, args: {} }] });
  const asker = await Asker.start(server.url, want('first'), want('second'));
  const v = await Visitor.come(browser, asker.url, lang);
  const cards = v.turns.last().locator('section.card');
  await v.ask('go');
  await v.counts(cards, 2);
  assert.deepEqual(await cards.locator('strong').allInnerTexts(), ['first', 'second']);
  await v.accessible('two questions at once');
  await v.shoot(`two-questions-${lang}`);
  await v.button('승인 a', 'Approve a', cards.first()).click();
  await v.counts(cards, 1);
  await cards.getByText('second', { exact: true }).waitFor();
  await v.page.reload();
  await cards.getByText('second', { exact: true }).waitFor();
  assert.deepEqual(asker.answers, [{ i0: { decisions: [{ type: 'approve' }] } }]);
  await v.button('승인 a', 'Approve a', cards).click();
  await v.turns.last().getByText('done').waitFor();
  assert.equal(await v.turns.count(), 1);
  assert.deepEqual(asker.answers.at(-1), { i1: { decisions: [{ type: 'approve' }] } });
  await v.leave();
  asker.close();
});
