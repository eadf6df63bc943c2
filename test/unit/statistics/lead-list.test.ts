import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Counted, counted, NOTHING_COUNTED, write } from '#functions/data/statistics/statistics-store';
import { keys } from '#functions/data/table/keys';
import { Table } from '#functions/data/table/table';
import { type LeadFilter, listLeads } from '#functions/domain/statistics/lead-list';
import { packLeadRows } from '#functions/domain/statistics/lead-row-packing';
import { systemRuntime } from '#functions/platform/runtime';
import { CLAIM_STATUSES, LEAD_EVENTS, LEAD_ROW_STATUSES, LEAD_TYPES } from '#shared/rules/constants';
import { documentsOf } from '#test/harness/memory-table';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#test/harness/time';
import { type Input, TableModel } from '#test/simulation/table-model';

const START = Date.UTC(2026, 9, 20, 12);
const dayAt = (offset: number) => new Date(START + offset * DAY_MS).toISOString().slice(0, 10);

/** Noon of a day, so that no Berlin day differs from the UTC day. */
const lead = fc.record({
  day: fc.integer({ min: 0, max: 6 }),
  minute: fc.integer({ min: 0, max: 300 }),
  state: fc.constantFrom('assigned', 'assigned', 'assigned', 'pending', 'discarded', 'refused', 'gone'),
  amount: fc.integer({ min: 1, max: 6 }),
  source: fc.integer({ min: 0, max: 2 }),
  consents: fc.boolean(),
  buyer: fc.integer({ min: 1, max: 2 }),
  type: fc.constantFrom(...LEAD_TYPES),
  assignedAfter: fc.integer({ min: 0, max: 2 }),
  claim: fc.option(
    fc.record({ after: fc.integer({ min: 0, max: 3 }), status: fc.constantFrom(...CLAIM_STATUSES) }),
  ),
  refusals: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
});
type Drawn = typeof lead extends fc.Arbitrary<infer Of> ? Of : never;

const at = ({ day, minute }: Drawn) => START + day * DAY_MS + minute * MINUTE_MS;

function countedOf(of: Drawn): Counted {
  const received = new Date(at(of)).toISOString();
  if (of.state === 'gone') return { ...NOTHING_COUNTED, received: { at: received } };
  const isAssigned = of.state === 'assigned';
  return {
    ...NOTHING_COUNTED,
    state: of.state === 'refused' ? null : of.state,
    received: {
      at: received,
      amount: of.amount,
      term: 12,
      ...(of.consents && { consents: true }),
    },
    assignment: isAssigned
      ? {
          day: dayAt(of.day + of.assignedAfter),
          buyer: of.buyer,
          order: of.buyer * 10,
          type: of.type,
          by_hand: false,
          price: 1,
        }
      : null,
    ...((of.state === 'refused' || of.source > 0) && {
      came: { day: dayAt(of.day), hour: 1, source: of.source, duplicate: of.state === 'refused' },
    }),
    ...(isAssigned &&
      of.claim && {
        claim: { day: dayAt(of.day + of.claim.after), buyer: of.buyer, status: of.claim.status },
      }),
    refused: of.refusals.map((after) => ({ day: dayAt(of.day + after), buyer: 3 - of.buyer })),
  };
}

const everyFilter = fc.record(
  {
    from: fc.integer({ min: 0, max: 9 }),
    to: fc.integer({ min: 0, max: 9 }),
    by: fc.constantFrom(...LEAD_EVENTS),
    source: fc.integer({ min: 0, max: 2 }),
    buyer: fc.integer({ min: 1, max: 2 }),
    status: fc.constantFrom(...LEAD_ROW_STATUSES),
    type: fc.constantFrom(...LEAD_TYPES),
    amountFrom: fc.integer({ min: 1, max: 6 }),
    amountTo: fc.integer({ min: 1, max: 6 }),
    claim: fc.constantFrom('any', 'none', ...CLAIM_STATUSES),
    consents: fc.boolean(),
  },
  { requiredKeys: ['by'] },
);
/** Many filters find nothing, so half of them ask for the event alone. */
const filters = fc.oneof(fc.record({ by: fc.constantFrom(...LEAD_EVENTS) }), everyFilter);
type Wanted = typeof everyFilter extends fc.Arbitrary<infer Of> ? Of : never;

/** The days that a filter finds a lead on, from what was drawn. */
function happened(of: Drawn, { by, buyer }: Wanted): number[] {
  const isAssigned = of.state === 'assigned';
  const isWith = (one: number) => buyer === undefined || buyer === one;
  if (by === 'received') return buyer === undefined || (isAssigned && isWith(of.buyer)) ? [of.day] : [];
  if (by === 'assigned') return isAssigned && isWith(of.buyer) ? [of.day + of.assignedAfter] : [];
  if (by === 'claimed') return isAssigned && of.claim && isWith(of.buyer) ? [of.day + of.claim.after] : [];
  return isWith(3 - of.buyer) ? of.refusals.map((after) => of.day + after) : [];
}

function placeOf(of: Drawn, wanted: Wanted): number | undefined {
  if (of.state === 'gone') return undefined;
  const days = happened(of, wanted).filter((day) => day >= (wanted.from ?? 0) && day <= (wanted.to ?? 99));
  const isAssigned = of.state === 'assigned';
  const claim = isAssigned ? of.claim : null;
  const meets =
    (wanted.source === undefined || wanted.source === of.source) &&
    (wanted.status === undefined || wanted.status === of.state) &&
    (wanted.type === undefined || (isAssigned && wanted.type === of.type)) &&
    of.amount >= (wanted.amountFrom ?? 0) &&
    of.amount <= (wanted.amountTo ?? 99) &&
    (wanted.consents === undefined || wanted.consents === of.consents) &&
    (wanted.claim === undefined ||
      (wanted.claim === 'none'
        ? claim === null
        : claim !== null && ['any', claim.status].includes(wanted.claim)));
  return meets && days.length > 0 ? Math.max(...days) : undefined;
}

function aList() {
  let now = START;
  let putsLeft = Infinity;
  const model = new TableModel();
  const documents = documentsOf(() => model);
  const table = new Table({
    name: 'dying',
    documents: {
      send: (command: { readonly input: Input }) => {
        if (command instanceof PutCommand && (putsLeft -= 1) < 0) throw new Error('died');
        return documents.send(command);
      },
    } as never,
  });
  const runtime = { ...systemRuntime, now: () => new Date(now) };
  const context = { table, runtime };
  return {
    context,
    /** In writes of the process that packs. */
    dieAfter: (puts: number) => {
      putsLeft = puts;
    },
    pass: (ms: number) => {
      now += ms;
    },
    count: async (leads: ReadonlyMap<string, Counted>): Promise<void> => {
      const ids = [...leads.keys()];
      const before = await counted(context, ids);
      for (const [index, leadId] of ids.entries()) {
        const previous = before[index]!;
        const recount = { leadId, at: new Date(now).toISOString(), previous, now: leads.get(leadId)! };
        expect(await write(context, [recount], [])).toBe(true);
      }
    },
  };
}

async function pages(
  context: ReturnType<typeof aList>['context'],
  query: Omit<Parameters<typeof listLeads>[1], 'cursor' | 'counts'>,
) {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listLeads(context, { ...query, cursor, counts: false });
    ids.push(...page.rows.map(({ lead_id }) => lead_id));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

describe('the list of all leads', () => {
  it('shows every lead that a filter finds once and in order, however leads changed, were packed or a process died', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), lead), { maxLength: 8 }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.array(filters, { minLength: 3, maxLength: 3 }),
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.constantFrom(0, 1, 2, 3, 4, 6, ...Array<number>(8).fill(1000)), {
          minLength: 4,
          maxLength: 4,
        }),
        async (rounds, wanted, descending, byAmount, deaths) => {
          const { context, count, pass, dieAfter } = aList();
          const leads = new Map<string, Drawn>();
          for (const [index, round] of rounds.entries()) {
            // Received once and for all; everything else may change.
            for (const [number, drawn] of round) {
              const id = `L${number}`;
              const { day, minute } = leads.get(id) ?? drawn;
              leads.set(id, { ...drawn, day, minute });
            }
            await count(
              new Map(round.map(([number]) => [`L${number}`, countedOf(leads.get(`L${number}`)!)])),
            );
            pass(25 * HOUR_MS);
            dieAfter(deaths[index]!);
            await packLeadRows(context).catch((error: Error) => expect(error.message).toBe('died'));
            dieAfter(Infinity);
          }
          for (const filter of wanted) {
            const places = [...leads].flatMap(([id, of]) => {
              const day = placeOf(of, filter);
              return day === undefined
                ? []
                : [{ id, key: [byAmount ? of.amount : day, at(of), id] as const }];
            });
            const sign = descending ? -1 : 1;
            const expected = places
              .toSorted(({ key: a }, { key: b }) => {
                const index = a.findIndex((value, place) => value !== b[place]);
                return sign * (a[index]! < b[index]! ? -1 : 1);
              })
              .map(({ id }) => id);
            const { from, to, ...rest }: Wanted = filter;
            const asked: LeadFilter = {
              ...rest,
              ...(from !== undefined && { from: dayAt(from) }),
              to: dayAt(to ?? 20),
            };
            const query = {
              filter: asked,
              sort: byAmount ? 'amount' : 'time',
              descending,
              limit: 3,
            } as const;
            if (from !== undefined && to !== undefined && from > to) {
              await expect(listLeads(context, { ...query, counts: true })).rejects.toMatchObject({
                code: 'days_reversed',
              });
              continue;
            }
            expect(await pages(context, query)).toEqual(expected);
            const { total } = await listLeads(context, { ...query, counts: true });
            expect(total).toBe(expected.length);
          }
        },
      ),
      { numRuns: 150 },
    ));

  it('packs only enough leads or old ones, fills blocks, and reads each of a day', async () => {
    const { context, count, pass } = aList();
    const leads = Array.from({ length: 2300 }, (_, number): [string, Counted] => [
      `L${String(number).padStart(4, '0')}`,
      {
        ...NOTHING_COUNTED,
        state: 'pending',
        received: { at: new Date(START + number).toISOString(), amount: number, term: 1 },
      },
    ]);
    await count(new Map(leads.slice(0, 499)));
    pass(10 * MINUTE_MS);
    expect(await packLeadRows(context)).toBe(0);
    await count(new Map(leads.slice(499)));
    expect(await packLeadRows(context)).toBe(0);
    pass(6 * MINUTE_MS);
    expect(await packLeadRows(context)).toBe(2300);
    expect(await packLeadRows(context)).toBe(0);
    const blocks = await context.table.queryAll({ partition: keys.leadRows(dayAt(0).slice(0, 7)) });
    expect(blocks.map(({ sk }) => String(sk).replace(/#0+/, ' '))).toEqual(
      ['', '1', '2'].map((block) => `${dayAt(0)} ${block}`),
    );
    const query = {
      filter: { by: 'received', amountFrom: 100, amountTo: 2199 },
      sort: 'time',
      descending: true,
      limit: 500,
    } as const;
    expect(await pages(context, query)).toEqual(
      leads
        .slice(100, 2200)
        .map(([id]) => id)
        .toReversed(),
    );
  });

  it('without a first day begins with the oldest lead, however old, and a period of more than two years is refused', async () => {
    const { context, count, pass } = aList();
    const old = (day: string): Counted => ({
      ...NOTHING_COUNTED,
      state: 'pending',
      received: { at: `${day}T12:00:00.000Z`, amount: 1, term: 1 },
    });
    await count(new Map([['L1', old('2022-02-01')]]));
    pass(25 * HOUR_MS);
    expect(await packLeadRows(context)).toBe(1);
    await count(new Map([['L2', old('2026-10-20')]]));
    const query = { sort: 'time', descending: true, limit: 1 } as const;
    expect(await pages(context, { ...query, filter: { by: 'received' } })).toEqual(['L2', 'L1']);
    const filter: LeadFilter = { by: 'received', from: '2022-01-01' };
    await expect(pages(context, { ...query, filter })).rejects.toMatchObject({ code: 'too_many_days' });
  });
});
