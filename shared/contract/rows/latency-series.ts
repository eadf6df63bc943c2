import * as z from 'zod/mini';
import { CHANNELS } from '#shared/channels/channels';

/** How long a lead takes from intake to the assignment, and to the delivery over each channel. */
export const latencySeries = z.enum(['assigned', ...CHANNELS]);
export type LatencySeries = z.output<typeof latencySeries>;
export const LATENCY_SERIES = latencySeries.options;
