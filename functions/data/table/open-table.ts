import { Table } from '#functions/data/table/table';

/** The table that a function's environment names. */
export function openTable(environment: {
  readonly TABLE_NAME: string;
  readonly DYNAMODB_ENDPOINT?: string | undefined;
}): Table {
  return new Table({ name: environment.TABLE_NAME, endpoint: environment.DYNAMODB_ENDPOINT });
}
