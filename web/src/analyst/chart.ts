import { isTime } from '../parts/format';
import type { ChartSpec, Row } from './types';

export interface Series {
  name: string;
  /** A value for each place of the x axis; none where the data has none. */
  values: (number | null)[];
}

export interface Picture {
  labels: string[];
  /** The moments of the labels, if they are moments. */
  times: number[] | null;
  series: Series[];
  /** So many series are not drawn. */
  left: number;
  low: number;
  high: number;
}

/** So many series are drawn unless all are wanted: as many as there are colours. */
export const MOST = 6;

/** The colour of a series, and how its line is drawn where the colours begin anew. */
export const colour = (n: number): string => `s${(n % MOST) + 1}`;
export const dashes = (n: number): string | undefined => ['', '7 3', '2 3'][Math.floor(n / MOST) % 3] || undefined;

const asNumber = (value: unknown): number | null => {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : NaN;
  return Number.isFinite(number) ? number : null;
};

const total = (series: Series): number => series.values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** What is drawn: rows brought into series, the largest first. */
export function picture(spec: ChartSpec, rows: Row[], most = MOST): Picture {
  const labels = [...new Set([...rows.map((row) => String(row[spec.x] ?? '')), ...(spec.empty ?? [])])];
  const temporal = labels.length > 0 && labels.every((label) => isTime(label) || /^\d{4}-\d\d-\d\d$/.test(label));
  if (temporal) labels.sort((a, b) => Date.parse(a) - Date.parse(b));
  const place = new Map(labels.map((label, at) => [label, at]));
  const blank = (): (number | null)[] => new Array<number | null>(labels.length).fill(spec.zero ? 0 : null);
  let series: Series[];
  const [first] = spec.y;
  if (spec.series && first) {
    const byName = new Map<string, Series>();
    for (const row of rows) {
      const name = String(row[spec.series] ?? '');
      const one = byName.get(name) ?? { name, values: blank() };
      byName.set(name, one);
      one.values[place.get(String(row[spec.x] ?? '')) ?? 0] = asNumber(row[first]);
    }
    series = [...byName.values()].sort((a, b) => total(b) - total(a));
  } else {
    series = spec.y.map((name) => {
      const values = blank();
      for (const row of rows) values[place.get(String(row[spec.x] ?? '')) ?? 0] = asNumber(row[name]);
      return { name, values };
    });
  }
  const drawn = series.slice(0, most);
  // Not by spreading them as arguments: there may be more values than a call takes.
  const end = (pick: (a: number, b: number) => number): number => drawn.reduce((found, one) => one.values.reduce<number>((sofar, value) => pick(sofar, value ?? 0), found), 0);
  return {
    labels,
    times: temporal ? labels.map((label) => Date.parse(label)) : null,
    series: drawn,
    left: series.length - drawn.length,
    low: end(Math.min),
    high: end(Math.max),
  };
}

/** Round numbers that cover a range, about as many as asked for. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low, low + 1];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const found: number[] = [];
  for (let at = Math.floor(low / step); at * step < high + step * 0.999; at += 1) found.push(Number((at * step).toPrecision(12)));
  return found;
}

/** A moment as short as its neighbours allow. */
export function momentLabel(label: string, times: number[]): string {
  const [day, clock] = [label.slice(5, 10).replace('-', '/'), label.slice(11, 16)];
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const daily = clock === '' || times.length < 2 || (times[1] ?? 0) - first >= 86_400_000;
  if (daily) return day;
  return last - first > 86_400_000 ? `${day} ${clock}` : clock;
}
