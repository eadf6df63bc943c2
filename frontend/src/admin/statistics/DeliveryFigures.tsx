import { Stack } from '@mantine/core';
import { useBuyerStats } from '../data/insights';
import { periodQuery } from '../ui/Period';
import { ListSkeleton, QueryResult } from '../ui/states';
import { Latencies } from './Latencies';
import { MissedLeads } from './MissedLeads';
import type { TabProps } from './tabs';

/** What buyers missed in the period, and how long their leads took. */
export function DeliveryFigures({ state }: TabProps) {
  const period = periodQuery(state);
  const stats = useBuyerStats({ ...period, buyer_id: state.buyer });
  return (
    <Stack gap="lg">
      <QueryResult query={stats} skeleton={<ListSkeleton rows={5} />} what="The missed leads">
        {({ buyer_stats }) => <MissedLeads rows={buyer_stats} />}
      </QueryResult>
      <Latencies period={period} />
    </Stack>
  );
}
