import * as z from 'zod/mini';
import { CHANNELS } from '#shared/channels/channels';

/** From intake to assignment, and to delivery by each channel. */
export const latencySeries = z.enum(['assigned', ...CHANNELS]);
export type LatencySeries = z.output<typeof latencySeries>;
export const LATENCY_SERIES = latencySeries.options;
