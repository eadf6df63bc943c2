/**
 * The index of words by which claims are found: prefix match on names, e-mail, phone digits and ids.
 *
 * A posting is a prefix with the set of claims that have a word beginning with it. Stored are the prefixes of 1, 2, 3,
 * 5 and 8 characters and the whole of longer words. Any other prefix that somebody types is the beginning of a few
 * stored ones, which are read by one query.
 */
import type { Claim } from '#functions/data/claims/claim';
import { displayId, type Person } from '#functions/data/leads/lead';
import { normalise, phoneDigits, tokens, withoutMarks } from '#functions/data/leads/search-text';

const MAX_PREFIX_CHARACTERS = 8;
const PREFIX_CHARACTERS = [1, 2, 3, 5, MAX_PREFIX_CHARACTERS] as const;
/** Longer words are cut: real ones differ before. */
const MAX_WORD_CHARACTERS = 64;
/**
 * The most postings by a person's data, besides those by the claim's ids. An edit may replace them all with two writes
 * each, in one transaction of at most 100 items, six of which are others. Most people have about thirty.
 */
const MAX_POSTINGS_PER_PERSON = 47;

/** One entry of the index: `tier` is the number of characters of the prefix, or 0 for a whole word. */
export interface Posting {
  readonly tier: number;
  readonly word: string;
}

/** One prefix to look up. It is `exact` where the prefixes of its tier are as long, so that it is stored itself. */
export interface Lookup {
  readonly tier: number;
  readonly prefix: string;
  readonly exact: boolean;
}

/** A claim matches if it matches every term: at least one alternative of the term with all its lookups. */
export type SearchTerms = readonly (readonly (readonly Lookup[])[])[];

type Names = Pick<Person, 'vorname' | 'nachname' | 'email' | 'telefon'>;
type Ids = Pick<Claim, 'claim_id' | 'lead_id' | 'order_id' | 'sequence'>;

/** The postings of a claim, each once. */
export function postingsOf(claim: Ids, person: Names): Posting[] {
  const email = normalise(person.email.trim());
  const postings = new Map<string, Posting>();
  const add = (posting: Posting) => postings.set(postingId(posting), posting);
  const addWord = (word: string) => {
    const cut = word.slice(0, MAX_WORD_CHARACTERS);
    let shorter = 0;
    for (const tier of PREFIX_CHARACTERS) {
      if (cut.length > shorter) add({ tier, word: cut.slice(0, tier) });
      shorter = tier;
    }
    if (cut.length > MAX_PREFIX_CHARACTERS) add({ tier: 0, word: cut });
  };
  add({ tier: 0, word: claim.lead_id.toLowerCase() });
  for (const word of [String(claim.claim_id), displayId(claim)]) addWord(word);
  const ids = postings.size;
  // What is bounded comes first: of somebody with many long names the last ones are left out.
  for (const word of [
    email,
    email.slice(email.indexOf('@') + 1),
    phoneDigits(person.telefon),
    ...tokens(normalise(person.nachname)),
    ...tokens(normalise(person.vorname)),
    ...tokens(withoutMarks(person.nachname)),
    ...tokens(withoutMarks(person.vorname)),
  ])
    addWord(word);
  return [...postings.values()].slice(0, ids + MAX_POSTINGS_PER_PERSON);
}

/** Identifies a posting: equal for equal ones. */
export const postingId = ({ tier, word }: Posting) => `${tier} ${word}`;

/** What to look up for the text of a search; no terms for a text without letters and digits. */
export function termsOf(search: string): SearchTerms {
  const digits = search.replace(/\D/g, '');
  // A phone number written with spaces is one term.
  if (/^[+\d\s()/.-]+$/.test(search) && /\s/.test(search.trim()) && digits.length >= 6)
    return [[[lookup(phoneDigits(search))]]];
  return search
    .split(/\s+/)
    .map((term) => alternatives(term))
    .filter((term) => term.length > 0);
}

function alternatives(term: string): Lookup[][] {
  const raw = normalise(term).slice(0, MAX_WORD_CHARACTERS);
  const parts = tokens(raw);
  if (parts.length === 0) return [];
  const found = new Map<string, Lookup[]>();
  const add = (words: readonly string[]) => {
    if (words.length > 0 && words.every((word) => word !== '')) found.set(words.join(' '), words.map(lookup));
  };
  add([raw]);
  // An address is one word; anything else with letters may be several.
  if (raw.includes('@')) return [...found.values()];
  if (/\p{L}/u.test(raw)) add(parts);
  else if (!/^\d+-\d*$/.test(raw)) add([phoneDigits(term)]);
  return [...found.values()];
}

function lookup(prefix: string): Lookup {
  const tier = PREFIX_CHARACTERS.find((length) => length >= prefix.length);
  return tier === undefined
    ? { tier: 0, prefix, exact: false }
    : { tier, prefix, exact: tier === prefix.length };
}
