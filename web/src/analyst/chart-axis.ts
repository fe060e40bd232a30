import { type Picture, momentLabel } from './chart';
import type { View } from './chart-zoom';

/** So far apart are labels, in pixels: as long as the longest moment. */
const ROOM = 84;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What clocks and calendars are divided by. */
const STEPS = [1, 2, 5, 10, 15, 30].map((n) => n * MINUTE).concat([1, 2, 3, 6, 12].map((n) => n * HOUR), [1, 2, 5, 10].map((n) => n * DAY));

/** Where the labels stand on the x axis: at values, so that none lies between the buckets of a query; at round hours where there are some. */
export function labelPlaces(picture: Picture, [first, last]: View, pixels: (at: number) => number): number[] {
  const shown = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const apart = (places: number[]): boolean => places.every((at, n) => n === 0 || pixels(at) - pixels(places[n - 1] ?? at) >= ROOM);
  if (picture.times) {
    // By the clock of the data's zone, which the label has, and not by that of the browser.
    const clocks = shown.map((at) => Date.parse(`${(picture.labels[at] ?? '').slice(0, 16).replace(' ', 'T').padEnd(16, 'T00:00')}Z`));
    for (const step of STEPS) {
      const round = shown.filter((_, n) => (clocks[n] ?? NaN) % step === 0);
      if (round.length < 2) break;
      if (apart(round)) return round;
    }
  }
  const places: number[] = [];
  for (const at of shown) if (places.length === 0 || pixels(at) - pixels(places.at(-1) ?? at) >= ROOM) places.push(at);
  return places;
}

/** A label as short as what is shown beside it allows. */
export function labelIn(picture: Picture, [first, last]: View, at: number): string {
  const label = picture.labels[at] ?? '';
  return picture.times ? momentLabel(label, picture.times.slice(first, last + 1)) : label;
}
