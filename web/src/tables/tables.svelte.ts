import { Problem } from '../api/http';
import { type TableSource, listTables } from '../api/tables';

/** What can be asked, as far as the person may. */
class Tables {
  sources = $state.raw<TableSource[] | null>(null);
  mayEdit = $state(false);
  problem = $state.raw<Problem | null>(null);
  #loading: Promise<void> | null = null;

  /** Once; again where it went wrong or where it is wanted anew. */
  load(anew = false): Promise<void> {
    if (anew || this.#loading === null) this.#loading = this.#read();
    return this.#loading;
  }

  async #read(): Promise<void> {
    try {
      const { sources, may_edit } = await listTables();
      [this.sources, this.mayEdit, this.problem] = [sources, may_edit, null];
    } catch (error) {
      this.#loading = null;
      const found = error instanceof Problem ? error : new Problem('server', String(error));
      // A server without an analyst has none, which is no fault.
      if (found.code === 'not_found') this.sources = [];
      else this.problem = found;
    }
  }
}

export const tables = new Tables();
