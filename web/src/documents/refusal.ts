import { NotTakenIn } from '../api/documents';
import type { Problem } from '../api/http';
import { ownLanguage } from '../parts/format';
import type { Lang, Text } from '../text';

/** What the page may send; the server has the last word. */
export const READABLE = '.md,.txt,.html,.htm,.pdf,.docx,.hwpx,.hwp,.json,.jsonl';

/** Why a file was not taken in, and what to do; in the server's words only where we have none. */
export function refusalText(refused: Problem, text: Text, lang: Lang): string {
  const known = refused instanceof NotTakenIn ? text.library.refusals[refused.reason] : undefined;
  if (known) return known;
  const { what, todo } = text.problems[refused.code];
  const said = ownLanguage(refused.detail, lang);
  return said ? `${said} ${todo}` : `${what} ${todo}`;
}
