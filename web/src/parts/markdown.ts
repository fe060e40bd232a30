import { type Token, Lexer, marked } from 'marked';

export type { Token };

/**
 * The blocks of a text, each as it was written. A block that did not change is the same string,
 * so that a text that grows is drawn again only at its end.
 */
export function blocks(text: string): string[] {
  return marked
    .lexer(text)
    .filter((token) => token.type !== 'space')
    .map((token) => token.raw);
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
