import * as z from 'zod/mini';
import { distributionEnvironment, queueEnvironment } from '#functions/platform/environment';

const { DISTRIBUTE_QUEUE_URL, SQS_ENDPOINT } = queueEnvironment.shape;

export const environment = z.object({ ...distributionEnvironment.shape, DISTRIBUTE_QUEUE_URL, SQS_ENDPOINT });
export type FunctionEnvironment = z.output<typeof environment>;
