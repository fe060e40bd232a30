import { MOST } from './chart';

/** The page's colours, as a canvas understands them: it knows neither variables nor which theme is on. */
export interface ChartColours {
  series: string[];
  /** Below a single line. */
  area: string;
  muted: string;
  line: string;
  surface: string;
}

export function chartColours(host: HTMLElement): ChartColours {
  const probe = document.createElement('span');
  host.append(probe);
  const resolved = (colour: string): string => {
    probe.style.color = colour;
    return getComputedStyle(probe).color;
  };
  const colours = {
    series: Array.from({ length: MOST }, (_, n) => resolved(`var(--series-${n + 1})`)),
    area: resolved('color-mix(in srgb, var(--series-1) 12%, transparent)'),
    muted: resolved('var(--muted)'),
    line: resolved('var(--line)'),
    surface: resolved('var(--surface)'),
  };
  probe.remove();
  return colours;
}
