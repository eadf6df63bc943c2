/** The search index of leads, one item for each word. It changes in the transaction that counts the lead. */
import type { DataContext } from '#functions/data/context';
import type { Person } from '#functions/data/leads/lead';
import { keys } from '#functions/data/table/keys';
import type { TransactionItem } from '#functions/data/table/table';
import {
  hasPhonePart,
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

export const MIN_WORD_LENGTH = 2;
const MAX_WORD_LENGTH = 64;
const MAX_NAME_WORDS = 8;
/** Only every second ending of a phone number is indexed. The others are found by prepending each of the ten digits. */
const DIGITS_PER_ENDING = 2;

/** A lead must match every one of them. */
export interface SearchTerm {
  /** Spellings of the beginning of a word. */
  readonly words: readonly string[];
  /** Parts of the phone number that match instead. */
  readonly parts: readonly PhonePart[];
}

/** @param prefix one of `lookupsOf` a term @returns at most `limit` lead IDs; up to a second behind the leads */
export async function leadsWith({ table }: DataContext, prefix: string, limit: number): Promise<string[]> {
  const { items } = await table.query({
    partition: keys.leadWords(prefix),
    sort: { prefix },
    limit,
    only: ['lead_id'],
  });
  return [...new Set(items.map((item) => String(item.lead_id)))];
}

export function reindexed(
  leadId: string,
  before: readonly string[],
  after: readonly string[],
): TransactionItem[] {
  return [
    ...after
      .filter((word) => !before.includes(word))
      .map((word) => ({ put: { ...keys.leadWord(word, leadId), lead_id: leadId } })),
    ...before
      .filter((word) => !after.includes(word))
      .map((word) => ({ delete: keys.leadWord(word, leadId) })),
  ];
}

export function leadWords(person: Pick<Person, 'vorname' | 'nachname' | 'email' | 'telefon'>): string[] {
  const names = [...tokens(person.nachname.normalize('NFC')), ...tokens(person.vorname.normalize('NFC'))];
  // If a person has many names, other spellings are left out first.
  const words = [normalise(person.email.trim()), ...names.map(normalise), ...names.flatMap(spellings)]
    .map(cut)
    .filter((word) => word.length >= MIN_WORD_LENGTH);
  return [...new Set([...[...new Set(words)].slice(0, MAX_NAME_WORDS), ...endingsOf(person.telefon)])];
}

function endingsOf(phone: string): string[] {
  const digits = phoneDigits(phone).slice(0, MAX_PHONE_DIGITS);
  const endings: string[] = [];
  for (let start = 0; start <= digits.length - MIN_PHONE_DIGITS; start += DIGITS_PER_ENDING)
    endings.push(digits.slice(start));
  return endings;
}

/** A phone number written with spaces is one term. */
export function searchTerms(query: string): SearchTerm[] {
  return typedWords(query).flatMap((typed): SearchTerm[] => {
    const parts = phoneParts(typed);
    if (parts.length > 0) return [{ words: [cut(typed.replace(/\D/g, ''))], parts }];
    return (typed.includes('@') ? [typed] : tokens(typed.normalize('NFC')))
      .map((word) => ({ words: typedSpellings(word).map(cut), parts: [] }))
      .filter(({ words }) => words.every((word) => word.length >= MIN_WORD_LENGTH));
  });
}

/** Every lead that matches the term has a word with one of these beginnings. */
export function lookupsOf({ words, parts }: SearchTerm): string[] {
  const ofPhone = parts.flatMap(({ digits, atStart }) =>
    atStart ? [digits] : [digits, ...Array.from({ length: 10 }, (_, before) => `${before}${digits}`)],
  );
  return [...new Set([...words, ...ofPhone])];
}

export function hasTerm(
  person: Pick<Person, 'vorname' | 'nachname' | 'email' | 'telefon'>,
  { words, parts }: SearchTerm,
): boolean {
  const its = leadWords(person);
  return words.some((word) => its.some((own) => own.startsWith(word))) || hasPhonePart(person.telefon, parts);
}

/** By code points: half a surrogate pair is not valid in a key. */
function cut(word: string): string {
  return Array.from(word).slice(0, MAX_WORD_LENGTH).join('');
}
