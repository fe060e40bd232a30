// A `duru serve` of one's own, in a folder of its own, that can be killed and started again.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BIN = process.env.DURU_BIN;
const alive = new Set();

function environment(folder, pace) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(DURU_|ANTHROPIC_|OPENAI_|OLLAMA_)/.test(name));
  const slow = pace ? { DURU_EXAMPLE_PACE_MS: String(pace) } : {};
  return { ...Object.fromEntries(kept), ...slow, XDG_DATA_HOME: folder, LC_ALL: 'C.UTF-8' };
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

export class Server {
  /** With lines of a log and files of tables (under the name `shop`), or with the samples that a newcomer gets; the example's nodes take `pace` milliseconds; `more` variables. */
  static async start({ lines, pace, model, more, tables } = {}) {
    const server = new Server();
    server.pace = pace;
    server.more = { ...more };
    server.folder = mkdtempSync(join(tmpdir(), 'duru-page-'));
    server.port = await freePort();
    server.url = `http://127.0.0.1:${server.port}`;
    server.args = ['serve', '--port', String(server.port), '--lang', 'en'];
    if (lines) {
      const file = join(server.folder, 'lines.jsonl');
      writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
      const logs = join(server.folder, 'own-logs');
      const env = environment(server.folder);
      const done = spawnSync(BIN, ['logs', 'ingest', file, '--logs', logs], { env, encoding: 'utf8' });
      if (done.status !== 0) throw new Error(`logs ingest: ${done.stdout}${done.stderr}`);
      server.args.push('--logs', logs);
    }
    if (tables) {
      const folder = join(server.folder, 'sales');
      mkdirSync(folder);
      for (const [name, text] of Object.entries(tables)) writeFileSync(join(folder, name), text);
      const done = spawnSync(BIN, ['tables', 'add', folder, '--name', 'shop'], { env: environment(server.folder), encoding: 'utf8' });
      if (done.status !== 0) throw new Error(`tables add: ${done.stdout}${done.stderr}`);
      server.args.push('--tables', 'shop');
    }
    if (model) await server.beginModel(model);
    await server.begin();
    return server;
  }

  /** A fake model that says what its script says. */
  async beginModel(script) {
    const file = join(this.folder, 'script.jsonl');
    writeFileSync(file, script);
    this.model = spawn(BIN, ['fake-model', '--script', file], { env: environment(this.folder), stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    for await (const text of this.model.stdout) {
      said += text;
      if (said.split('\n').length > 2) break;
    }
    const words = said.split('\n')[1].split(' ').slice(1);
    this.more = Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
  }

  /** From now on nobody gets in without one. */
  makeKey(name) {
    return JSON.parse(this.command('keys', 'add', name, '--scope', 'ask,ingest', '--json')).key;
  }

  /** What a command says that works on the same data. */
  command(...args) {
    return spawnSync(BIN, args, { env: environment(this.folder), encoding: 'utf8' }).stdout;
  }

  async begin() {
    this.said = '';
    this.process = spawn(BIN, this.args, { env: { ...environment(this.folder, this.pace), ...this.more }, stdio: ['ignore', 'pipe', 'pipe'] });
    alive.add(this);
    for (const pipe of [this.process.stdout, this.process.stderr]) pipe.on('data', (text) => (this.said += text));
    const late = Date.now() + 120_000;
    for (;;) {
      const ready = await fetch(`${this.url}/ready`).then((answer) => answer.ok, () => false);
      if (ready) return;
      if (Date.now() > late || this.process.exitCode !== null) throw new Error(`duru serve did not start: ${this.said}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** As by a loss of power. */
  async kill() {
    const gone = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGKILL');
    await gone;
  }

  async end() {
    alive.delete(this);
    this.model?.kill('SIGKILL');
    if (this.process.exitCode === null) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async ask(method, path, body) {
    const answer = await fetch(this.url + path, { method, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await answer.text();
    return text ? JSON.parse(text) : null;
  }
}

/** Whatever a failed walk left behind. */
export async function endAll() {
  await Promise.all([...alive].map((server) => server.end()));
}
