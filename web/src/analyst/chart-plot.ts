import uPlot from 'uplot';
import { MOST, type Picture, dashes, ticks } from './chart';
import { labelIn, labelPlaces } from './chart-axis';
import type { ChartColours } from './chart-colours';
import type { View } from './chart-zoom';

export const HEIGHT = 260;
/** Left of the plot there are numbers; to the right only half of the last label needs room. */
const RIGHT = 20;
const HALF_A_LETTER = 3.3;
/** The widest column, in pixels. */
const WIDEST = 28;

/** What is drawn, and who is told what happens. What may change while it stands is a function. */
export interface Plot {
  picture: Picture;
  /** Standing bars instead of lines. */
  columns: boolean;
  colours: () => ChartColours;
  view: () => View;
  value: (value: number) => string;
  hovered: (at: number | null) => void;
  /** The places that were dragged over. */
  dragged: (view: View) => void;
  restored: () => void;
}

/** Moments stand where they are in time; columns and names, one beside the other. */
export const xsOf = ({ picture, columns }: Pick<Plot, 'picture' | 'columns'>): number[] =>
  picture.times && !columns ? picture.times : picture.labels.map((_, at) => at);

/** The ends of the x axis: half a column more on both sides, and a little where there is one point. */
export function boundsOf(plot: Plot, xs: readonly number[]): [number, number] {
  const [first, last] = plot.view();
  const [low, high] = [xs[first] ?? 0, xs[last] ?? 0];
  const edge = plot.columns || !plot.picture.times ? 0.5 : high > low ? 0 : 1;
  return [low - edge, high + edge];
}

const fontOf = (host: HTMLElement): string => `12px ${getComputedStyle(host).fontFamily}`;

function xAxis(plot: Plot, xs: readonly number[], font: string): uPlot.Axis {
  const places = new Map(xs.map((x, at) => [x, at]));
  return {
    font,
    stroke: () => plot.colours().muted,
    grid: { show: false },
    ticks: { show: false },
    size: 28,
    gap: 8,
    splits: (u) => {
      const pixels = (at: number): number => u.valToPos(xs[at] ?? 0, 'x');
      const room = u.bbox.width / devicePixelRatio + RIGHT;
      // The last label stays away rather than being cut off.
      const fits = (at: number): boolean => pixels(at) + labelIn(plot.picture, plot.view(), at).length * HALF_A_LETTER <= room;
      return labelPlaces(plot.picture, plot.view(), pixels).filter(fits).map((at) => xs[at] ?? 0);
    },
    values: (_, splits) => splits.map((x) => labelIn(plot.picture, plot.view(), places.get(x) ?? 0)),
  };
}

function yAxis(plot: Plot, marks: () => number[], font: string): uPlot.Axis {
  return {
    font,
    stroke: () => plot.colours().muted,
    grid: { stroke: () => plot.colours().line, width: 1 },
    ticks: { show: false },
    gap: 8,
    size: (_, values) => Math.max(...(values ?? ['']).map((value) => value.length)) * 7.5 + 14,
    splits: marks,
    values: (_, splits) => splits.map(plot.value),
  };
}

/** A value between two gaps is no line: it gets a dot. */
function lonely(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, at) => (value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null ? [at] : []));
}

function lineOf(plot: Plot, n: number): uPlot.Series {
  const dash = dashes(n)?.split(' ').map(Number);
  const alone = lonely(plot.picture.series[n]?.values ?? []);
  const stroke = (): string => plot.colours().series[n % MOST] ?? '';
  return {
    stroke,
    width: 2.2,
    ...(dash ? { dash } : {}),
    ...(plot.picture.series.length === 1 ? { fill: () => plot.colours().area, fillTo: 0 } : {}),
    points: { show: false, filter: () => (alone.length > 0 ? alone : null), size: 7, fill: stroke },
  };
}

/** Columns of one place stand side by side, as many as are shown. */
function columnOf(plot: Plot, n: number): uPlot.Series {
  const layout = (u: uPlot): { start: number; thick: number } => {
    const shown = u.series.map((_, at) => at).filter((at) => at > 0 && u.series[at]?.show !== false);
    const perPixel = ((u.scales['x']?.max ?? 1) - (u.scales['x']?.min ?? 0)) / Math.max(1, u.over.clientWidth);
    const thick = Math.min(0.7 / Math.max(1, shown.length), WIDEST * perPixel);
    return { start: (shown.indexOf(n + 1) - shown.length / 2) * thick, thick };
  };
  const disp = {
    x0: { unit: 1, values: (u: uPlot) => (u.data[0] as number[]).map((x) => x + layout(u).start) },
    size: { unit: 1, values: (u: uPlot) => [layout(u).thick * 0.92] },
  };
  const paint = (): string => plot.colours().series[n % MOST] ?? '';
  // The stroke is what is seen of a zero.
  return { stroke: paint, fill: paint, width: 1, paths: uPlot.paths.bars?.({ disp, radius: 0.1 }) ?? (() => null), points: { show: false } };
}

/** A range was dragged over: it is told, and the mark is taken away. */
function selected(plot: Plot, u: uPlot): void {
  const { left, width } = u.select;
  if (width < 1) return;
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  const [first, last] = [u.posToIdx(left), u.posToIdx(left + width)];
  // A single value could be compared with nothing.
  if (last > first) plot.dragged([first, last]);
}

/** The pointer goes from value to value, and so do the cross and what is dragged over. */
function snapped(u: uPlot, left: number, top: number): [number, number] {
  const x = left < 0 ? undefined : u.data[0][u.posToIdx(left)];
  return x === undefined ? [left, top] : [u.valToPos(x, 'x'), top];
}

function cursorOf(plot: Plot): uPlot.Cursor {
  const dots = { size: 9, width: 2, stroke: () => plot.colours().surface, fill: (_: uPlot, n: number) => plot.colours().series[(n - 1) % MOST] ?? '' };
  return {
    y: false,
    move: snapped,
    // Their own zoom goes from pixel to pixel.
    drag: { setScale: false, x: true, y: false, dist: 6 },
    bind: { dblclick: () => () => (plot.restored(), null) },
    points: plot.columns ? { show: false } : dots,
  };
}

export function draw(plot: Plot, host: HTMLElement, width: number): uPlot {
  const xs = xsOf(plot);
  const font = fontOf(host);
  // Round numbers around what is in sight; the scale ends at the outer ones.
  let marks = ticks(0, 1, 4);
  const options: uPlot.Options = {
    width,
    height: HEIGHT,
    padding: [10, RIGHT, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: false, range: () => boundsOf(plot, xs) },
      y: {
        range: (_, low, high) => {
          marks = ticks(Math.min(0, low ?? 0), Math.max(0, high ?? 0), 4);
          return [marks[0] ?? 0, marks.at(-1) ?? 1];
        },
      },
    },
    axes: [xAxis(plot, xs, font), yAxis(plot, () => marks, font)],
    series: [{}, ...plot.picture.series.map((_, n) => (plot.columns ? columnOf(plot, n) : lineOf(plot, n)))],
    cursor: cursorOf(plot),
    hooks: { setCursor: [(u) => plot.hovered(u.cursor.idx ?? null)], setSelect: [(u) => selected(plot, u)] },
  };
  return new uPlot(options, [xs, ...plot.picture.series.map((one) => one.values)], host);
}
