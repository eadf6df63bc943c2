/**
 * The words by which claims are found: prefix match on names, e-mail, phone digits and ids.
 *
 * A posting is a prefix with the set of claims that have a word starting so. Prefixes of 1, 2, 3, 5 and 8 characters
 * are kept, and longer words whole, so that any prefix a person types is either kept or the beginning of few others.
 */
import type { Claim } from '#functions/data/claims/claim';
import { displayId, type Person } from '#functions/data/leads/lead';
import { normalise, phoneDigits, tokens, withoutMarks } from '#functions/data/leads/search-text';

const PREFIXES = [1, 2, 3, 5, 8] as const;
const LONGEST_PREFIX = 8;
/** A word is cut here: longer input differs earlier. */
const LONGEST_WORD = 64;
/**
 * Of a person, beside those of the claim's ids. An edit may replace them all, which takes two writes each, and is one
 * transaction of at most 100 items with six of its own. Most people have about thirty.
 */
const MOST_OF_PERSON = 47;

/** A place in the index: `tier` is a length of prefixes, or 0 for whole words. */
export interface Posting {
  readonly tier: number;
  readonly word: string;
}

/** One prefix to look up; `exact` where the tier keeps prefixes of just this length. */
export interface Lookup {
  readonly tier: number;
  readonly prefix: string;
  readonly exact: boolean;
}

/** What must hold for a claim to match: each of the terms; of a term one alternative; of that every lookup. */
export type SearchTerms = readonly (readonly (readonly Lookup[])[])[];

type Names = Pick<Person, 'vorname' | 'nachname' | 'email' | 'telefon'>;
type Ids = Pick<Claim, 'claim_id' | 'lead_id' | 'order_id' | 'sequence'>;

/** The postings of a claim, each once. */
export function postingsOf(claim: Ids, person: Names): Posting[] {
  const email = normalise(person.email.trim());
  const postings = new Map<string, Posting>();
  const add = (posting: Posting) => postings.set(postingId(posting), posting);
  const addWord = (word: string) => {
    const cut = word.slice(0, LONGEST_WORD);
    let shorter = 0;
    for (const tier of PREFIXES) {
      if (cut.length > shorter) add({ tier, word: cut.slice(0, tier) });
      shorter = tier;
    }
    if (cut.length > LONGEST_PREFIX) add({ tier: 0, word: cut });
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
  return [...postings.values()].slice(0, ids + MOST_OF_PERSON);
}

/** The same for two postings that are the same. */
export const postingId = ({ tier, word }: Posting) => `${tier} ${word}`;

/** What to look up for a search; no terms for one without letters and digits. */
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
  const raw = normalise(term).slice(0, LONGEST_WORD);
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
  const tier = PREFIXES.find((length) => length >= prefix.length);
  return tier === undefined
    ? { tier: 0, prefix, exact: false }
    : { tier, prefix, exact: tier === prefix.length };
}
