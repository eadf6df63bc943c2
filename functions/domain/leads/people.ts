import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { DataContext } from '#functions/data/context';
import { type Lead, leadSchema } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as searchIndex from '#functions/data/leads/search-index';
import { hasTerm, lookupsOf, type SearchTerm, searchTerms } from '#functions/data/leads/search-index';
import { type Trace, type TraceContext, tracesOf } from '#functions/data/leads/traces';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { notFound } from '#functions/domain/common/errors';
import { type ReceivedLead, receivedOf } from '#functions/domain/leads/receivers';
import { leadsByReference, longestOf } from '#functions/domain/leads/search';
import { normalise, phoneDigits } from '#shared/rules/search-text';

export interface RetainedFiles {
  count(): Promise<number>;
  clear(): Promise<void>;
}

export interface PeopleContext extends TraceContext {
  readonly files: Pick<RetainedFiles, 'count'>;
}

const MAX_CANDIDATES = 100;
const MAX_LEADS = 50;

/** Finds by e-mail, phone, name, ID or `order-lead` number, with all other leads of the person. Erased leads are not found. */
export async function findPeople(context: PeopleContext, query: string) {
  const direct = await matching(context, query.trim());
  const seeds = direct.slice(0, MAX_LEADS);
  const known = new Map(seeds.map((lead) => [lead.lead_id, lead]));
  const related = await mapConcurrently(seeds, (lead) => ofSamePerson(context, lead));
  for (const lead of related.flat()) known.set(lead.lead_id, lead);
  const leads = [...known.values()].sort((a, b) => b.received_at.localeCompare(a.received_at));
  const numbers = leads.flatMap(({ buyer }) => buyer ?? []);
  return {
    groups: grouped(leads).map((group) => ({ leads: group })),
    buyers: await buyerStore.getMany(context, numbers),
    more: direct.length > MAX_LEADS,
  };
}

const holdsPerson = (lead: Lead | undefined): lead is Lead =>
  lead !== undefined && (lead.email !== '' || lead.telefon !== '' || lead.nachname !== '');

async function matching(context: PeopleContext, text: string): Promise<Lead[]> {
  const referenced = await leadsByReference(context, text);
  if (referenced !== undefined) return referenced.filter(holdsPerson);
  const terms = searchTerms(text);
  const longest = longestOf(terms);
  if (longest === undefined) return [];
  return (await withTerm(context, longest)).filter((lead) => terms.every((term) => hasTerm(lead, term)));
}

async function withTerm(context: DataContext, term: SearchTerm): Promise<Lead[]> {
  const found = await Promise.all(
    lookupsOf(term).map((prefix) => searchIndex.leadsWith(context, prefix, MAX_CANDIDATES)),
  );
  return (await leadStore.getMany(context, [...new Set(found.flat())].slice(0, MAX_CANDIDATES))).filter(
    holdsPerson,
  );
}

const emailOf = ({ email }: Lead) => normalise(email.trim());
const phoneOf = ({ telefon }: Lead) => phoneDigits(telefon);

function isSamePerson(one: Lead, other: Lead): boolean {
  const [email, phone] = [emailOf(one), phoneOf(one)];
  return (email !== '' && email === emailOf(other)) || (phone !== '' && phone === phoneOf(other));
}

async function ofSamePerson(context: DataContext, lead: Lead): Promise<Lead[]> {
  return (await leadsLike(context, lead)).filter((other) => isSamePerson(lead, other));
}

/** All leads with this address or number, and some with similar ones. */
export async function leadsLike(
  context: DataContext,
  { email, telefon }: Pick<Lead, 'email' | 'telefon'>,
): Promise<Lead[]> {
  const terms = [...searchTerms(email), ...searchTerms(telefon)];
  return (await Promise.all(terms.map((term) => withTerm(context, term)))).flat();
}

function grouped(leads: readonly Lead[]): Lead[][] {
  const groups: Lead[][] = [];
  for (const lead of leads) {
    const same = groups.filter((group) => group.some((other) => isSamePerson(lead, other)));
    const [first, ...others] = same;
    if (first === undefined) {
      groups.push([lead]);
      continue;
    }
    first.push(lead);
    for (const other of others) first.push(...groups.splice(groups.indexOf(other), 1).flat());
  }
  return groups;
}

export interface PersonView {
  readonly leads: readonly Lead[];
  readonly traces: readonly Trace[];
  readonly received: readonly ReceivedLead[];
  readonly buyers: ReadonlyMap<number, Buyer>;
  readonly sources: ReadonlyMap<number, Source>;
  readonly files: number;
}

export async function personView(context: PeopleContext, leadIds: readonly string[]): Promise<PersonView> {
  const found = await mapConcurrently([...new Set(leadIds)], async (leadId) => {
    const [traces, details] = await Promise.all([
      tracesOf(context, leadId),
      leadStore.details(context, leadId),
    ]);
    if (traces === undefined || details === undefined) throw notFound('Lead');
    return { traces, received: receivedOf(details) };
  });
  const traces = found.flatMap((one) => one.traces);
  const received = found.flatMap((one) => one.received);
  const leads = traces.filter(({ kind }) => kind === 'lead').map(({ fields }) => leadSchema.parse(fields));
  const sourceIds = [...new Set(leads.flatMap(({ source }) => source ?? []))];
  const [buyers, sources, files] = await Promise.all([
    buyerStore.ofEach(context, received),
    Promise.all(sourceIds.map((source) => sourceStore.get(context, source))),
    context.files.count(),
  ]);
  return {
    leads,
    traces,
    received,
    buyers,
    sources: new Map(sources.flatMap((source) => (source ? [[source.source, source] as const] : []))),
    files,
  };
}
