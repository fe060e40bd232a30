import { ask } from './http';
import type { Assistant, GraphShape, JsonSchema } from './types';

export const searchAssistants = (): Promise<Assistant[]> =>
  ask('/assistants/search', { body: { limit: 100, metadata: { created_by: 'system' } } });

export const graphOf = (id: string): Promise<GraphShape> => ask(`/assistants/${id}/graph`);

export const inputSchema = async (id: string): Promise<JsonSchema> =>
  (await ask<{ input_schema?: JsonSchema }>(`/assistants/${id}/schemas`)).input_schema ?? {};
