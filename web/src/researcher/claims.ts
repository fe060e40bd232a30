import type { ClaimSource } from './types';

export interface Claim {
  text: string;
  cites: number[];
  /** What is wrong with it, if anything. */
  fault: string | null;
}

/** Where a source says what the answer's sentences say: spans of its passage, each once, in their order. */
export function citedIn(claims: { sources?: ClaimSource[] }[], number: number): ClaimSource[] {
  const found = claims.flatMap((claim) => claim.sources ?? []).filter((source) => source.number === number);
  const spans = new Map(found.map((source) => [source.offset, source]));
  return [...spans.values()].sort((a, b) => a.offset - b.offset);
}

export interface Piece {
  text: string;
  cited: boolean;
}

/** A passage's text in pieces, those that are cited marked. Offsets count characters, not halves of them. */
export function piecesOf(text: string, spans: { offset: number; length: number }[]): Piece[] {
  const letters = [...text];
  const pieces: Piece[] = [];
  let at = 0;
  for (const { offset, length } of spans) {
    const begin = Math.max(at, offset);
    const end = Math.min(letters.length, offset + length);
    if (end <= begin) continue;
    if (begin > at) pieces.push({ text: letters.slice(at, begin).join(''), cited: false });
    pieces.push({ text: letters.slice(begin, end).join(''), cited: true });
    at = end;
  }
  if (at < letters.length) pieces.push({ text: letters.slice(at).join(''), cited: false });
  return pieces;
}

/** What a passage begins with that the one before ends with: long texts are cut with some overlap. */
export function overlap(before: string, text: string): number {
  for (let length = Math.min(200, before.length, text.length); length >= 20; length -= 1) {
    if (before.endsWith(text.slice(0, length))) return length;
  }
  return 0;
}

const bare = (text: string): string => text.replace(/\s*\[\d{1,3}\]/g, '').replace(/\s+/g, ' ').trim();

/** The sentences of an answer with their sources, and what the check said of each. */
export function claimsOf(answer: string, unsupported: { claim: string; fault: string }[]): Claim[] {
  const refused = new Map(unsupported.map(({ claim, fault }) => [bare(claim), fault]));
  const cut = new Intl.Segmenter('ko', { granularity: 'sentence' });
  const claims: Claim[] = [];
  for (const line of answer.split('\n')) {
    // Notes of the researcher's own are no claims.
    if (line.trim() === '' || line.trim().startsWith('※')) continue;
    for (const { segment } of cut.segment(line)) {
      const text = segment.trim();
      const before = claims.at(-1);
      // A citation behind the full stop belongs to the sentence before.
      if (before && /^(\[\d{1,3}\]\s*)+[.)]?$/.test(text)) {
        before.cites.push(...numbers(text));
        continue;
      }
      const words = bare(text).replace(/^[-*\d.)\s]+/, '');
      if (words.length < 2) continue;
      claims.push({ text: words, cites: numbers(text), fault: refused.get(bare(text)) ?? null });
    }
  }
  return claims.map((claim) => ({ ...claim, fault: claim.fault ?? refusedPart(claim.text, refused) ?? (claim.cites.length === 0 ? 'no_citation' : null) }));
}

const numbers = (text: string): number[] => [...text.matchAll(/\[(\d{1,3})\]/g)].map((one) => Number(one[1]));

/** The answer marks refused sentences, so that they begin like the claim but do not end like it. */
function refusedPart(text: string, refused: Map<string, string>): string | null {
  for (const [claim, fault] of refused) if (claim.length > 8 && text.startsWith(claim)) return fault;
  return null;
}
