import * as z from 'zod/mini';
import {
  checkpointEnvironment,
  distributionEnvironment,
  erasureEnvironment,
  exportEnvironment,
  keyEnvironment,
  operatorEnvironment,
  sendingQueueEnvironment,
} from '#functions/platform/environment';

export const environment = z.object({
  ...distributionEnvironment.shape,
  ...sendingQueueEnvironment.shape,
  ...keyEnvironment.shape,
  ...operatorEnvironment.shape,
  ...checkpointEnvironment.shape,
  ...exportEnvironment.shape,
  ...erasureEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
