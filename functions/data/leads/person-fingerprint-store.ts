/** Which leads of a person arrived within a window of days, by keyed hashes of phone number and e-mail address. */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import type { Person } from '#functions/data/leads/lead';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';

const DAY_MS = 86_400_000;

/** Keyed hashes of the phone number (E.164) and the e-mail address (lower case). */
export type FingerprintsOf = (person: Person) => Promise<readonly string[]>;

export const fingerprintSchema = z.object({
  /** `{received}#{source}#{lead}` to the lead's position. */
  leads: z.record(z.string(), z.int()),
  last: z.int(),
  /** Epoch seconds; the end of the longest window of its leads. */
  expires_at: z.int(),
});

export interface FingerprintedLead {
  readonly lead_id: string;
  readonly source: number;
  readonly received_at: string;
}

export interface PersonFingerprint {
  readonly hash: string;
  readonly leads: readonly FingerprintedLead[];
  /** As stored. */
  readonly positions: Readonly<Record<string, number>>;
  readonly last: number;
  readonly expires_at: number;
}

export interface FingerprintEntry {
  readonly hash: string;
  readonly lead: FingerprintedLead;
  readonly days: number;
}

const textOf = ({ received_at, source, lead_id }: FingerprintedLead) => `${received_at}#${source}#${lead_id}`;

/** @returns an instant (UTC) */
export const windowStart = ({ received_at }: Pick<FingerprintedLead, 'received_at'>, days: number) =>
  new Date(Date.parse(received_at) - days * DAY_MS).toISOString();

export async function get({ table }: DataContext, hash: string): Promise<PersonFingerprint | undefined> {
  const item = await table.get(keys.person(hash));
  return item && fingerprintOf(hash, item);
}

/** Repeatable for the same lead. @returns the existing fingerprint; undefined if this lead took it */
export async function take(
  { table }: DataContext,
  { hash, lead, days }: FingerprintEntry,
): Promise<PersonFingerprint | undefined> {
  const written = await table.put({
    put: {
      ...keys.person(hash),
      leads: { [textOf(lead)]: 0 },
      last: 0,
      expires_at: expiry(lead, days),
    },
    condition: 'attribute_not_exists(pk) OR expires_at <= :now',
    values: { ':now': epochSeconds(new Date(lead.received_at)) },
  });
  if (written.ok) return undefined;
  const fingerprint = fingerprintOf(hash, written.item);
  return fingerprint.positions[textOf(lead)] === 0 ? undefined : fingerprint;
}

/** @param passed leads that were never stored and lose their position @returns false if the fingerprint has changed */
export async function join(
  { table }: DataContext,
  expected: PersonFingerprint,
  { hash, lead, days }: FingerprintEntry,
  passed: readonly FingerprintedLead[],
): Promise<boolean> {
  const own = textOf(lead);
  const before = expected.leads.find(({ lead_id }) => lead_id === lead.lead_id);
  const gone = [...passed, ...(before === undefined ? [] : [before])]
    .map(textOf)
    .filter((text) => text !== own);
  if (own in expected.positions && gone.length === 0) return true;
  const names = gone.map((text, at) => [`#gone${at}`, text] as const);
  const removed = names.map(([name]) => `leads.${name}`).join(', ');
  const { ok } = await table.update({
    key: keys.person(hash),
    update: `SET leads.#own = :position, #last = :last, expires_at = :expiry ${removed && `REMOVE ${removed}`}`,
    condition: 'leads = :expected',
    names: { ...Object.fromEntries(names), '#own': own, '#last': 'last' },
    values: {
      ':expected': expected.positions,
      ':position': before === undefined ? expected.last + 1 : expected.positions[textOf(before)],
      ':last': before === undefined ? expected.last + 1 : expected.last,
      ':expiry': Math.max(expected.expires_at, expiry(lead, days)),
    },
  });
  return ok;
}

/** For a lead that was not stored; fails if another lead joined. */
export async function release(
  { table }: DataContext,
  { hash, lead }: Pick<FingerprintEntry, 'hash' | 'lead'>,
): Promise<void> {
  await table.delete({
    delete: keys.person(hash),
    condition: 'leads = :leads',
    values: { ':leads': { [textOf(lead)]: 0 } },
  });
}

/** Removes erased leads, and the fingerprint with its last lead. @returns false if the fingerprint has changed */
export async function forget(
  { table }: DataContext,
  { hash, leads, positions }: PersonFingerprint,
  isErased: (leadId: string) => boolean,
): Promise<boolean> {
  const erased = leads.filter(({ lead_id }) => isErased(lead_id));
  if (erased.length === 0) return true;
  const unchanged = {
    condition: 'attribute_not_exists(pk) OR leads = :leads',
    values: { ':leads': positions },
  };
  if (erased.length === leads.length)
    return (await table.delete({ delete: keys.person(hash), ...unchanged })).ok;
  const names = erased.map((lead, at) => [`#lead${at}`, textOf(lead)] as const);
  const { ok } = await table.update({
    key: keys.person(hash),
    update: `REMOVE ${names.map(([name]) => `leads.${name}`).join(', ')}`,
    ...unchanged,
    names: Object.fromEntries(names),
  });
  return ok;
}

const expiry = ({ received_at }: FingerprintedLead, days: number) =>
  epochSeconds(new Date(Date.parse(received_at) + days * DAY_MS));

function fingerprintOf(hash: string, item: unknown): PersonFingerprint {
  const { leads: positions, last, expires_at } = fingerprintSchema.parse(item);
  return {
    hash,
    expires_at,
    last,
    positions,
    leads: Object.entries(positions)
      .sort(([, one], [, other]) => one - other)
      .map(([text]) => {
        const [received_at = '', source, lead_id = ''] = text.split('#');
        return { received_at, source: Number(source), lead_id };
      }),
  };
}
