/** How far a time zone is ahead of UTC at a moment, in minutes. */
export function offsetOf(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at);
  const said = /([+-])(\d\d):(\d\d)/.exec(parts.find((part) => part.type === 'timeZoneName')?.value ?? '');
  return said ? (said[1] === '-' ? -1 : 1) * (Number(said[2]) * 60 + Number(said[3])) : 0;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** As moments are written: `+09:00`. */
export const written = (offset: number): string => `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;

/** A zone as people call it: KST, UTC, or its name with its distance. */
export function zoneLabel(zone: string, at = Date.now()): string {
  if (zone === 'UTC') return 'UTC';
  const offset = offsetOf(zone, at);
  const far = `UTC${offset < 0 ? '-' : '+'}${Math.floor(Math.abs(offset) / 60)}${offset % 60 ? `:${two(Math.abs(offset) % 60)}` : ''}`;
  return zone === 'Asia/Seoul' ? `KST (${far})` : `${zone} (${far})`;
}
