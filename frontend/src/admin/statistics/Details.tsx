import type { BuyerStats } from '../data/insights';
import { AccountingExport } from './AccountingExport';
import { Latencies } from './Latencies';
import { MissedLeads } from './MissedLeads';

interface Props {
  readonly rows: readonly BuyerStats[];
  /** Days up to today, as in the URL. */
  readonly latency: string;
  readonly chooseLatency: (days: string) => void;
}

/** The part below the table, loaded after it. */
export function Details({ rows, latency, chooseLatency }: Props) {
  return (
    <>
      <MissedLeads rows={rows} />
      <Latencies days={latency} choose={chooseLatency} />
      <AccountingExport />
    </>
  );
}
