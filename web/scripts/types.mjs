// Types of the API for the page, from the OpenAPI document of a server:
//   node scripts/types.mjs http://127.0.0.1:2024/openapi.json
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../src/api/schema.ts', import.meta.url));

/** A shape as TypeScript writes it. */
export function typeOf(shape) {
  if (shape.$ref) return shape.$ref.split('/').at(-1);
  if (shape.enum) return shape.enum.map((word) => JSON.stringify(word).replaceAll('"', "'")).join(' | ');
  if (shape.anyOf) return shape.anyOf.map(typeOf).join(' | ');
  if (Array.isArray(shape.type)) return shape.type.map((type) => typeOf({ ...shape, type })).join(' | ');
  switch (shape.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return shape.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const of = typeOf(shape.items ?? {});
      return of.includes('|') ? `(${of})[]` : `${of}[]`;
    }
    case 'object':
      return shape.properties ? fields(shape, '  ') : 'Record<string, unknown>';
    default:
      return 'unknown';
  }
}

function fields(shape, indent) {
  const required = new Set(shape.required ?? []);
  const lines = Object.entries(shape.properties).map(([name, of]) => `${indent}${name}${required.has(name) ? '' : '?'}: ${typeOf(of)};`);
  return `{\n${lines.join('\n')}\n${indent.slice(2)}}`;
}

/** The file that the page imports. */
export function generate(openapi) {
  const shapes = Object.entries(openapi.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  const declared = shapes.map(([name, shape]) =>
    shape.properties ? `export interface ${name} ${fields(shape, '  ')}` : `export type ${name} = ${typeOf(shape)};`,
  );
  return `// Made by scripts/types.mjs from the server's OpenAPI document; do not edit.\n\n${declared.join('\n\n')}\n`;
}

/** What is wrong with a value, by the shape that it should have; nothing if it fits. */
export function misfits(value, shape, shapes, at = '$') {
  if (shape.$ref) return misfits(value, shapes[shape.$ref.split('/').at(-1)], shapes, at);
  if (shape.anyOf) return shape.anyOf.some((one) => misfits(value, one, shapes, at).length === 0) ? [] : [`${at}: none of its shapes`];
  if (shape.enum && !shape.enum.includes(value)) return [`${at}: ${JSON.stringify(value)}`];
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
  const types = [shape.type ?? kind].flat().flatMap((type) => (type === 'number' ? ['number', 'integer'] : [type]));
  if (!types.includes(kind)) return [`${at}: ${kind} instead of ${types.join(' or ')}`];
  if (kind === 'array') return value.flatMap((one, n) => misfits(one, shape.items ?? {}, shapes, `${at}[${n}]`));
  if (kind !== 'object') return [];
  const missing = (shape.required ?? []).filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`);
  const known = Object.entries(shape.properties ?? {}).filter(([name]) => name in value);
  return [...missing, ...known.flatMap(([name, of]) => misfits(value[name], of, shapes, `${at}.${name}`))];
}

export const committed = () => readFileSync(FILE, 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const from = process.argv[2] ?? 'http://127.0.0.1:2024/openapi.json';
  const text = from.startsWith('http') ? await (await fetch(from)).text() : readFileSync(from, 'utf8');
  writeFileSync(FILE, generate(JSON.parse(text)));
}
