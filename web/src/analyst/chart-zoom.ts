/** The places of the x axis that are shown, from the first to the last. */
export type View = readonly [first: number, last: number];

export const whole = (count: number): View => [0, Math.max(0, count - 1)];

/** All of it is no zoom: nothing is left to go back to. */
export const zoomTo = (view: View, count: number): View | null => (view[0] <= 0 && view[1] >= count - 1 ? null : view);

/** Half of what is shown, around a place. */
export function closer([first, last]: View, count: number, around = (first + last) / 2): View | null {
  const span = Math.max(1, Math.floor((last - first) / 2));
  return windowOf(count, span, around < first || around > last ? (first + last) / 2 : around);
}

/** Twice of what is shown, around its middle. */
export function wider([first, last]: View, count: number): View | null {
  return windowOf(count, (last - first) * 2, (first + last) / 2);
}

function windowOf(count: number, span: number, middle: number): View | null {
  const first = Math.max(0, Math.min(Math.round(middle - span / 2), count - 1 - span));
  return zoomTo([first, Math.min(count - 1, first + span)], count);
}
