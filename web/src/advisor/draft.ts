/** A draft that the person fills in, as the advisor asks for it. */
export interface DraftField {
  name: string;
  label: string;
  input: 'text' | 'won' | 'date' | 'number' | 'choice' | 'lines';
  required?: boolean;
  value: string | number | string[] | null;
  choices?: { value: string; label: string }[];
}

export interface Draft {
  type: 'draft_review_required';
  message: string;
  fields: DraftField[];
  missing?: string[];
  flaws?: { grave: boolean; text: string }[];
  options?: { value: string; label: string; description?: string }[];
  markdown?: string;
}

/** A document that can be had. */
export interface MadeDocument {
  id: string;
  name: string;
  address: string;
  size?: number;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

export function asDraft(value: unknown): Draft | null {
  if (!isObject(value) || value['type'] !== 'draft_review_required' || !Array.isArray(value['fields'])) return null;
  const isField = (one: unknown): boolean => isObject(one) && typeof one['name'] === 'string' && typeof one['input'] === 'string';
  return value['fields'].every(isField) ? (value as unknown as Draft) : null;
}

/** What a field shows while it is edited. */
export function written(field: DraftField): string {
  if (field.value === null || field.value === undefined) return '';
  return Array.isArray(field.value) ? field.value.join('\n') : String(field.value);
}

/** What was changed, by field; what is emptied is null, or an empty list. */
export function changes(fields: DraftField[], texts: Record<string, string>): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const field of fields) {
    const text = texts[field.name] ?? '';
    if (text.trim() === written(field).trim()) continue;
    changed[field.name] = field.input === 'lines' ? text.split('\n').map((line) => line.trim()).filter(Boolean) : text.trim() || null;
  }
  return changed;
}

/** A sum as people say it: 3억 5,000만. Nothing for what is no sum. */
export function inWords(text: string, lang: 'ko' | 'en'): string {
  const won = Number(text.replaceAll(',', '').trim());
  if (!text.trim() || !Number.isFinite(won) || won < 10_000) return '';
  if (lang === 'en') return `₩${won.toLocaleString('en-US')}`;
  const [eok, man] = [Math.floor(won / 100_000_000), Math.floor((won % 100_000_000) / 10_000)];
  return [eok > 0 ? `${eok.toLocaleString('ko-KR')}억` : '', man > 0 ? `${man.toLocaleString('ko-KR')}만` : ''].filter(Boolean).join(' ') + '원';
}

/** The documents that an answer came with. */
export function documentsOf(values: Record<string, unknown> | null): MadeDocument[] {
  const answer = values?.['final_response'];
  const made = isObject(answer) ? answer['documents'] : null;
  const fits = (one: unknown): one is MadeDocument =>
    isObject(one) && typeof one['name'] === 'string' && typeof one['address'] === 'string' && /^\/drafts\/[\w-]+$/.test(one['address']);
  return Array.isArray(made) ? made.filter(fits) : [];
}
