import { Table } from '#functions/data/table/table';
import type { Runtime } from '#functions/platform/runtime';

export function openTable(
  environment: { readonly TABLE_NAME: string; readonly DYNAMODB_ENDPOINT?: string | undefined },
  runtime: Runtime,
): Table {
  return new Table({
    name: environment.TABLE_NAME,
    endpoint: environment.DYNAMODB_ENDPOINT,
    runtime,
    ...(runtime.externalServices && { documents: runtime.externalServices.table }),
  });
}
