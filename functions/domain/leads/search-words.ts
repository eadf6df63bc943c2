/** The words by which leads are found: names, the e-mail address, the phone number's digits. */
import { normalise, phoneDigits } from '#functions/data/claims/claim-words';
import type { Person } from '#functions/data/leads/lead';

/** Shorter words and searches find too much to be of use. */
export const MIN_WORD_LENGTH = 2;
const MAX_WORD_LENGTH = 64;
const MAX_WORDS = 8;

/** Each once, in lower case without diacritics. */
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

function tokens(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((token) => token !== '');
}
