/**
 * A model of table, queues and functions under a steady load: the load at which each published limit is reached, and the
 * behaviour of the share ledger and the statistics under contention. Its inputs are the writes of a lead (`WRITES`), and
 * AWS's limits and latencies (`LIMITS`, `SECONDS`). Loads are in leads per second.
 */
import { LEASES_PER_DESTINATION } from '#functions/data/deliveries/destination-leases';
import { FLOW_SHARDS, STATISTICS_SHARDS } from '#functions/data/table/keys';
import { FUNCTION_SPECS } from '#functions/platform/functions';
import { type Random, seeded } from '#test/harness/random';

/**
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const LIMITS = {
  /** Units per second of one partition. A single key, or keys in order of time, cannot exceed it. */
  partitionWrites: 1000,
  partitionReads: 3000,
  /** Write units per second of a new table, which doubles within half an hour. */
  newTable: 4000,
  doublesInMinutes: 30,
  functionsAtOnce: 1000,
} as const;

/** As in docs/operations/costs.md: single-digit milliseconds per call according to AWS, and twice that for a transaction. */
const SECONDS = { call: 0.006, transaction: 0.012, mailServer: 0.72 } as const;
/** A function with this memory has one processor. */
const MEGABYTES_PER_PROCESSOR = 1769;

/** Write units of one lead with one channel: of the table without its indexes, and in total. */
export const WRITES = {
  intake: { table: 8, all: 12 },
  /** In a batch of a hundred (docs/adr/0006-hot-path.md). */
  batched: { table: 6.3, all: 8.3 },
  delivery: { table: 5, all: 7 },
  statistics: { table: 22.2, all: 26.6 },
} as const;
/** A lead enters and leaves such a list. */
const WRITES_PER_LIST = 2;
/** The largest order's fraction of the leads. */
const LARGEST_ORDER = 0.4;
/** Seconds of a full processor per lead. */
const PROCESSOR = { intake: 0.014, statistics: 0.003 } as const;
const CALLS_OF_INTAKE = 4;

/**
 * As in functions/domain/distribution/ledger-batcher.ts and batches.ts: tries for a lead and for a batch, then a
 * write without a condition.
 */
const SETTLES = { lead: 2, batch: 4 } as const;
const SETTLE_JITTER = 0.012;
/** As in functions/domain/statistics/statistics.ts. */
const LEADS_PER_TRANSACTION = 8;
const COUNTS = 10;
const COUNT_JITTER = 0.06;
const STAYS = 1;

export interface Design {
  /** Partitions of the lists of leads in flight and of new deliveries. */
  readonly flowShards: number;
  /** Shards of the figures of a day and of the totals. */
  readonly statisticsShards: number;
  /** Leads settled by one write. */
  readonly batch: number;
  /** Write units per second that the table accepts from the start. */
  readonly warm: number;
  readonly leasesPerDestination: number;
  readonly parallelDeliveries: number;
}

/** The configuration of prod. */
export const TODAY: Design = {
  flowShards: FLOW_SHARDS,
  statisticsShards: STATISTICS_SHARDS,
  batch: 1,
  warm: LIMITS.newTable,
  leasesPerDestination: LEASES_PER_DESTINATION,
  parallelDeliveries: 50,
};
/** One partition per list, and one item for the figures of a day. */
export const WITHOUT_SHARDS: Design = { ...TODAY, flowShards: 1, statisticsShards: 1 };
/** For a thousand leads per second: batches, a warmed-up table, and as many deliveries as a queue can start. */
export const HUNDREDFOLD: Design = { ...TODAY, batch: 100, warm: 40_000, parallelDeliveries: 1000 };

export const LIMIT_NAMES = [
  'deliveries to one mail server',
  'deliveries in all',
  'a new table',
  'share ledger',
  'day and totals of the statistics',
  'list of leads in flight',
  'list of new deliveries',
  'list of the largest order',
  'list of a day’s decisions',
  'reads of the pool',
  'functions at once',
] as const;

/** The load at which each limit is reached. */
export function limitsOf(design: Design): Readonly<Record<(typeof LIMIT_NAMES)[number], number>> {
  const list = (LIMITS.partitionWrites * design.flowShards) / WRITES_PER_LIST;
  const deliveries = 1 / SECONDS.mailServer;
  const intake = CALLS_OF_INTAKE * SECONDS.call + inFunction(PROCESSOR.intake, FUNCTION_SPECS.leads.memory);
  return {
    'deliveries to one mail server': design.leasesPerDestination * deliveries,
    'deliveries in all': design.parallelDeliveries * deliveries,
    'a new table': design.warm / writesOf(design),
    'share ledger': steady((load) => LIMITS.partitionWrites / settleLedger(design, load).writes),
    'day and totals of the statistics': steady((load) => countLeads(design, load).counted),
    // Leads of a batch are not listed singly; the batch itself is.
    'list of leads in flight': design.batch > 1 ? list * design.batch : list,
    'list of new deliveries': list,
    // Each lead enters it once, whether single or in a batch.
    'list of the largest order': LIMITS.partitionWrites / LARGEST_ORDER,
    'list of a day’s decisions': LIMITS.partitionWrites,
    'reads of the pool': LIMITS.partitionReads * design.batch,
    'functions at once': (LIMITS.functionsAtOnce / intake) * design.batch,
  };
}

/** Minutes until a doubling table accepts this load. */
export function minutesToGrow(design: Design, load: number): number {
  return LIMITS.doublesInMinutes * Math.max(0, Math.log2((load * writesOf(design)) / design.warm));
}

export interface Settled {
  /** Write units on the ledger per lead. */
  readonly writes: number;
  /** Fraction of leads with a randomly drawn buyer because of conflicts. */
  readonly drawn: number;
}

/** Simulates one ledger with processes that arrive at random, each with its own lead or batch. */
export function settleLedger(design: Design, load: number): Settled {
  const random = seeded(1);
  const agenda = new Agenda();
  const runs = Math.ceil(Math.min(MOST_RUNS, (load * MOST_SECONDS) / design.batch));
  // A transaction settles a batch together with its choices, which counts twice.
  const [units, commit, tries] =
    design.batch > 1 ? [2, SECONDS.transaction, SETTLES.batch] : [1, SECONDS.call, SETTLES.lead];
  let version = 0;
  let writes = 0;
  let drawn = 0;
  const settle = (now: number, known: number, attempt: number): void => {
    agenda.at(now + latency(random, commit) / 2, (committed) => {
      writes += units;
      if (attempt === tries) drawn += 1;
      if (known === version || attempt === tries) {
        version += 1;
        return;
      }
      const seen = version;
      const pause = attempt + 1 < tries ? random.next() * SETTLE_JITTER : 0;
      agenda.at(committed + latency(random, commit) / 2 + pause, (later) => settle(later, seen, attempt + 1));
    });
  };
  let arrival = 0;
  for (let run = 0; run < runs; run += 1) {
    arrival -= Math.log(1 - random.next()) / (load / design.batch);
    agenda.at(arrival + latency(random, SECONDS.call) / 2, (read) => {
      const seen = version;
      // The response, and half of the processor time, come before the choice.
      const choosing = inFunction(PROCESSOR.intake, FUNCTION_SPECS.leads.memory) / 2;
      agenda.at(read + latency(random, SECONDS.call) / 2 + choosing, (later) => settle(later, seen, 0));
    });
  }
  agenda.run(Number.POSITIVE_INFINITY);
  return { writes: writes / (runs * design.batch), drawn: drawn / runs };
}

/**
 * Counting under permanent load: one function per table partition, each counting eight leads in a transaction that
 * fails if another one changed the same figures.
 * @returns leads per second, and repeated transactions per successful one
 */
export function countLeads(design: Design, load: number): { counted: number; repeated: number } {
  const random = seeded(2);
  const agenda = new Agenda();
  const functions = Math.ceil(Math.max(design.warm, load * writesOf(design)) / LIMITS.partitionWrites);
  const seconds = Math.min(MOST_SECONDS, MOST_RUNS / RUNS_A_SECOND / functions);
  const versions = Array.from({ length: design.statisticsShards }, () => 0);
  let counted = 0;
  let repeated = 0;
  const count = (now: number, home: number, attempt: number): void => {
    const counting =
      LEADS_PER_TRANSACTION * inFunction(PROCESSOR.statistics, FUNCTION_SPECS.statistics.memory);
    // Counts, leads and orders are read first, the figures last.
    const reading = 3 * latency(random, SECONDS.call) + latency(random, SECONDS.call) / 2;
    agenda.at(now + counting + reading, (read) => {
      const seen = versions[home] ?? 0;
      const writing = latency(random, SECONDS.call) / 2 + latency(random, SECONDS.transaction) / 2;
      agenda.at(read + writing, (committed) => {
        const answered = committed + latency(random, SECONDS.transaction) / 2;
        if (seen === versions[home]) {
          versions[home] = seen + 1;
          counted += LEADS_PER_TRANSACTION;
          agenda.at(answered, (later) => count(later, home, 1));
          return;
        }
        repeated += 1;
        const next = attempt > STAYS ? random.below(design.statisticsShards) : home;
        const pause = random.next() * COUNT_JITTER * attempt;
        agenda.at(answered + pause, (later) => count(later, next, attempt < COUNTS ? attempt + 1 : 1));
      });
    });
  };
  for (let one = 0; one < functions; one += 1) agenda.at(random.next() / 10, (now) => count(now, 0, 1));
  agenda.run(seconds);
  return {
    counted: counted / seconds,
    repeated: repeated / (counted / LEADS_PER_TRANSACTION),
  };
}

/** Simulated time, and the maximum of leads, batches or transactions. */
const MOST_SECONDS = 20;
const MOST_RUNS = 4000;
/** Of one counting function. */
const RUNS_A_SECOND = 8;

/** Of the table without its indexes, which take as much again. */
function writesOf({ batch }: Design): number {
  const { table } = batch > 1 ? WRITES.batched : WRITES.intake;
  return table + WRITES.delivery.table + WRITES.statistics.table;
}

/** The load that equals the capacity under that load. */
function steady(possibleAt: (load: number) => number): number {
  let [least, most] = [1, 100_000];
  while (most / least > 1.02) {
    const load = Math.sqrt(least * most);
    if (possibleAt(load) >= load) least = load;
    else most = load;
  }
  return least;
}

/** Seconds that a function with this memory needs for a second of a full processor. */
function inFunction(seconds: number, memory: number): number {
  return seconds * Math.max(1, MEGABYTES_PER_PROCESSOR / memory);
}

/** Half is constant, the other half is random with a long tail. */
function latency(random: Random, mean: number): number {
  return mean / 2 - (mean / 2) * Math.log(1 - random.next());
}

type Event = readonly [at: number, happen: (at: number) => void];

/** Events in order of time, as a binary heap. */
class Agenda {
  readonly #events: Event[] = [];

  at(time: number, happen: Event[1]): void {
    let place = this.#events.push([time, happen]) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#exchanged(parent, place)) return;
      place = parent;
    }
  }

  run(until: number): void {
    for (let next = this.#take(); next !== undefined && next[0] <= until; next = this.#take())
      next[1](next[0]);
  }

  #take(): Event | undefined {
    const [first] = this.#events;
    const last = this.#events.pop();
    if (last === undefined || this.#events.length === 0) return first;
    this.#events[0] = last;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const child = this.#timeOf(left + 1) < this.#timeOf(left) ? left + 1 : left;
      if (!this.#exchanged(place, child)) return first;
      place = child;
    }
  }

  #timeOf(place: number): number {
    return this.#events[place]?.[0] ?? Number.POSITIVE_INFINITY;
  }

  /** Swaps parent and child if the child is earlier. */
  #exchanged(parent: number, child: number): boolean {
    const [upper, lower] = [this.#events[parent], this.#events[child]];
    if (upper === undefined || lower === undefined || upper[0] <= lower[0]) return false;
    this.#events[parent] = lower;
    this.#events[child] = upper;
    return true;
  }
}
