// Runs every walk against a real `duru serve` (DURU_BIN) in a real Chromium (CHROMIUM).
import { launch, walks } from './harness.mjs';
import { Server, endAll } from './server.mjs';
import './advisor.mjs';
import './analyst.mjs';
import './approval.mjs';
import './conversations.mjs';
import './durable.mjs';
import './kept.mjs';
import './keyboard.mjs';
import './keys.mjs';
import './library.mjs';
import './long.mjs';
import './looks.mjs';
import './problems.mjs';
import './researcher.mjs';
import './runs.mjs';
import './safety.mjs';
import './streaming.mjs';

const only = process.argv[2];
const browser = await launch();
const server = await Server.start();
let failed = 0;
const waiting = walks.filter((walk) => !only || walk.name.includes(only));
async function goes({ name, lang, run }) {
  const from = Date.now();
  try {
    await run({ browser, server, lang });
    console.log(`ok   ${name} ${((Date.now() - from) / 1000).toFixed(1)} s`);
    return true;
  } catch (error) {
    console.log(`FAIL ${name}\n${error.stack ?? error}`);
    return false;
  }
}
async function worker() {
  for (let next = waiting.shift(); next; next = waiting.shift()) if (!(await goes(next))) failed += 1;
}
await Promise.all(Array.from({ length: Number(process.env.DURU_WALKERS ?? 3) }, worker));
await browser.close();
await endAll();
console.log(failed === 0 ? 'all walks went well' : `${failed} walks failed`);
process.exit(failed === 0 ? 0 : 1);
