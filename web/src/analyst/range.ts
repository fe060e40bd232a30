import type { TimeRange, Unit } from '../conversation/extra';
import { offsetOf, written } from '../parts/zone';
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

/** A moment as `<input type=datetime-local>` writes it, by the clocks of a time zone. */
export function local(date: Date, zone: string): string {
  return new Date(date.getTime() + offsetOf(zone, date.getTime()) * 60_000).toISOString().slice(0, 16);
}

/** A moment by the clocks of a time zone with its offset, as the server wants it. */
export function withOffset(value: string, zone: string): string {
  const asUtc = Date.parse(`${value}Z`);
  // Where clocks change, the offset is that of the moment itself, not of the same hour in UTC.
  const offset = offsetOf(zone, asUtc - offsetOf(zone, asUtc) * 60_000);
  return `${value.length === 16 ? `${value}:00` : value}${written(offset)}`;
}

export type RangeFault = 'backwards' | 'future' | 'tooLong';

/** Why a range can't be asked for. */
export function faultOf(from: string, to: string, zone: string, now = new Date()): RangeFault | null {
  if (!from || !to) return 'backwards';
  const [start, end] = [Date.parse(withOffset(from, zone)), Date.parse(withOffset(to, zone))];
  if (!(start < end)) return 'backwards';
  if (end > now.getTime() + 60_000) return 'future';
  return end - start > 366 * 86_400_000 ? 'tooLong' : null;
}

export const absolute = (from: string, to: string, zone: string): TimeRange => ({
  type: 'absolute',
  absolute: { start: withOffset(from, zone), end: withOffset(to, zone) },
});

const spoken = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

/** A range in words that a person reads, and that the analyst understands as an answer. */
export function rangeText(range: TimeRange, text: Text): string {
  if (range.type === 'relative') return text.time.last[range.relative.unit](range.relative.value);
  return `${spoken(range.absolute.start)} ~ ${spoken(range.absolute.end)}`;
}
