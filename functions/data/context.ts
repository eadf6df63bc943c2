import type { Table } from '#functions/data/table/table';
import type { Runtime } from '#functions/platform/runtime';

export interface DataContext {
  readonly table: Table;
}

export interface Context extends DataContext {
  readonly runtime: Runtime;
}
