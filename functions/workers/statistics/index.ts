/**
 * The statistics: the table's stream says which leads have changed, and what is counted of them is brought up to date.
 * Stops at the first lead that could not be counted and names its record, so that the stream comes back with everything
 * from there; counting again what was counted already changes nothing.
 */

import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { createOrderStore } from '#functions/data/orders/order-store';
import { createStatisticsStore } from '#functions/data/statistics/statistics-store';
import { openTable } from '#functions/data/table/open-table';
import { count, type StatisticsDeps } from '#functions/domain/statistics/statistics';
import { errorFields } from '#functions/logger';
import type { Runtime } from '#functions/runtime';
import { changedLead } from '#functions/workers/statistics/changes';
import type { FunctionEnvironment } from '#functions/workers/statistics/environment';

export type StatisticsHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

export function create(environment: FunctionEnvironment, runtime: Runtime): StatisticsHandler {
  const table = openTable(environment);
  return createStatistics({
    statistics: createStatisticsStore(table),
    orders: createOrderStore(table),
    runtime,
  });
}

/** Leads counted before the next ones are looked at: what comes after a failure comes again. */
const STRIDE = 32;

export function createStatistics(
  deps: StatisticsDeps & { readonly runtime: Pick<Runtime, 'log'> },
): StatisticsHandler {
  return async (event) => {
    const firstRecord = new Map<string, DynamoDBRecord>();
    for (const record of event.Records) {
      const leadId = changedLead(record);
      if (leadId !== undefined && !firstRecord.has(leadId)) firstRecord.set(leadId, record);
    }
    const leads = [...firstRecord.keys()];
    for (let start = 0; start < leads.length; start += STRIDE) {
      const stride = leads.slice(start, start + STRIDE);
      try {
        await count(deps, stride);
      } catch (error) {
        deps.runtime.log.error('statistics: leads could not be counted', {
          leads: leads.length - start,
          ...errorFields(error),
        });
        const record = firstRecord.get(stride[0] ?? '');
        return { batchItemFailures: [{ itemIdentifier: record?.dynamodb?.SequenceNumber ?? '' }] };
      }
    }
    return { batchItemFailures: [] };
  };
}
