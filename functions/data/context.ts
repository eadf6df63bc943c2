import type { Table } from '#functions/data/table/table';
import type { Runtime } from '#functions/platform/runtime';

/** What the functions of the stores need. */
export interface DataContext {
  readonly table: Table;
}

/** What every use case needs. */
export interface Context extends DataContext {
  readonly runtime: Runtime;
}
