// A model that writes one answer at a hundred tokens a second, in OpenAI's format, and notes when it began.
import { createServer } from 'node:http';

const TOKEN_MS = 10;

export class Pen {
  /** Writes `before`, then the person's words, then `after`; a token is two syllables or four letters. */
  static async start({ before, words, after }) {
    const pen = new Pen();
    pen.firstTokens = [];
    pen.http = createServer((request, response) => {
      request.resume().on('end', () => pen.write(response, { before, words, after }));
    });
    await new Promise((resolve) => pen.http.listen(0, '127.0.0.1', resolve));
    const policies = { DURU_POLICY: 'rule', DURU_POLICY_ANALYST_GENERATE_INSIGHT: 'model', DURU_POLICY_ADVISOR_RESPONSE_SYNTHESIS: 'model' };
    const base = `http://127.0.0.1:${pen.http.address().port}/v1`;
    /** Variables that lead a server to it, for the answers alone. */
    pen.variables = { OPENAI_BASE_URL: base, OPENAI_API_KEY: 'fake-key', DURU_MODEL: 'openai:fake', ...policies };
    return pen;
  }

  write(response, { before, words, after }) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const tokens = [before, ...(words.match(/[ -~]{1,4}|[^ -~]{1,2}/gu) ?? []), after];
    const send = (choice) => response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
    let at = 0;
    const timer = setInterval(() => {
      if (at === 1) this.firstTokens.push(Date.now());
      if (at < tokens.length) {
        send({ delta: { content: tokens[at] } });
        at += 1;
        return;
      }
      clearInterval(timer);
      send({ delta: {}, finish_reason: 'stop' });
      response.end('data: [DONE]\n\n');
    }, TOKEN_MS);
    response.on('close', () => clearInterval(timer));
  }

  close() {
    this.http.closeAllConnections();
    this.http.close();
  }
}
