import { type Token, Lexer, marked } from 'marked';

export type { Token };

/**
 * The blocks of a text that grows, each as it was written. Only the last two can still change (a `2` below a list becomes its
 * second item with the next full stop), so only they are read again, and every other one stays the same string: a text is drawn
 * anew only at its end.
 */
export class Blocks {
  /** The text up to where the last two blocks begin, and the blocks in it. */
  #done = '';
  #settled: string[] = [];

  of(written: string): string[] {
    const text = written.replace(/\r\n?/g, '\n');
    if (!text.startsWith(this.#done)) {
      this.#done = '';
      this.#settled = [];
    }
    const tokens = new Lexer().blockTokens(text.slice(this.#done.length));
    const seen = tokens.flatMap((token, at) => (token.type === 'space' ? [] : [at]));
    const all = [...this.#settled, ...seen.map((at) => tokens[at]?.raw ?? '')];
    const before = tokens.slice(0, seen.at(-2) ?? 0).map((token) => token.raw).join('');
    // A lexer that wrote a block differently would not say where the block ends.
    if (seen.length > 2 && text.startsWith(before, this.#done.length)) {
      this.#done += before;
      this.#settled = all.slice(0, -2);
    }
    return all;
  }
}

export function read(raw: string): Token[] {
  return marked.lexer(raw);
}

export function inline(text: string): Token[] {
  return Lexer.lexInline(text);
}

/** Where a link may lead: the web and mail, nothing that runs. */
export function safeLink(href: string): string | null {
  try {
    const url = new URL(href, location.origin);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** Text with its citations: strings, and numbers for [1]. */
export function citations(text: string): (string | number)[] {
  return text
    .split(/(\[\d{1,3}\])/)
    .filter((part) => part !== '')
    .map((part) => (/^\[\d{1,3}\]$/.test(part) ? Number(part.slice(1, -1)) : part));
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Markdown's own way to write signs that HTML reads; the page makes no HTML, so they are only signs. */
export function plain(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
