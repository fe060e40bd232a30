import type { Row } from './types';

/** A spreadsheet runs a cell that begins like this as a formula. */
const FORMULA = /^[\s]*[=+\-@\t\r]/;

function text(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A value that no spreadsheet runs. Numbers stay numbers, also negative ones. */
function harmless(value: unknown): string {
  const written = text(value);
  return typeof value !== 'number' && FORMULA.test(written) ? `'${written}` : written;
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

export function toCsv(columns: string[], rows: Row[]): string {
  const lines = [columns.map((name) => quoted(harmless(name)))];
  for (const row of rows) lines.push(columns.map((name) => quoted(harmless(row[name]))));
  return `\ufeff${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

/** For the clipboard: what spreadsheets paste as cells. */
export function toTsv(columns: string[], rows: Row[]): string {
  const flat = (value: unknown): string => harmless(value).replace(/[\t\r\n]+/g, ' ');
  return [columns.map(flat), ...rows.map((row) => columns.map((name) => flat(row[name])))].map((line) => line.join('\t')).join('\n');
}

export function save(name: string, type: string, content: string): void {
  saveBlob(name, new Blob([content], { type: `${type};charset=utf-8` }));
}

export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
