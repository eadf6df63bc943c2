import * as z from 'zod/mini';
import {
  keyEnvironment,
  linkEnvironment,
  operatorEnvironment,
  providerEnvironment,
  pushEnvironment,
  tableEnvironment,
} from '#functions/platform/environment';

export const environment = z.object({
  ...tableEnvironment.shape,
  ...keyEnvironment.shape,
  ...linkEnvironment.shape,
  ...pushEnvironment.shape,
  ...operatorEnvironment.shape,
  ...providerEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
