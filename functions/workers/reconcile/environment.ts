import * as z from 'zod/mini';
import {
  headEnvironment,
  operatorEnvironment,
  queueEnvironment,
  tableEnvironment,
  verificationEnvironment,
} from '#functions/environment';

export const environment = z.object({
  ...tableEnvironment.shape,
  ...queueEnvironment.shape,
  ...verificationEnvironment.shape,
  ...operatorEnvironment.shape,
  ...headEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
