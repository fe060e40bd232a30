import type { Lang } from '../text';

const numbers: Record<Lang, Intl.NumberFormat> = {
  ko: new Intl.NumberFormat('ko-KR', { maximumFractionDigits: 3 }),
  en: new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 }),
};
const short: Record<Lang, Intl.NumberFormat> = {
  ko: new Intl.NumberFormat('ko-KR', { notation: 'compact', maximumFractionDigits: 1 }),
  en: new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }),
};

export const number = (value: number, lang: Lang): string => numbers[lang].format(value);
export const compact = (value: number, lang: Lang): string => short[lang].format(value);
export const seconds = (ms: number): string => (ms / 1000).toFixed(ms < 9950 ? 1 : 0);
export const percent = (value: number): string => `${Math.round(value * 100)}%`;

const ISO = /^\d{4}-\d\d-\d\d(T|\s)\d\d:\d\d/;

export const isTime = (value: unknown): value is string => typeof value === 'string' && ISO.test(value);

/** A time as the data has it, without what nobody reads. */
export function time(value: string): string {
  return value.replace('T', ' ').replace(/(:\d\d)\.\d+/, '$1').replace(/([+-]\d\d):00$/, '$1').replace(/Z$/, ' UTC');
}

/** A value for a cell of a table. */
export function cell(value: unknown, lang: Lang): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return number(value, lang);
  if (isTime(value)) return time(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** How long ago, roughly. */
export function when(iso: string, lang: Lang): string {
  const date = new Date(iso);
  return date.toLocaleString(lang === 'ko' ? 'ko-KR' : 'en-US', { dateStyle: 'medium', timeStyle: 'short' });
}

const MOMENT = /(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g;

/** A text whose moments are written for people: days alone where all of them are the beginnings of days. */
export function legible(text: string): string {
  const days = [...text.matchAll(MOMENT)].every((found) => found[2] === '00:00');
  return text.replace(MOMENT, (_, day: string, time: string) => (days ? day : `${day} ${time}`));
}

/** The half that is in a person's language, where the server says something in both: "한국어 / English". */
export function ownLanguage(said: string, lang: Lang): string {
  const parts = said.split(' / ');
  return parts.length === 2 && parts[0] && parts[1] ? (lang === 'ko' ? parts[0] : parts[1]) : said;
}
