// Types of the API for the page, from the OpenAPI document of a server:
//   node scripts/types.mjs http://127.0.0.1:2024/openapi.json
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../src/api/schema.ts', import.meta.url));
const USERS = fileURLToPath(new URL('../src/api/types.ts', import.meta.url));

/** A shape as TypeScript writes it. */
export function typeOf(shape) {
  if (shape.$ref) return shape.$ref.split('/').at(-1);
  if (shape.enum) return shape.enum.map((word) => JSON.stringify(word).replaceAll('"', "'")).join(' | ');
  const choices = shape.anyOf ?? shape.oneOf;
  // What is nothing comes last, as people write it.
  if (choices) return choices.map(typeOf).sort((a, b) => (a === 'null') - (b === 'null')).join(' | ');
  if (shape.allOf) return shape.allOf.map(typeOf).join(' & ');
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
      if (shape.properties) return fields(shape, '  ');
      return `Record<string, ${typeof shape.additionalProperties === 'object' ? typeOf(shape.additionalProperties) : 'unknown'}>`;
    default:
      return 'unknown';
  }
}

function fields(shape, indent) {
  const required = new Set(shape.required ?? []);
  const lines = Object.entries(shape.properties).map(([name, of]) => `${indent}${name}${required.has(name) ? '' : '?'}: ${typeOf(of)};`);
  return `{\n${lines.join('\n')}\n${indent.slice(2)}}`;
}

/** The names of the shapes that the page uses, and of those that they are made of. */
function used(schemas) {
  const names = new Set([...readFileSync(USERS, 'utf8').matchAll(/\bschema\.(\w+)/g)].map(([, name]) => name));
  for (const name of names) {
    if (!schemas[name]) throw new Error(`the server has no ${name}`);
    for (const [, part] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) names.add(part);
  }
  return [...names].sort();
}

/** The file that the page imports. */
export function generate(openapi) {
  const schemas = openapi.components.schemas;
  const shapes = used(schemas).map((name) => [name, schemas[name]]);
  const declared = shapes.map(([name, shape]) =>
    shape.properties ? `export interface ${name} ${fields(shape, '  ')}` : `export type ${name} = ${typeOf(shape)};`,
  );
  return `// Made by scripts/types.mjs from the server's OpenAPI document; do not edit.\n\n${declared.join('\n\n')}\n`;
}

/** What is wrong with a value, by the shape that it should have; nothing if it fits. */
export function misfits(value, shape, shapes, at = '$') {
  if (shape.$ref) return misfits(value, shapes[shape.$ref.split('/').at(-1)], shapes, at);
  if (shape.allOf) return shape.allOf.flatMap((one) => misfits(value, one, shapes, at));
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return choices.some((one) => misfits(value, one, shapes, at).length === 0) ? [] : [`${at}: none of its shapes`];
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
