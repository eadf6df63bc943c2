import * as z from 'zod/mini';
import {
  checkpointEnvironment,
  distributionEnvironment,
  erasureEnvironment,
  exportEnvironment,
  keyEnvironment,
  operatorEnvironment,
} from '#functions/platform/environment';

export const environment = z.object({
  ...distributionEnvironment.shape,
  ...keyEnvironment.shape,
  ...operatorEnvironment.shape,
  ...checkpointEnvironment.shape,
  ...exportEnvironment.shape,
  ...erasureEnvironment.shape,
});
export type FunctionEnvironment = z.output<typeof environment>;
