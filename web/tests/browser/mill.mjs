// A server that speaks just enough of the API to grind out tokens: at any speed, and with its connections cut.
import { createServer } from 'node:http';

const WORDS = '두루 살피고 널리 묻는 그래프는 멈추어도 다시 이어집니다 and nothing is said twice or lost on the way '.split(' ').filter(Boolean);

/** Words, in paragraphs of so many; 0 for one that has all. */
const word = (at, paragraph) => `${WORDS[at % WORDS.length]}${at}${paragraph && at % paragraph === paragraph - 1 ? '\n\n' : ' '}`;

export const sentence = (count, paragraph = 50) => Array.from({ length: count }, (_, at) => word(at, paragraph)).join('');

export class Mill {
  /** Serves the page of a real server, and a thread whose run says `tokens` words, `rate` a second. */
  static async start({ page, tokens, rate, cutEvery = 0, paragraph = 50 }) {
    const mill = new Mill();
    Object.assign(mill, { page, tokens, rate, cutEvery, paragraph, started: null, cuts: 0, open: new Set() });
    mill.http = createServer((request, response) => mill.answer(request, response).catch((error) => response.destroy(error)));
    await new Promise((resolve) => mill.http.listen(0, '127.0.0.1', resolve));
    mill.url = `http://127.0.0.1:${mill.http.address().port}`;
    return mill;
  }

  get run() {
    const said = this.started === null ? 0 : Math.floor(((Date.now() - this.started) / 1000) * this.rate);
    const status = this.started !== null && said >= this.tokens ? 'success' : 'running';
    const time = new Date(this.started ?? 0).toISOString();
    return { run_id: 'run', thread_id: 'thread', assistant_id: 'mill', created_at: time, updated_at: time, status, metadata: { nonce: this.nonce, parent_run: null }, kwargs: { input: { messages: [{ type: 'human', content: 'go' }] } } };
  }

  get thread() {
    return { thread_id: 'thread', created_at: '', updated_at: new Date().toISOString(), status: 'idle', metadata: { graph_id: 'mill', title: 'go' } };
  }

  get page1() {
    if (this.started === null) return { thread: this.thread, turns: [], earlier: 0, newest_run: null };
    const messages = [{ type: 'human', content: 'go' }, { type: 'ai', id: 'm', content: sentence(this.tokens, this.paragraph) }];
    const values = this.run.status === 'success' ? { messages } : {};
    const turn = { turn_id: 'run', parent: null, siblings: ['run'], runs: [this.run], values, before: null, checkpoint: { checkpoint_id: 'c' }, next: [], questions: [], waits: false, custom: [], error: null };
    return { thread: this.thread, turns: [turn], earlier: 0, newest_run: 'run' };
  }

  async answer(request, response) {
    const { pathname } = new URL(request.url, this.url);
    let body = '';
    for await (const piece of request) body += piece;
    const json = (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (pathname === '/assistants/search') return json([{ assistant_id: 'mill', graph_id: 'mill', name: 'mill' }]);
    if (pathname === '/threads/search') return json(this.started === null ? [] : [this.thread]);
    if (pathname === '/threads' || pathname === '/threads/thread') return json(this.thread);
    if (pathname === '/threads/thread/runs') return json(this.started === null ? [] : [this.run]);
    if (pathname === '/threads/thread/runs/run') return json(this.run);
    if (pathname === '/threads/thread/turns') return json(this.page1);
    if (pathname === '/store/items/search') return json({ items: [] });
    if (pathname.endsWith('/schemas')) return json({ input_schema: {} });
    if (pathname === '/threads/thread/runs/stream' && request.method === 'POST') {
      this.started = Date.now();
      this.nonce = JSON.parse(body).metadata.nonce;
      return this.stream(response, 0);
    }
    if (pathname === '/threads/thread/runs/run/stream') {
      const last = request.headers['last-event-id'];
      return this.stream(response, last === undefined || last === '-1' ? 0 : Number(last.split('-')[1]) + 1);
    }
    // Everything else is the page's own.
    const real = await fetch(this.page + pathname, { headers: { accept: request.headers.accept ?? '*/*' } });
    response.writeHead(real.status, { 'content-type': real.headers.get('content-type') ?? '' }).end(Buffer.from(await real.arrayBuffer()));
  }

  stream(response, from) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-location': '/threads/thread/runs/run', 'cache-control': 'no-store' });
    let at = from;
    let sent = 0;
    const frame = (n) => {
      const data = [{ type: 'AIMessageChunk', id: 'm', content: word(n, this.paragraph) }, { langgraph_node: 'say' }];
      return `event: messages\r\ndata: ${JSON.stringify(data)}\r\nid: ${this.started}-${n}\r\n\r\n`;
    };
    const timer = setInterval(() => {
      const due = Math.min(this.tokens, Math.floor(((Date.now() - this.started) / 1000) * this.rate));
      while (at < due) {
        const text = frame(at);
        at += 1;
        sent += 1;
        if (this.cutEvery && this.cuts < 24 && sent >= this.cutEvery && at < this.tokens) {
          // In the middle of a frame, as real connections break.
          this.cuts += 1;
          response.write(text.slice(0, text.length / 2), () => response.destroy());
          clearInterval(timer);
          return;
        }
        response.write(text);
        this.firstSent ??= Date.now();
      }
      if (at >= this.tokens) {
        clearInterval(timer);
        response.end();
      }
    }, 5);
    response.on('close', () => clearInterval(timer));
  }

  close() {
    this.http.closeAllConnections();
    this.http.close();
  }
}
