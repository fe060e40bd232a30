/** The initial consonants as keyboards write them, in the order of Unicode's leading jamo. */
const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const FIRST = 0x1100;

/** Text as a row of jamo, so that half a syllable finds the whole. */
function spread(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[ㄱ-ㅎ]/g, (one) => {
      const at = INITIALS.indexOf(one);
      return at < 0 ? one : String.fromCodePoint(FIRST + at);
    });
}

/** Whether every word of a search is in a text. Hangul may be half typed. */
export function matches(text: string, search: string): boolean {
  const all = spread(text);
  return search
    .trim()
    .split(/\s+/)
    .every((word) => all.includes(spread(word)));
}
