export interface Part {
  kind: 'keyword' | 'string' | 'number' | 'comment' | 'plain';
  text: string;
}

const WORDS = new Set(
  `select from where group by order having limit offset as and or not in is null like ilike between case when then else end
   join left right inner outer full cross lateral on using union all distinct with recursive interval timestamptz timestamp date
   desc asc nulls last first true false filter over partition rows preceding following current row exists any extract cast`.split(/\s+/),
);
const TOKEN = /(--[^\n]*|\/\*[\s\S]*?\*\/)|('(?:[^']|'')*')|("(?:[^"]|"")*")|(\b\d+(?:\.\d+)?\b)|([A-Za-z_][A-Za-z_0-9]*)|(\s+|[\s\S])/g;

/** A query as coloured pieces; together they are exactly the query. */
export function paint(sql: string): Part[] {
  const parts: Part[] = [];
  for (const [text, comment, string, , number, word] of sql.matchAll(TOKEN)) {
    const kind = comment ? 'comment' : string ? 'string' : number ? 'number' : word && WORDS.has(word.toLowerCase()) ? 'keyword' : 'plain';
    const before = parts.at(-1);
    if (before?.kind === kind) before.text += text;
    else parts.push({ kind, text });
  }
  return parts;
}

const CLAUSE = /^(select|from|where|group|order|having|limit|union|join|left|inner|cross|with)$/i;

/** A query on one line, with a line for each clause of its outermost level. */
export function lay(sql: string): string {
  if (sql.includes('\n')) return sql;
  let depth = 0;
  let between = false;
  let out = '';
  for (const [text, , , , , word] of sql.matchAll(TOKEN)) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (word && /^between$/i.test(word)) between = true;
    if (word && depth === 0 && out !== '') {
      if (CLAUSE.test(word)) out = `${out.trimEnd()}\n`;
      else if (/^(and|or)$/i.test(word)) {
        if (!between) out = `${out.trimEnd()}\n  `;
        between = false;
      }
    }
    out += text;
  }
  return out;
}
