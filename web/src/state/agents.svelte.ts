import { inputSchema, searchAssistants } from '../api/assistants';
import { Problem } from '../api/http';
import type { Assistant, JsonSchema, Values } from '../api/types';
import type { Lang } from '../text';

/** In this order; others come after them by name. */
const ORDER = ['analyst', 'researcher', 'advisor'];

function rank(graph: string): number {
  const at = ORDER.indexOf(graph);
  return at < 0 ? ORDER.length : at;
}

/** The graphs that the server has. */
class Agents {
  all = $state.raw<Assistant[]>([]);
  problem = $state.raw<Problem | null>(null);
  #schemas = new Map<string, Promise<JsonSchema>>();

  async load(): Promise<void> {
    try {
      const found = await searchAssistants();
      this.all = found.sort((a, b) => rank(a.graph_id) - rank(b.graph_id) || a.graph_id.localeCompare(b.graph_id));
      this.problem = null;
    } catch (error) {
      this.problem = error instanceof Problem ? error : new Problem('server', String(error));
    }
  }

  /** A text as the input that a graph wants. */
  async input(graph: string, text: string, lang: Lang): Promise<Values> {
    const assistant = this.all.find((one) => one.graph_id === graph);
    if (!assistant || ORDER.includes(graph)) return asMessage(text);
    const schema = await (this.#schemas.get(graph) ?? this.#read(assistant));
    return inputFor(schema, text, lang);
  }

  #read(assistant: Assistant): Promise<JsonSchema> {
    const schema = inputSchema(assistant.assistant_id).catch(() => ({}));
    this.#schemas.set(assistant.graph_id, schema);
    return schema;
  }
}

const asMessage = (text: string): Values => ({ messages: [{ type: 'human', content: text }] });

/** Messages where a graph takes them, else its first field for a text. */
export function inputFor(schema: JsonSchema, text: string, lang: Lang): Values {
  const properties = schema.properties ?? {};
  if ('messages' in properties || Object.keys(properties).length === 0) return asMessage(text);
  const isText = (one: JsonSchema): boolean => one.type === 'string' || (Array.isArray(one.type) && one.type.includes('string'));
  const names = Object.keys(properties).filter((name) => isText(properties[name] ?? {}));
  const name = ['question', 'query', 'topic', 'text', 'input'].find((one) => names.includes(one)) ?? names[0];
  const input: Values = name ? { [name]: text } : asMessage(text);
  if ('lang' in properties && name !== 'lang') input['lang'] = lang;
  return input;
}

export const agents = new Agents();
