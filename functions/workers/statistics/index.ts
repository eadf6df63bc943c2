/** After a failure Lambda repeats from the first record concerned; counting a lead twice changes nothing. */

import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Context } from '#functions/data/context';
import { openTable } from '#functions/data/table/open-table';
import { count, type StatisticsContext } from '#functions/domain/statistics/statistics';
import { errorFields } from '#functions/platform/logger';
import type { Runtime } from '#functions/platform/runtime';
import { changedLead, deliveredOver } from '#functions/workers/statistics/changes';
import type { FunctionEnvironment } from '#functions/workers/statistics/environment';
import type { Channel } from '#shared/channels/channels';

export type StatisticsHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

export function create(environment: FunctionEnvironment, runtime: Runtime): StatisticsHandler {
  const table = openTable(environment, runtime);
  return createStatistics({ table, runtime, home: { shard: 0 } });
}

/** After a failure their batch and all later ones are repeated. */
const LEADS_PER_BATCH = 32;

export function createStatistics(context: StatisticsContext & Pick<Context, 'runtime'>): StatisticsHandler {
  return async (event) => {
    const firstRecord = new Map<string, DynamoDBRecord>();
    const delivered = new Map<string, Set<Channel>>();
    for (const record of event.Records) {
      const leadId = changedLead(record);
      if (leadId === undefined) continue;
      if (!firstRecord.has(leadId)) firstRecord.set(leadId, record);
      const channel = deliveredOver(record);
      if (channel !== undefined) delivered.set(leadId, (delivered.get(leadId) ?? new Set()).add(channel));
    }
    const leads = [...firstRecord.keys()];
    for (let start = 0; start < leads.length; start += LEADS_PER_BATCH) {
      const batch = leads.slice(start, start + LEADS_PER_BATCH);
      try {
        await count(context, batch, (leadId) => delivered.get(leadId) ?? []);
      } catch (error) {
        context.runtime.log.error('statistics: leads could not be counted', {
          leads: leads.length - start,
          ...errorFields(error),
        });
        const record = firstRecord.get(batch[0] ?? '');
        return { batchItemFailures: [{ itemIdentifier: record?.dynamodb?.SequenceNumber ?? '' }] };
      }
    }
    return { batchItemFailures: [] };
  };
}
