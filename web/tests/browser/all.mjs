// Runs every walk against a real `duru serve` (DURU_BIN) in a real Chromium (CHROMIUM).
// `--of NAME` runs those of one file, a word those whose name has it.
import { readdir } from 'node:fs/promises';
import { launch, walks } from './harness.mjs';
import { Server, endAll } from './server.mjs';

const helpers = ['all.mjs', 'figures.mjs', 'harness.mjs', 'mill.mjs', 'pen.mjs', 'server.mjs'];
const [first, second] = process.argv.slice(2);
const [file, only] = first === '--of' ? [`${second}.mjs`, undefined] : [undefined, first];
const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.mjs') && !helpers.includes(name));
for (const name of files.sort()) if (!file || name === file) await import(`./${name}`);
if (walks.length === 0) throw new Error(`there are no walks in ${file}; there are ${files.join(', ')}`);

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
