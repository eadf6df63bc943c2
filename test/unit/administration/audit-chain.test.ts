import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import { type Checkpoint, type Link, linkHash } from '#functions/data/administration/audit-chain-store';
import * as auditStore from '#functions/data/administration/audit-store';
import { accessPut, isAuditEntry } from '#functions/data/administration/audit-store';
import { keys } from '#functions/data/table/keys';
import type { Item, Query, Table } from '#functions/data/table/table';
import { sealAudit } from '#functions/domain/administration/audit-chain';
import { verifyAudit } from '#functions/domain/administration/audit-check';
import {
  checkpointLine,
  checkpointsIn,
  sendCheckpoints,
} from '#functions/domain/administration/audit-checkpoints';
import { auditEntry } from '#functions/domain/common/audit';
import { createLogger } from '#functions/platform/logger';
import { type Runtime, systemRuntime } from '#functions/platform/runtime';
import { memoryTable } from '#test/harness/memory-table';
import { DAY_MS } from '#test/harness/time';

const SEALED_AFTER_MS = 120_000;
const LEADS = ['a', 'b', 'c'] as const;
const proofKey = async () => 'K'.repeat(87);

/** A trail with a clock that the test sets. */
function aTrail() {
  const table = memoryTable();
  let ms = Date.UTC(2026, 0, 1);
  const logged: string[] = [];
  const runtime: Runtime = {
    ...systemRuntime,
    now: () => new Date(ms),
    log: createLogger((line) => logged.push(line)),
  };
  const deps = { table, runtime };
  return {
    ...deps,
    logged,
    pass: (by: number) => {
      ms += by;
    },
    write: (lead: string, nachname = 'Muster', at?: Date) =>
      table.put(
        auditEntry(
          { runtime: at === undefined ? runtime : { ...runtime, now: () => at } },
          {
            who: 'ann',
            entity: 'lead',
            entityId: lead,
            action: 'updated',
            before: { nachname: 'Alt', reason: 'manual_review' },
            after: { nachname, reason: null },
          },
        ),
      ),
    access: (lead: string) =>
      table.put(
        accessPut(
          {
            at: runtime.now().toISOString(),
            who: 'ann',
            action: 'opened',
            entity: 'lead',
            entity_id: lead,
            label: lead,
            changes: [],
          },
          runtime.newId(),
        ),
      ),
    async erase(lead: string, onRecord = true) {
      const removals = await auditStore.valuesRemoved({ table }, 'lead', lead, ['nachname']);
      if (removals.length > 0) expect(await table.transact(removals)).toEqual({ ok: true });
      if (onRecord)
        await table.put(auditEntry(deps, { who: 'ann', entity: 'lead', entityId: lead, action: 'erased' }));
    },
    seal: () => sealAudit(deps),
    verify: (checkpoints: readonly Checkpoint[] = []) =>
      verifyAudit(auditChainStore.links({ table }), table.scan(), auditStore.listed({ table }), checkpoints),
  };
}
type Trail = ReturnType<typeof aTrail>;

async function items(table: Table): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of table.scan()) all.push(...page);
  return all;
}
const entriesIn = async (table: Table) => (await items(table)).filter(isAuditEntry);
const linksIn = async (table: Table) => (await items(table)).filter(({ pk }) => pk === keys.auditChain());
const keyOf = (item: Item) => ({ pk: String(item.pk), sk: String(item.sk) });
const put = (table: Table, item: Item, change: Item = {}) =>
  table.put({ put: { ...item, ...change, ...keyOf({ ...item, ...change }) } });
const named = (item: Item) => `entry ${String(item.pk)} ${String(item.sk)}`;

interface Step {
  readonly name: string;
  readonly take: (trail: Trail, lead: string, ms: number) => Promise<unknown> | void;
}
/** An action with its frequency. */
const STEPS: readonly (readonly [number, Step])[] = [
  [6, { name: 'write', take: (trail, lead) => trail.write(lead) }],
  [2, { name: 'access', take: (trail, lead) => trail.access(lead) }],
  [4, { name: 'pass', take: (trail, _, ms) => trail.pass(ms) }],
  [2, { name: 'seal', take: (trail) => trail.seal() }],
  [1, { name: 'seal twice', take: (trail) => Promise.all([trail.seal(), trail.write('a'), trail.seal()]) }],
  [1, { name: 'erase', take: (trail, lead) => trail.erase(lead) }],
  // Written now by a transaction that started earlier.
  [
    1,
    {
      name: 'write late',
      take: (trail, lead, ms) => trail.write(lead, 'Spät', new Date(trail.runtime.now().getTime() - ms)),
    },
  ],
];
const step = fc.record({
  of: fc.oneof(...STEPS.map(([weight, one]) => ({ weight, arbitrary: fc.constant(one) }))),
  lead: fc.constantFrom(...LEADS),
  ms: fc.nat(4 * SEALED_AFTER_MS),
});
type History = readonly { readonly of: Step; readonly lead: string; readonly ms: number }[];

/** A trail of at least two sealed entries. */
async function sealedTrail(history: History): Promise<Trail> {
  const trail = aTrail();
  await trail.write('a');
  for (const { of, lead, ms } of history) await of.take(trail, lead, ms);
  await trail.write('b');
  trail.pass(SEALED_AFTER_MS + 1);
  await trail.seal();
  return trail;
}

const ONE = { numRuns: 40 };
const steps = fc.array(step, { maxLength: 25 });
/** Chooses among items that exist only later. */
const pick = <One>(from: readonly One[], at: number): One => from[at % from.length]!;

describe('the audit chain', () => {
  it('is valid after any sequence of writes, reads, erasures and seals, even concurrent ones', () =>
    fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const trail = await sealedTrail(history);
        const { findings, intact, waiting } = await trail.verify();
        expect(findings).toEqual([]);
        expect(waiting).toBe(0);
        expect(intact).toBe((await entriesIn(trail.table)).length);
        const links = await linksIn(trail.table);
        expect(links.map(({ link }) => link)).toEqual(links.map((_, at) => at + 1));
      }),
      ONE,
    ));

  /** What an attacker with write access does to a sealed entry; without a result it changed nothing. */
  const changed = (name: string, to: (was: unknown) => unknown) => async (table: Table, target: Item) =>
    put(table, target, { [name]: to(target[name]) });
  const inChanges = (edit: (changes: object[]) => object[]) =>
    changed('changes', (was) => JSON.stringify(edit(JSON.parse(String(was)) as object[])));
  const TAMPERINGS: Readonly<Record<string, (table: Table, target: Item) => Promise<unknown>>> = {
    ...Object.fromEntries(
      ['who', 'label', 'action', 'at'].map((name) => [name, changed(name, (was) => `${String(was)}x`)]),
    ),
    values: inChanges((changes) => [
      ...changes.map((change) => ({ ...change, to: 'X' })),
      { field: 'nachname', from: 'X', to: 'Y' },
    ]),
    'note of a change': inChanges((changes) => {
      fc.pre(changes.length > 0);
      return changes.map((change) => ({ ...change, note: 'x' }));
    }),
    'place in a list': changed('gsi2sk', (was) => `${String(was)}x`),
    unreadable: changed('changes', () => '['),
    hidden: changed('gsi1pk', () => 'ELSEWHERE'),
    expires_at: changed('expires_at', () => 1),
    removed: (table, target) => table.delete({ delete: keyOf(target) }),
    inserted: (table, target) => {
      const at = '2026-01-01T00:00:00.000Z';
      return put(table, target, { ...keys.auditEntry('lead', 'x', at, 'Z'), entity_id: 'x', at });
    },
  };

  it.each(Object.entries(TAMPERINGS))('reports every tampered entry: %s', (tampering, tamper) =>
    fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (history, at) => {
        const trail = await sealedTrail(history);
        // Late enough that all entries are sealed.
        trail.pass(DAY_MS + 1);
        await trail.seal();
        const target = pick(await entriesIn(trail.table), at);
        await tamper(trail.table, target);
        await trail.seal();
        const { findings } = await trail.verify();
        const expected = tampering === 'inserted' ? 'entry AUDIT#lead#x ' : named(target);
        const others = findings.filter((finding) => !finding.includes(expected));
        expect(findings.length).toBeGreaterThan(others.length);
        // Without the record of an erasure, the values that it removed appear to be missing as well.
        if (target.action !== 'erased') expect(others).toEqual([]);
      }),
      { numRuns: 6 },
    ),
  );

  it.each([
    ['gsi1', 'AUDIT', 'removed'],
    ['gsi1', 'AUDIT', 'changed'],
    ['gsi2', 'AUDIT#lead', 'removed'],
    ['gsi2', 'AUDIT#lead', 'changed'],
    ['gsi1', 'ACCESS', 'removed'],
    ['gsi2', 'ACCESS#lead', 'changed'],
  ] as const)('reports an entry whose row in %s %s was %s', async (index, list, tampering) => {
    const trail = aTrail();
    for (const lead of LEADS) {
      await trail.write(lead);
      await trail.access(lead);
    }
    trail.pass(SEALED_AFTER_MS + 1);
    await trail.seal();
    const target = (await entriesIn(trail.table)).find((item) => item[`${index}pk`] === list)!;
    const isTarget = (row: Item) =>
      row[`${index}pk`] === list && row.pk === target.pk && row.sk === target.sk;
    const tampered = {
      async *pages(query: Query) {
        for await (const items of trail.table.pages(query)) {
          const rows =
            query.index === index && tampering === 'removed' ? items.filter((row) => !isTarget(row)) : items;
          yield rows.map((row) => (query.index === index && isTarget(row) ? { ...row, who: 'eve' } : row));
        }
      },
    } as unknown as Table;
    const verified = (table: Table) =>
      verifyAudit(auditChainStore.links(trail), trail.table.scan(), auditStore.listed({ table }), []);
    expect((await verified(trail.table)).findings).toEqual([]);
    expect((await verified(tampered)).findings).toEqual([
      `${named(target)} (${String(target.action)} by ann): was removed from a list, or changed in it`,
    ]);
  });

  it('reports every edited or removed link, and a truncated or rewritten chain', () =>
    fc.assert(
      fc.asyncProperty(
        steps,
        fc.nat(),
        fc.constantFrom('edited', 'removed', 'cut', 'rewritten'),
        async (history, at, tampering) => {
          const trail = await sealedTrail(history);
          const checkpoints: Checkpoint[] = [];
          await sendCheckpoints({
            ...trail,
            proofKey,
            destinations: {
              file: async (link, key) =>
                void checkpoints.push(...checkpointsIn(`> ${checkpointLine(link, key)}`)),
            },
          });
          expect((await trail.verify(checkpoints)).findings).toEqual([]);
          const links = await linksIn(trail.table);
          const target = pick(links, at);
          switch (tampering) {
            case 'edited':
              await put(trail.table, target, { sealed_at: '2026-01-01T00:00:00.001Z' });
              break;
            case 'removed':
            case 'cut':
              await trail.table.delete({ delete: keyOf(tampering === 'cut' ? links.at(-1)! : target) });
              break;
            case 'rewritten':
              // Rewritten by an attacker with write access, so the chain itself is consistent.
              for (const link of links) await trail.table.delete({ delete: keyOf(link) });
              await trail.table.delete({ delete: keyOf(pick(await entriesIn(trail.table), at)) });
              trail.pass(1);
              await trail.seal();
              expect((await trail.verify()).findings.filter((text) => text.startsWith('link'))).toEqual([]);
              break;
          }
          const { findings } = await trail.verify(checkpoints);
          const number = Number(target.link);
          const expected = {
            edited: new RegExp(`^link ${number} was changed`, 'm'),
            removed: new RegExp(`^(link ${number} is missing|the chain was cut off)`, 'm'),
            cut: /^the chain was cut off/m,
            rewritten: /^(link \d+ was written again|the chain was cut off)/m,
          }[tampering];
          expect(findings.join('\n')).toMatch(expected);
        },
      ),
      ONE,
    ));

  it('treats an unsealed entry as late for 15 minutes, and then as inserted', async () => {
    const MINUTE_MS = 60_000;
    for (const [lateMs, isInserted] of [
      [15 * MINUTE_MS, false],
      [15 * MINUTE_MS + 1, true],
      [60 * MINUTE_MS, true],
      [14 * 60 * MINUTE_MS, true],
    ] as const) {
      const trail = await sealedTrail([]);
      const [newest] = await auditChainStore.newest(trail, () => '');
      await trail.write('late', 'Muster', new Date(Date.parse(newest!.up_to) - lateMs));
      const { findings, waiting } = await trail.verify();
      expect(
        findings.map((finding) => finding.replace(/^.*: /, '')),
        String(lateMs),
      ).toEqual(isInserted ? ['was inserted, it is old and in no link'] : []);
      expect(waiting).toBe(isInserted ? 0 : 1);
    }
  });

  it('requires a record of the erasure for missing values', async () => {
    const trail = await sealedTrail([]);
    await trail.erase('a', false);
    const { findings } = await trail.verify();
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(/^entry AUDIT#lead#a .*nachname were removed without an erasure$/);
    expect(JSON.stringify(await entriesIn(trail.table))).not.toMatch(/Muster.*AUDIT#lead#a/);
    await trail.erase('a');
    expect((await trail.verify()).findings).toEqual([]);
  });

  it('leaves nothing that allows guessing an erased value', async () => {
    const trail = await sealedTrail([]);
    await trail.erase('a');
    const entry = (await entriesIn(trail.table)).find(({ pk }) => pk === 'AUDIT#lead#a');
    expect(entry).not.toHaveProperty('seed');
    expect(JSON.parse(String(entry?.changes))).toEqual([
      { field: 'nachname', from: null, to: null, commitment: expect.stringMatching(/^[\w-]{43}$/) },
      { field: 'reason', from: 'manual_review', to: null, salt: expect.stringMatching(/^[\w-]{22}$/) },
    ]);
    // Without the salt of the erased value, an attacker cannot test names from a list.
    const [erased, kept] = JSON.parse(String(entry?.changes)) as { commitment?: string; salt?: string }[];
    const attempt = JSON.stringify([kept?.salt, 'nachname', 'Alt', 'Muster']);
    expect(createHash('sha256').update(attempt).digest('base64url')).not.toBe(erased?.commitment);
  });

  it('seals older entries with a separate seed, and detects later changes to them', async () => {
    const trail = aTrail();
    await trail.write('a');
    const [old] = await entriesIn(trail.table);
    const { seed, ...without } = old ?? {};
    expect(seed).toMatch(/^[\w-]{22}$/);
    await put(trail.table, without);
    trail.pass(SEALED_AFTER_MS + 1);
    expect(await trail.seal()).toBe(1);
    expect((await trail.verify()).findings).toEqual([]);
    await trail.erase('a');
    expect((await trail.verify()).findings).toEqual([]);
  });

  it('gets exactly one link a day without activity', async () => {
    const trail = aTrail();
    await trail.seal();
    expect(await linksIn(trail.table)).toEqual([]);
    await trail.write('a');
    trail.pass(SEALED_AFTER_MS + 1);
    for (let minute = 0; minute < 3; minute += 1) {
      await trail.seal();
      trail.pass(60_000);
    }
    expect(await linksIn(trail.table)).toHaveLength(1);
    trail.pass(DAY_MS);
    await trail.seal();
    expect(await linksIn(trail.table)).toHaveLength(2);
  });

  it('seals entries that do not fit into one run in the next, each once', async () => {
    const trail = aTrail();
    const many = 53;
    const limits = { entriesPerLink: 5, linksPerRun: 10 };
    for (let at = 0; at < many; at += 1) {
      trail.pass(at % 3);
      await trail.access(`lead-${at}`);
    }
    trail.pass(SEALED_AFTER_MS + 1);
    expect(await sealAudit(trail, limits)).toBe(50);
    expect(await sealAudit(trail, limits)).toBe(3);
    expect(await trail.verify()).toMatchObject({ findings: [], intact: many });
  });

  it('seals entries that did not fit into one run, however old they are', async () => {
    const trail = aTrail();
    for (const lead of LEADS) {
      await trail.write(lead);
      trail.pass(DAY_MS);
    }
    for (const _ of LEADS) expect(await sealAudit(trail, { entriesPerLink: 1, linksPerRun: 1 })).toBe(1);
    expect(await trail.verify()).toMatchObject({ findings: [], intact: LEADS.length });
  });

  it('reports rewritten links and invalid links', async () => {
    const trail = await sealedTrail([]);
    trail.pass(DAY_MS + 1);
    await trail.seal();
    const [first, second] = await linksIn(trail.table);
    const { previous, ...rest } = {
      ...second,
      leaves: JSON.parse(String(second?.leaves)),
    } as unknown as Link;
    await put(trail.table, second!, { previous: 'x', hash: linkHash({ ...rest, previous: 'x' }) });
    expect(previous).toBe(first?.hash);
    expect((await trail.verify()).findings).toEqual(['link 2 does not follow from the link before it']);
    await put(trail.table, second!, { leaves: '[' });
    expect((await trail.verify()).findings).toEqual(['link 2 was changed']);
  });

  it('continues after a clock was set back', async () => {
    const trail = await sealedTrail([]);
    trail.pass(-3 * DAY_MS);
    await trail.write('c');
    trail.pass(SEALED_AFTER_MS + 1);
    expect(await trail.seal()).toBe(1);
    expect((await trail.verify()).findings).toEqual([]);
  });
});

it('audit chain checkpoints are sent daily to each destination, retried after a failure, and report the oldest one’s age', async () => {
  const trail = await sealedTrail([]);
  const sent: string[] = [];
  let broken = true;
  const destinations = {
    email: async () => {
      if (broken) throw new Error('no mail server');
      sent.push('email');
    },
    file: async () => void sent.push('file'),
  };
  const send = () => sendCheckpoints({ ...trail, proofKey, destinations });
  await send();
  await send();
  expect(sent).toEqual(['file']);
  trail.pass(DAY_MS);
  expect(await send()).toBe(DAY_MS);
  expect(sent).toEqual(['file', 'file']);
  expect(trail.logged.at(-1)).toMatch(/audit checkpoint could not be sent.*no mail server/);
  broken = false;
  expect(await send()).toBe(0);
  expect(sent).toEqual(['file', 'file', 'email']);
  expect(await sendCheckpoints({ ...trail, proofKey, destinations: {} })).toBeUndefined();
  expect(await sendCheckpoints({ ...aTrail(), proofKey, destinations })).toBeUndefined();
});
