// Runs every walk against a real `duru serve` (DURU_BIN) in a real Chromium (CHROMIUM).
import { launch, walks } from './harness.mjs';
import { Server, endAll } from './server.mjs';
import './analyst.mjs';
import './conversations.mjs';
import './durable.mjs';
import './looks.mjs';
import './runs.mjs';
import './safety.mjs';
import './streaming.mjs';

const only = process.argv[2];
const browser = await launch();
const server = await Server.start();
let failed = 0;
for (const { name, lang, run } of walks.filter((walk) => !only || walk.name.includes(only))) {
  const from = Date.now();
  try {
    await run({ browser, server, lang });
    console.log(`ok   ${name} ${((Date.now() - from) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}\n${error.stack ?? error}`);
  }
}
await browser.close();
await endAll();
console.log(failed === 0 ? 'all walks went well' : `${failed} walks failed`);
process.exit(failed === 0 ? 0 : 1);
