/** What the researcher's state says, as far as it is shown. */
export interface Research {
  final_answer: string | null;
  citations: Citation[];
  documents: Passage[];
  nearest: Passage[];
  conflicts: { first_says: string; second_says: string }[];
  unsupported: { claim: string; fault: string }[];
  hallucination_check: { is_valid: boolean; score: number; reason: string } | null;
  workflow_status: string;
  warnings: string[];
  subtasks: { id: number; query: string; documents: string[] }[];
  /** How the question ended; nothing for small talk. */
  ending: Ending | null;
  confidence_score: number;
  claims: { text: string; citations: number[]; sources?: ClaimSource[] }[];
}

export type Ending = 'answer' | 'maybe' | 'none';

/** Where a source says what a sentence of the answer says; offset and length in characters of the passage. */
export interface ClaimSource {
  number: number;
  document: string;
  page?: number | null;
  offset: number;
  length: number;
  excerpt: string;
}

export interface Citation {
  number: number;
  document: string;
  label: string;
  source: string;
  page?: number | null;
  excerpt: string;
  /** Set where the source is a person, not a passage. */
  remarked?: { author: string; date: string | null; passage: string; accepted: boolean } | null;
}

export interface Passage {
  id: string;
  source: string;
  title: string;
  section?: string;
  page?: number | null;
  text: string;
  reason?: string;
}
