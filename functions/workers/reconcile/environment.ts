import * as z from 'zod/mini';
import {
  checkpointEnvironment,
  erasureEnvironment,
  exportEnvironment,
  keyEnvironment,
  operatorEnvironment,
  queueEnvironment,
  tableEnvironment,
  verificationEnvironment,
} from '#functions/platform/environment';

export const environment = z.object({
  ...tableEnvironment.shape,
  ...keyEnvironment.shape,
  ...queueEnvironment.shape,
  ...verificationEnvironment.shape,
  ...operatorEnvironment.shape,
  ...checkpointEnvironment.shape,
  ...exportEnvironment.shape,
  ...erasureEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
