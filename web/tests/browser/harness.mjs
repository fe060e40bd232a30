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
