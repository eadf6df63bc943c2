/** The names of all functions, by what starts them. CDK and the local runtime both build from this list. */
import { API_FUNCTIONS } from '#shared/contract/routes';

/**
 * - `outbox` (stream): puts new deliveries, notifications and redistributions on their queues
 * - `statistics` (stream): keeps the daily aggregates
 * - `deliver`, `notify`, `callback`, `redistribute`, `distribute` (queues): deliver a lead, send a notification, tell a source
 *   of its lead, distribute the backlog again, distribute a batch of new leads
 * - `bounces` (queue): notes what SES tells of mails that came back
 * - `reconcile` (every minute): finishes or undoes what a crash left half done
 */
export const WORKERS = [
  'outbox',
  'statistics',
  'deliver',
  'notify',
  'callback',
  'redistribute',
  'distribute',
  'bounces',
  'reconcile',
] as const;
export type Worker = (typeof WORKERS)[number];

export const FUNCTIONS = [...API_FUNCTIONS, ...WORKERS] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

/** Queues and the worker that each one feeds. */
export const QUEUES = [
  'deliver',
  'notify',
  'callback',
  'redistribute',
  'distribute',
  'bounces',
] as const satisfies readonly Worker[];
export type QueueName = (typeof QUEUES)[number];
