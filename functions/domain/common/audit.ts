/** The audit trail. Secrets never appear in it, only that they changed. */

import * as z from 'zod/mini';
import { seedFrom } from '#functions/data/administration/audit-commitments';
import * as auditStore from '#functions/data/administration/audit-store';
import {
  type Audited,
  type AuditPosition,
  type Change,
  type Entry,
  entryPut,
  type TrailPart,
} from '#functions/data/administration/audit-store';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import type { Source } from '#functions/data/sources/source';
import { indexed, KEY_ATTRIBUTES, keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';
import { invalid, unknownCursor } from '#functions/domain/common/errors';
import { parseJson } from '#functions/platform/parse-json';
import type { Runtime } from '#functions/platform/runtime';
import { SECRET_SETTINGS } from '#shared/channels/channels';
import { SECRET_MASK } from '#shared/rules/constants';
import { EURO_FIELDS } from '#shared/rules/lead-fields';

export const MAX_ENTRIES_PER_TRANSACTION = 90;

export interface AuditInput {
  /** The admin's user name, `link` for the holder of a link, `system` for the product itself. */
  readonly who: string;
  readonly entity: Audited;
  /** The permanent ID: the internal number of a buyer, the name of a singleton. */
  readonly entityId: string | number;
  /** The name that admins see: the `buyer_id` of a buyer, the name of a template. */
  readonly label?: string;
  readonly action: string;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

const SECRETS: ReadonlySet<string> = new Set([
  ...SECRET_SETTINGS.map(({ name }) => name),
  'smtp_pass',
  'user_key',
  'app_key',
  'password',
  'password_hash',
  'token',
]);
const BOOKKEEPING: ReadonlySet<string> = new Set([
  ...KEY_ATTRIBUTES,
  'buyer',
  'version',
  'reservations',
  'replacement_reservations',
  'last_sequence',
  'order_count',
  'distribution_attempt',
  'in_flight_since',
  'batch_id',
  'chosen_buyer',
  'chosen_by',
  'verified',
  'created_at',
  'received_at',
]);
/** Stored in hundredths: cents, and hundredths of a percent. */
const HUNDREDTHS: ReadonlySet<string> = new Set([
  ...EURO_FIELDS,
  'min_investment',
  'max_investment',
  'price_per_lead',
  'cost_per_lead',
  'probability',
]);
const MAX_VALUE_LENGTH = 1000;

/** A write for the transaction that makes the change, so that neither exists without the other. */
export function auditEntry(
  { runtime }: AuditContext,
  { who, action, entity, entityId, label, before, after }: AuditInput,
): Put {
  const [at, entity_id] = [runtime.now().toISOString(), String(entityId)];
  const changes = changesBetween(before, after);
  const entry = { at, who, action, entity, entity_id, label: label ?? entity_id, changes };
  return entryPut(entry, runtime.newId(), seedFrom(runtime.newToken()));
}

export const aboutBuyer = ({ buyer, buyer_id }: Pick<Buyer, 'buyer' | 'buyer_id'>) =>
  ({ entity: 'buyer', entityId: buyer, label: buyer_id }) as const;

export const aboutSource = ({ source, name }: Pick<Source, 'source' | 'name'>) =>
  ({ entity: 'source', entityId: source, label: name }) as const;
export const aboutOrder = (orderId: number) => ({ entity: 'order', entityId: orderId }) as const;
export const aboutLead = (leadId: string) => ({ entity: 'lead', entityId: leadId }) as const;
export const aboutSetting = (name: string) => ({ entity: 'setting', entityId: name }) as const;
export const aboutClaim = (claimId: number) => ({ entity: 'claim', entityId: claimId }) as const;

type AuditContext = { readonly runtime: Pick<Runtime, 'now' | 'newId' | 'newToken'> };

export function editEntry(
  context: AuditContext,
  input: AuditInput & { readonly before: object | undefined; readonly after: object | undefined },
): Put[] {
  return changesBetween(input.before, input.after).length === 0 ? [] : [auditEntry(context, input)];
}

/** In alphabetical order, in the units that admins see (euros, percent). */
export function changesBetween(before: object | undefined, after: object | undefined): Change[] {
  const from = new Map<string, unknown>(Object.entries(before ?? {}));
  const to = new Map<string, unknown>(Object.entries(after ?? {}));
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((field) => !BOOKKEEPING.has(field))
    .sort()
    .flatMap((field) => {
      const [old, now] = [from.get(field) ?? null, to.get(field) ?? null];
      if (JSON.stringify(old) === JSON.stringify(now)) return [];
      if (SECRETS.has(field))
        return [{ field, from: old === null ? null : SECRET_MASK, to: now === null ? null : 'changed' }];
      return [{ field, from: shown(field, old), to: shown(field, now) }];
    });
}

function shown(field: string, value: unknown): Change['from'] {
  if (typeof value === 'number') return HUNDREDTHS.has(field) ? value / 100 : value;
  if (typeof value === 'boolean' || value === null) return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;
}

/** @param query.entityId the `buyer_id` of a buyer @throws DomainError `invalid` for an ID without its kind, or a foreign cursor */
export async function listAudit(
  context: DataContext,
  query: TrailPart & { limit: number; cursor?: string | undefined },
): Promise<{ entries: readonly Entry[]; nextCursor: string | null }> {
  const { accesses = false, entity, limit } = query;
  if (query.entityId !== undefined && entity === undefined)
    throw invalid('entity_required', 'Please choose what the ID belongs to', { entity: 'Required' });
  const entityId =
    entity === 'buyer' && query.entityId !== undefined
      ? await internalBuyer(context, query.entityId)
      : query.entityId;
  const part = { accesses, entity, entityId };
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, part);
  const { entries, next } = await auditStore.list(context, part, { limit, after });
  return { entries, nextCursor: next === undefined ? null : writeCursor(next) };
}

async function internalBuyer(context: DataContext, buyerId: string): Promise<string> {
  const guard = await context.table.get(keys.buyerId(buyerId));
  return guard === undefined ? '' : String(guard.buyer);
}

function writeCursor({ pk, sk, listed }: AuditPosition): string {
  return Buffer.from(JSON.stringify([pk, sk, listed])).toString('base64url');
}

const LISTED = /^\d{4}-\d\d-\d\dT[\d:.]+Z#[0-9A-HJKMNP-TV-Z]{26}$/;
const cursorSchema = z.tuple([
  z.string(),
  z.string().check(z.regex(/^\d{4}-\d\d-\d\d[T#]/)),
  z.string().check(z.regex(LISTED)),
]);

/** Refuses a cursor outside its listing before the database does. */
function readCursor(cursor: string, { accesses, entity, entityId }: TrailPart): AuditPosition {
  const parsed = cursorSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!parsed.success) throw unknownCursor();
  const [pk, sk, listed] = parsed.data;
  const [ofOne, ofKind, ofAll] =
    accesses === true
      ? [keys.accessesTo, indexed.accessesOf, indexed.accesses]
      : [keys.audited, indexed.auditOf, indexed.audit];
  const isWithin =
    entity !== undefined && entityId !== undefined
      ? pk === ofOne(entity, entityId)
      : pk.startsWith(`${entity === undefined ? ofAll() : ofKind(entity)}#`);
  if (!isWithin) throw unknownCursor();
  return { pk, sk, listed };
}
