/**
 * The index of words by which claims are found. A posting is a prefix with the claims that have a word beginning with
 * it. Prefixes of 1, 2, 3, 5 and 8 characters are stored, and longer words as a whole. For a phone number, every four
 * consecutive digits are a posting with their position. Longer parts are found by several postings at matching positions.
 */
import type { Claim } from '#functions/data/claims/claim';
import { displayId, type Person } from '#functions/data/leads/lead';
import {
  MAX_PHONE_DIGITS,
  MIN_PHONE_DIGITS,
  normalise,
  type PhonePart,
  phoneDigits,
  phoneParts,
  spellings,
  tokens,
  typedSpellings,
  typedWords,
} from '#shared/rules/search-text';

const MAX_PREFIX_CHARACTERS = 8;
const PREFIX_CHARACTERS = [1, 2, 3, 5, MAX_PREFIX_CHARACTERS] as const;
const PHONE_TIER = MIN_PHONE_DIGITS;
const MAX_WORD_CHARACTERS = 64;
/** An edit may replace all of them with two writes each, in a transaction of at most 100 items. */
const MAX_POSTINGS_PER_PERSON = 47;

/** `tier` is the number of characters of the prefix, or 0 for a whole word. */
export interface Posting {
  readonly tier: number;
  readonly word: string;
}

/** `exact` if the prefix itself is stored. */
export interface PrefixLookup {
  readonly tier: number;
  readonly prefix: string;
  readonly exact: boolean;
}
export type Lookup = PrefixLookup | { readonly phone: PhonePart };

/** A claim matches if it matches every term: at least one alternative of the term with all its lookups. */
export type SearchTerms = readonly (readonly (readonly Lookup[])[])[];

type Names = Pick<Person, 'vorname' | 'nachname' | 'email' | 'telefon'>;
type Ids = Pick<Claim, 'claim_id' | 'lead_id' | 'order_id' | 'sequence'>;

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
  // If a person has many long names, the last ones are not indexed.
  addWord(email);
  addWord(email.slice(email.indexOf('@') + 1));
  for (const posting of phonePostings(person.telefon)) add(posting);
  const names = [...tokens(person.nachname.normalize('NFC')), ...tokens(person.vorname.normalize('NFC'))];
  for (const word of [...names.map(normalise), ...names.flatMap(spellings)]) addWord(word);
  return [...postings.values()].slice(0, ids + MAX_POSTINGS_PER_PERSON);
}

function phonePostings(phone: string): Posting[] {
  const digits = phoneDigits(phone).slice(0, MAX_PHONE_DIGITS);
  return Array.from({ length: Math.max(0, digits.length - MIN_PHONE_DIGITS + 1) }, (_, start) => ({
    tier: PHONE_TIER,
    word: phoneWord(digits.slice(start, start + MIN_PHONE_DIGITS), start),
  }));
}

const phoneWord = (four: string, start: number) => `${four}#${String(start).padStart(2, '0')}`;

/** `offset`: digits from the beginning of the part. */
export interface PhoneLookup extends PrefixLookup {
  readonly offset: number;
}

/** A phone number contains the part if it has all postings, each shifted from its offset by the same distance. */
export function phoneLookups({ digits }: PhonePart): PhoneLookup[] {
  // A beginning may be shorter than four digits.
  if (digits.length < MIN_PHONE_DIGITS)
    return [{ tier: PHONE_TIER, prefix: digits, exact: false, offset: 0 }];
  const last = digits.length - MIN_PHONE_DIGITS;
  const offsets = Array.from({ length: Math.ceil(last / MIN_PHONE_DIGITS) + 1 }, (_, at) =>
    Math.min(at * MIN_PHONE_DIGITS, last),
  );
  return offsets.map((offset) => ({
    tier: PHONE_TIER,
    prefix: `${digits.slice(offset, offset + MIN_PHONE_DIGITS)}#`,
    exact: false,
    offset,
  }));
}

export function phonePositionOf(word: string): number {
  return Number(word.slice(MIN_PHONE_DIGITS + 1, MIN_PHONE_DIGITS + 3));
}

export const postingId = ({ tier, word }: Posting) => `${tier} ${word}`;

export function termsOf(search: string): SearchTerms {
  return typedWords(search)
    .map((typed) => alternatives(typed))
    .filter((term) => term.length > 0);
}

function alternatives(typed: string): Lookup[][] {
  const found = new Map<string, Lookup[]>();
  const add = (prefixes: readonly string[]) => {
    if (prefixes.length > 0 && prefixes.every((prefix) => prefix !== ''))
      found.set(prefixes.join(' '), prefixes.map(lookup));
  };
  for (const spelled of typedSpellings(typed)) {
    // A phone number written with spaces may also be several numbers, such as those of a claim and an order.
    const words = spelled.split(' ').map((word) => word.slice(0, MAX_WORD_CHARACTERS));
    const parts = words.flatMap(tokens);
    if (parts.length === 0) return [];
    add(words);
    // An address is one word; anything else with letters may be several.
    if (/\p{L}/u.test(spelled) && !spelled.includes('@')) add(parts);
  }
  // `12-3` is a lead of an order. No order's number begins with a zero.
  const numbers = /^[1-9]\d*-\d*$/.test(typed) ? [] : phoneParts(typed);
  return [...found.values(), ...numbers.map((phone): Lookup[] => [{ phone }])];
}

function lookup(prefix: string): PrefixLookup {
  const tier = PREFIX_CHARACTERS.find((length) => length >= prefix.length);
  return tier === undefined
    ? { tier: 0, prefix, exact: false }
    : { tier, prefix, exact: tier === prefix.length };
}
