/**
 * The search index of leads: one item for each word of a lead, found by the beginning of the word. It follows the leads
 * by the stream: what is indexed of a lead is kept with what is counted of it and changes in the same transaction.
 */
import type { Person } from '#functions/data/leads/lead';
import { normalise, phoneDigits, tokens } from '#functions/data/leads/search-text';
import { keys } from '#functions/data/table/keys';
import type { Table, TransactionItem } from '#functions/data/table/table';

/** Shorter words and searches find too much to be of use. */
export const MIN_WORD_LENGTH = 2;
const MAX_WORD_LENGTH = 64;
const MAX_WORDS = 8;

export interface SearchIndex {
  /**
   * @param prefix the beginning of a word as `searchWords` returns it
   * @returns the ids of at most `limit` leads, each once; up to a second behind the leads themselves
   */
  leadsWith(prefix: string, limit: number): Promise<string[]>;
}

export function createSearchIndex(table: Table): SearchIndex {
  return {
    async leadsWith(prefix, limit) {
      const { items } = await table.query({
        partition: keys.leadWords(prefix),
        sort: { prefix },
        limit,
        only: ['lead_id'],
      });
      return [...new Set(items.map((item) => String(item.lead_id)))];
    },
  };
}

/** The writes that turn the indexed words of a lead into others: one for each word added or removed. */
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

/** The words by which a lead is found: names, the e-mail address, the phone number's digits. Each once, normalised. */
export function leadWords(person: Pick<Person, 'vorname' | 'nachname' | 'email' | 'telefon'>): string[] {
  const words = [
    normalise(person.email.trim()),
    phoneDigits(person.telefon),
    ...tokens(normalise(person.nachname)),
    ...tokens(normalise(person.vorname)),
  ].map(cut);
  return [...new Set(words)].filter((word) => word.length >= MIN_WORD_LENGTH).slice(0, MAX_WORDS);
}

/** What a search looks for; all of them must be found. A phone number written with spaces is one word. */
export function searchWords(query: string): string[] {
  const digits = query.replace(/\D/g, '');
  const words =
    /^[+\d\s()/.-]+$/.test(query) && digits.length >= 4
      ? [phoneDigits(query)]
      : query.split(/\s+/).flatMap((term) => {
          const word = cut(normalise(term));
          return word.includes('@') ? [word] : tokens(word);
        });
  return [...new Set(words)].filter((word) => word.length >= MIN_WORD_LENGTH);
}

/** By code points: half a surrogate pair is not valid in a key. */
function cut(word: string): string {
  return Array.from(word).slice(0, MAX_WORD_LENGTH).join('');
}
