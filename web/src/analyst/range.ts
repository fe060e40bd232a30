import type { TimeRange, Unit } from '../conversation/extra';
import type { Text } from '../text';

export const presets: [number, Unit][] = [
  [1, 'h'],
  [6, 'h'],
  [24, 'h'],
  [7, 'd'],
  [30, 'd'],
  [3, 'm'],
];

export const relative = (value: number, unit: Unit): TimeRange => ({ type: 'relative', relative: { value, unit } });

const two = (n: number): string => String(n).padStart(2, '0');

/** A moment as `<input type=datetime-local>` writes it. */
export function local(date: Date): string {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A local moment with its offset, as the server wants it. */
export function withOffset(value: string): string {
  const offset = -new Date(value).getTimezoneOffset();
  const hours = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${value.length === 16 ? `${value}:00` : value}${hours}`;
}

export type RangeFault = 'backwards' | 'future' | 'tooLong';

/** Why a range can't be asked for. */
export function faultOf(from: string, to: string, now = new Date()): RangeFault | null {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (!(start < end)) return 'backwards';
  if (end > now.getTime() + 60_000) return 'future';
  return end - start > 366 * 86_400_000 ? 'tooLong' : null;
}

export const absolute = (from: string, to: string): TimeRange => ({
  type: 'absolute',
  absolute: { start: withOffset(from), end: withOffset(to) },
});

const spoken = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

/** A range in words that a person reads, and that the analyst understands as an answer. */
export function rangeText(range: TimeRange, text: Text): string {
  if (range.type === 'relative') return text.time.last[range.relative.unit](range.relative.value);
  return `${spoken(range.absolute.start)} ~ ${spoken(range.absolute.end)}`;
}
