// What the walks share: a browser, a page in one language, and words to find things by.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const walks = [];

/** A walk through the page, once for each language unless told. */
export function walk(name, run, langs = ['ko', 'en']) {
  for (const lang of langs) walks.push({ name: `${name} (${lang})`, lang, run });
}

export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
}

export class Visitor {
  static async come(browser, url, lang, options = {}) {
    const visitor = new Visitor();
    visitor.url = url;
    visitor.lang = lang;
    visitor.context = await browser.newContext({
      viewport: { width: 1280, height: 860 },
      locale: lang === 'ko' ? 'ko-KR' : 'en-US',
      timezoneId: 'Asia/Seoul',
      acceptDownloads: true,
      ...options,
    });
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    visitor.errors = [];
    visitor.elsewhere = [];
    await visitor.open();
    return visitor;
  }

  async open() {
    const page = await this.context.newPage();
    this.page = page;
    // Waits end when what they wait for is there; a busy machine may take its time.
    page.setDefaultTimeout(150_000);
    page.on('pageerror', (error) => this.errors.push(`${error.message}`));
    page.on('console', (message) => {
      const text = message.text();
      // A server that is away and a stream that is cut are what some walks are about.
      if (message.type() === 'error' && !/Failed to load resource|net::ERR/.test(text)) this.errors.push(text);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(this.url) && !/^(data|blob):/.test(request.url())) this.elsewhere.push(request.url());
    });
    await page.goto(this.url);
  }

  /** One of two words, by the language of the visit. */
  say(ko, en) {
    return this.lang === 'ko' ? ko : en;
  }

  get composer() {
    return this.page.getByRole('textbox', { name: this.say('질문', 'Question'), exact: true });
  }

  get turns() {
    return this.page.locator('article');
  }

  button(ko, en, inside = this.page) {
    return inside.getByRole('button', { name: this.say(ko, en), exact: true });
  }

  tab(ko, en, inside = this.page) {
    return inside.getByRole('tab', { name: this.say(ko, en) });
  }

  async choose(agent) {
    await this.page.locator('.pick.agent select').selectOption(agent);
  }

  async ask(question) {
    await this.composer.fill(question);
    await this.composer.press('Enter');
  }

  /** Until the newest turn is at its end. */
  async settled() {
    await this.page.waitForFunction(() => {
      const last = [...document.querySelectorAll('article')].at(-1);
      return last && last.getAttribute('aria-busy') === 'false' && last.querySelector('.actions');
    });
  }

  /** Until there are so many. */
  async counts(locator, wanted) {
    const until = Date.now() + 150_000;
    let count = await locator.count();
    while (count !== wanted && Date.now() < until) {
      await this.page.waitForTimeout(50);
      count = await locator.count();
    }
    assert.equal(count, wanted);
  }

  /** The series that a chart names; those that are drawn are pressed. */
  series(turn, pressed) {
    return turn.locator(`.legend [aria-pressed${pressed === undefined ? '' : `="${pressed}"`}]`);
  }

  /** The places of a chart over time, as somebody without a pointer reads them: a text for each. */
  async readings(turn) {
    const slider = turn.getByRole('slider', { name: this.say('차트에서 값 읽기', 'Read values of the chart') });
    const count = Number(await slider.getAttribute('max')) - Number(await slider.getAttribute('min')) + 1;
    await slider.focus();
    await this.page.keyboard.press('Home');
    const read = [await slider.getAttribute('aria-valuetext')];
    for (let at = 1; at < count; at += 1) {
      await this.page.keyboard.press('ArrowRight');
      read.push(await slider.getAttribute('aria-valuetext'));
    }
    await slider.blur();
    return read;
  }

  /** How often the colour of the n-th series begins in that row of the canvas where it does so most: once for each column, and never without a line. Zeros, which lie on the ground, do not count. */
  painted(turn, n = 1) {
    return turn.locator('canvas').evaluate((canvas, n) => {
      const probe = document.body.appendChild(document.createElement('span'));
      probe.style.color = `var(--series-${n})`;
      const wanted = getComputedStyle(probe).color.match(/\d+/g).map(Number);
      probe.remove();
      const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const is = (at) => data[at + 3] > 200 && wanted.every((part, of) => Math.abs(part - data[at + of]) < 16);
      const rows = Array.from({ length: height }, (_, y) => {
        let runs = 0;
        for (let x = 0; x < width; x += 1) if (is((y * width + x) * 4) && !(x > 0 && is((y * width + x - 1) * 4))) runs += 1;
        return runs;
      });
      const ground = rows.findLastIndex((runs) => runs > 0);
      return Math.max(0, ...rows.slice(0, Math.max(0, ground - 3)));
    }, n);
  }

  /** Drags over a part of a chart, from one share of its width to another. */
  async drag(turn, from, to) {
    await turn.locator('.u-over').scrollIntoViewIfNeeded();
    const box = await turn.locator('.u-over').boundingBox();
    const y = box.y + box.height / 2;
    await this.page.mouse.move(box.x + box.width * from, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + box.width * ((from + to) / 2), y, { steps: 4 });
    await this.page.mouse.move(box.x + box.width * to, y, { steps: 4 });
    await this.page.mouse.up();
  }

  /** What the one thing is called that has the focus. */
  focused() {
    return this.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '');
  }

  async open1280() {
    await this.page.setViewportSize({ width: 1280, height: 860 });
  }

  /** Nothing sticks out to the side. */
  async fits(width) {
    await this.page.setViewportSize({ width, height: 740 });
    await this.page.waitForTimeout(150);
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} px on a screen of ${width} px at ${this.page.url()}`);
  }

  /** axe, with the rules of WCAG 2.2 AA and best practice. */
  async accessible(where) {
    // The page's policy forbids injected scripts; the tool comes in through the debugger instead.
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate(async () => {
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const { violations } = await globalThis.axe.run(document, { runOnly: { type: 'tag', values: tags } });
      return violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary ?? ''}`).join(' | ')}`);
    });
    assert.deepEqual(found, [], `axe at ${where} (${this.lang})`);
  }

  /** Screenshots for the documents, where they are wanted. */
  async shoot(name) {
    const folder = process.env.DURU_SHOTS;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }

  async leave() {
    await this.context.close();
    assert.deepEqual(this.errors, [], 'errors in the console');
    assert.deepEqual(this.elsewhere, [], 'requests to other origins');
  }
}
