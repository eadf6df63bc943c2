import * as templateStore from '#functions/data/administration/template-store';
import { type Buyer, channelsOf, PLAIN_SETTINGS, type PoolEntry } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context, DataContext } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as sourceStore from '#functions/data/sources/source-store';
import type { TransactionItem } from '#functions/data/table/table';
import {
  channelFieldsOf,
  channelProblems,
  refuseFields,
  requireSecretsAgain,
  unboundSecrets,
} from '#functions/domain/buyers/channel-settings';
import { newBuyer } from '#functions/domain/buyers/new-buyer';
import { checkWeights, poolWithWrittenWeights, writeWeights } from '#functions/domain/buyers/weights';
import { aboutBuyer, auditEntry, editEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { conflict, invalid, notFound } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import type { Cipher } from '#functions/keys/cipher';
import { CONFLICT } from '#functions/platform/retry';
import { TEMPLATE_NAMES } from '#shared/channels/channels';
// oxlint-disable-next-line no-restricted-imports -- A buyer's form is passed on as parsed, because its fields depend on the channels.
import type { Parsed } from '#shared/contract/schemas';
import { INVALID } from '#shared/rules/invalid-texts';
import { minutesOf } from '#shared/rules/schedule';

export interface BuyerContext extends Context {
  readonly cipher: () => Promise<Cipher>;
}

const SOURCE_LISTS = ['sources_allowed', 'sources_excluded'] as const;

type Creation = Parsed<'createBuyer', 'body'>;
type Change = Parsed<'updateBuyer', 'body'>;

export async function createBuyer(context: BuyerContext, who: string, input: Creation): Promise<Buyer> {
  const internal = await buyerStore.nextInternalId(context);
  const blank = newBuyer(internal, input.buyer_id, context.runtime.now().toISOString());
  const buyer: Buyer = { ...blank, ...(await fieldsOf(context, input)) };
  checkForm(buyer);
  await requireTemplates(context, buyer);
  await requireSources(context, buyer);
  return retryOnConflict(context.runtime, async () => {
    const pool = await poolWithWrittenWeights(context);
    const others = checkWeights(pool, buyer, input.confirm_exclusive === true);
    const result = await context.table.transact([
      ...buyerStore.created(buyer),
      poolStore.entryCreated(poolEntryOf(buyer, undefined)),
      poolStore.weightsChanged(pool.weightsVersion, { weights: others, by: who }),
      ...templatesChosen(buyer),
      auditEntry(context, { who, action: 'created', ...aboutBuyer(buyer), after: buyer }),
    ]);
    if (result.ok) {
      if (others.size > 0) await writeWeights(context);
      return buyer;
    }
    if (await buyerStore.byId(context, buyer.buyer_id)) throw idTaken(buyer.buyer_id);
    return CONFLICT;
  });
}

/** @throws DomainError 404; 400 for invalid input or a secret that must be entered again; 409 for a taken ID or a concurrent change */
export async function updateBuyer(
  context: BuyerContext,
  who: string,
  buyerId: string,
  input: Change,
): Promise<Buyer> {
  return retryOnConflict(context.runtime, async () => {
    const pool = await poolWithWrittenWeights(context);
    const before = await requireBuyer(context, buyerId);
    const poolEntry = pool.entries.find(({ buyer }) => buyer === before.buyer);
    if (input.expected) requireUnchanged(await fieldsOf(context, input.expected), before);
    const newId = input.new_buyer_id ?? buyerId;
    const renamed = newId !== buyerId;
    const fields: Partial<Buyer> = {
      ...(await fieldsOf(context, input)),
      ...(renamed && { buyer_id: newId }),
    };
    Object.assign(fields, unboundSecrets(before, { ...before, ...fields }));
    const after: Buyer = { ...before, ...fields };
    checkForm(after, before);
    requireSecretsAgain(before, after);
    await requireTemplates(context, fields);
    await requireSources(context, fields);
    const weighs = after.probability !== before.probability || after.active !== before.active;
    const others: ReadonlyMap<number, number> = weighs
      ? checkWeights(pool, after, input.confirm_exclusive === true)
      : new Map();
    const result = await context.table.transact([
      buyerStore.changed(before, fields),
      ...(renamed ? buyerStore.renamed(before.buyer, before.buyer_id, after.buyer_id) : []),
      ...(poolEntry === undefined ? [] : [poolStore.entryChanged(poolEntry, poolEntryOf(after, poolEntry))]),
      ...(weighs ? [poolStore.weightsChanged(pool.weightsVersion, { weights: others, by: who })] : []),
      ...templatesChosen(fields),
      ...editEntry(context, {
        who,
        action: renamed ? 'renamed' : 'updated',
        ...aboutBuyer(after),
        before,
        after,
      }),
    ]);
    if (result.ok) {
      if (others.size > 0) await writeWeights(context);
      return { ...after, version: before.version + 1 };
    }
    if (renamed && (await buyerStore.byId(context, after.buyer_id))) throw idTaken(after.buyer_id);
    return CONFLICT;
  });
}

/** Soft delete: its orders, leads, links and claims stay. @throws DomainError 404 */
export async function deleteBuyer(context: BuyerContext, who: string, buyerId: string): Promise<void> {
  return retryOnConflict(context.runtime, async () =>
    deleteUnchangedBuyer(context, who, await requireBuyer(context, buyerId)),
  );
}

/** @returns `CONFLICT` if the buyer has changed since it was read, also by a new order */
export async function deleteUnchangedBuyer(
  context: BuyerContext,
  who: string,
  buyer: Buyer,
): Promise<typeof CONFLICT | undefined> {
  const poolEntry = await poolStore.entry(context, buyer.buyer);
  const at = context.runtime.now().toISOString();
  const fields: Partial<Buyer> = {
    deleted_at: at,
    active: false,
    last_order_id: poolEntry?.order_id ?? buyer.last_order_id,
  };
  const after = { ...buyer, ...fields };
  return committed(context, undefined, [
    buyerStore.changed(buyer, fields),
    ...(poolEntry === undefined ? [] : [poolStore.entryRetired(poolEntry, at)]),
    auditEntry(context, { who, action: 'deleted', ...aboutBuyer(buyer), before: buyer, after }),
  ]);
}

/** @throws DomainError 404 for an unknown or deleted buyer */
export async function requireBuyer(context: DataContext, buyerId: string): Promise<Buyer> {
  const buyer = await buyerStore.byId(context, buyerId);
  if (buyer === undefined || buyer.deleted_at !== null) throw notFound('Buyer');
  return buyer;
}

export function poolEntryOf(buyer: Buyer, poolEntry: PoolEntry | undefined): PoolEntry {
  return {
    buyer: buyer.buyer,
    buyer_id: buyer.buyer_id,
    probability: buyer.probability,
    min_investment: buyer.min_investment ?? 0,
    ...(buyer.max_investment !== null && { max_investment: buyer.max_investment }),
    ...(buyer.min_term !== null && { min_term: buyer.min_term }),
    ...(buyer.max_term !== null && { max_term: buyer.max_term }),
    ...(buyer.sources_allowed.length > 0 && { sources_allowed: buyer.sources_allowed }),
    ...(buyer.sources_excluded.length > 0 && { sources_excluded: buyer.sources_excluded }),
    manual_review: buyer.manual_review,
    ...(buyer.requires_consent && { requires_consent: true }),
    active: buyer.active,
    channels: channelsOf(buyer),
    order_id: poolEntry?.order_id ?? null,
    has_capacity: poolEntry?.has_capacity ?? false,
    ...(poolEntry?.paced !== undefined && { paced: poolEntry.paced }),
    ...(poolEntry?.capped_until !== undefined && { capped_until: poolEntry.capped_until }),
    ...(poolEntry?.capped_by !== undefined && { capped_by: poolEntry.capped_by }),
    ...(buyer.schedule !== null && { schedule: buyer.schedule }),
    ...(poolEntry?.opened_at !== undefined && { opened_at: poolEntry.opened_at }),
    version: poolEntry?.version ?? 1,
  };
}

/** The stored form of the given fields. An empty text clears a field, but never a secret. */
async function fieldsOf(
  context: BuyerContext,
  input: Creation | Change | NonNullable<Change['expected']>,
): Promise<Partial<Buyer>> {
  const cipher = await context.cipher();
  const fields: Partial<Buyer> = {};
  const set = <K extends keyof Buyer>(name: K, value: Buyer[K] | undefined) => {
    if (value !== undefined) fields[name] = value;
  };
  set('probability', input.probability === undefined ? undefined : Math.round(input.probability * 100));
  for (const name of ['min_investment', 'max_investment', 'price_per_lead'] as const) {
    const euro = input[name];
    set(name, typeof euro === 'number' ? Math.round(euro * 100) : euro);
  }
  for (const name of PLAIN_SETTINGS) set(name, input[name]);
  Object.assign(fields, channelFieldsOf(cipher, input));
  set('active', input.active);
  return fields;
}

/** @param before the stored buyer; if it already violated a rule that is newer, it stays editable @throws DomainError 400 */
function checkForm(buyer: Buyer, before?: Buyer): void {
  const fields: Record<string, string> = {};
  if (buyer.min_days_for_ne > buyer.max_claim_days) fields.min_days_for_ne = INVALID.neAboveMax;
  if ((buyer.max_investment ?? Infinity) < (buyer.min_investment ?? 0))
    fields.max_investment = INVALID.maxBelowMin;
  if ((buyer.max_term ?? Infinity) < (buyer.min_term ?? 0)) fields.max_term = INVALID.maxBelowMin;
  if (SOURCE_LISTS.every((name) => buyer[name].length > 0)) fields.sources_excluded = INVALID.sourceLists;
  if (buyer.schedule !== null && (minutesOf(buyer.schedule.to) ?? 0) <= (minutesOf(buyer.schedule.from) ?? 0))
    fields['schedule.to'] = INVALID.endsBefore;
  refuseFields({ ...fields, ...channelProblems(buyer, before) });
}

function templatesChosen(fields: Partial<Buyer>): TransactionItem[] {
  const ids = TEMPLATE_NAMES.map((name) => fields[name]);
  return [...new Set(ids)].flatMap((id) => (id ? [templateStore.chosen(id)] : []));
}

async function requireTemplates(context: BuyerContext, fields: Partial<Buyer>): Promise<void> {
  const text = 'The e-mail template does not exist';
  for (const field of TEMPLATE_NAMES) {
    const id = fields[field];
    if (id && (await templateStore.get(context, id)) === undefined)
      throw invalid('unknown_template', text, { [field]: text });
  }
}

/** No source is ever deleted, so this need not be part of the write. */
async function requireSources(context: DataContext, fields: Partial<Buyer>): Promise<void> {
  for (const name of SOURCE_LISTS) {
    const sources = await sourceStore.getMany(context, fields[name] ?? []);
    const unknown = fields[name]?.find((_, at) => sources[at] === undefined);
    const text = `There is no source ${unknown}`;
    if (unknown !== undefined) throw invalid('unknown_source', text, { [name]: text });
  }
}

const idTaken = (buyerId: string) => conflict('buyer_id_taken', `The buyer ID ${buyerId} is already taken`);
