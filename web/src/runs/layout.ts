import type { GraphShape } from '../api/types';

export interface Placed {
  id: string;
  label: string;
  x: number;
  y: number;
  width: number;
}

export interface Drawn {
  from: string;
  to: string;
  path: string;
  conditional: boolean;
}

export interface Layout {
  nodes: Placed[];
  edges: Drawn[];
  width: number;
  height: number;
}

const ROW = 64;
const HIGH = 34;
const GAP = 18;
const MARGIN = 16;
/** Room for the strokes of the first and the last row. */
const TOP = 2;

/** Edges that lead back to where a walk came from; they make no layers. */
function backEdges(shape: GraphShape): Set<number> {
  const out = new Map<string, number[]>();
  shape.edges.forEach((edge, at) => out.set(edge.source, [...(out.get(edge.source) ?? []), at]));
  const back = new Set<number>();
  const state = new Map<string, 'open' | 'done'>();
  const walk = (id: string): void => {
    state.set(id, 'open');
    for (const at of out.get(id) ?? []) {
      const target = shape.edges[at]?.target ?? '';
      if (state.get(target) === 'open') back.add(at);
      else if (!state.has(target)) walk(target);
    }
    state.set(id, 'done');
  };
  for (const { id } of shape.nodes) if (!state.has(id)) walk(id);
  return back;
}

function layersOf(shape: GraphShape, back: Set<number>): Map<string, number> {
  const layer = new Map(shape.nodes.map(({ id }) => [id, 0]));
  // Longest path: as many rounds as there are nodes are enough without back edges.
  for (let round = 0; round < shape.nodes.length; round += 1) {
    let moved = false;
    shape.edges.forEach((edge, at) => {
      if (back.has(at)) return;
      const wanted = (layer.get(edge.source) ?? 0) + 1;
      if ((layer.get(edge.target) ?? 0) < wanted) {
        layer.set(edge.target, wanted);
        moved = true;
      }
    });
    if (!moved) break;
  }
  return layer;
}

const widthOf = (label: string): number => Math.max(64, [...label].reduce((sum, one) => sum + (one > 'ჿ' ? 13 : 7.6), 28));

/** Layers from top to bottom, each node near those that lead to it. */
export function layOut(shape: GraphShape, name: (id: string) => string): Layout {
  const back = backEdges(shape);
  const layer = layersOf(shape, back);
  const rows: string[][] = [];
  for (const { id } of shape.nodes) (rows[layer.get(id) ?? 0] ??= []).push(id);
  const middle = new Map<string, number>();
  const placed = new Map<string, Placed>();
  rows.forEach((row, at) => {
    const pull = (id: string): number => {
      const from = shape.edges.filter((edge, n) => edge.target === id && !back.has(n)).map((edge) => middle.get(edge.source) ?? 0);
      return from.length > 0 ? from.reduce((sum, one) => sum + one, 0) / from.length : 0;
    };
    row.sort((a, b) => pull(a) - pull(b));
    const widths = row.map((id) => widthOf(name(id)));
    let x = -(widths.reduce((sum, one) => sum + one, 0) + GAP * (row.length - 1)) / 2;
    row.forEach((id, n) => {
      const width = widths[n] ?? 64;
      middle.set(id, x + width / 2);
      placed.set(id, { id, label: name(id), x: x + width / 2, y: at * ROW + HIGH / 2, width });
      x += width + GAP;
    });
  });
  // So that the leftmost stands at the margin: nothing is drawn outside the picture.
  const left = Math.min(...[...placed.values()].map((node) => node.x - node.width / 2));
  for (const node of placed.values()) Object.assign(node, { x: node.x - left + MARGIN, y: node.y + TOP });
  const nodes = [...placed.values()];
  const right = Math.max(...nodes.map((node) => node.x + node.width / 2));
  // Edges that skip rows or lead back swing out to the side.
  let aside = 0;
  const edges = shape.edges.map((edge): Drawn => {
    const [a, b] = [placed.get(edge.source), placed.get(edge.target)];
    if (!a || !b) return { from: edge.source, to: edge.target, path: '', conditional: false };
    const far = (layer.get(edge.target) ?? 0) - (layer.get(edge.source) ?? 0);
    let path: string;
    if (far === 1) {
      const half = (b.y - a.y) / 2;
      path = curve([a.x, a.y + HIGH / 2], [a.x, a.y + half, b.x, b.y - half, b.x, b.y - HIGH / 2 - 5]);
    } else {
      aside = Math.min(aside + 1, 7);
      const swing = right + 14 + aside * 11;
      const [from, to] = [a.x + a.width / 2, b.x + b.width / 2];
      const middle = (a.y + b.y) / 2;
      path = curve([from, a.y], [swing, a.y, swing, a.y, swing, middle], [swing, b.y, swing, b.y, to + 6, b.y]);
    }
    return { from: edge.source, to: edge.target, path, conditional: edge.conditional === true };
  });
  const width = right + MARGIN + (aside > 0 ? 14 + aside * 11 : 0);
  return { nodes, edges, width, height: rows.length * ROW - (ROW - HIGH) + 2 * TOP };
}

/** A path from a point along curves, in numbers that every reader of paths takes. */
function curve(from: number[], ...along: number[][]): string {
  const written = (numbers: number[]): string => numbers.map((number) => number.toFixed(1)).join(' ');
  return `M${written(from)}${along.map((one) => `C${written(one)}`).join('')}`;
}
