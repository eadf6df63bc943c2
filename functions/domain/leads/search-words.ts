/** The words by which leads are found: names, the e-mail address, the phone number's digits. */
import { normalise, phoneDigits } from '#functions/data/claims/claim-words';
import type { Person } from '#functions/data/leads/lead';

/** Shorter words and searches find too much to be of use. */
export const SHORTEST_WORD = 2;
const LONGEST_WORD = 64;
const MOST_WORDS = 8;

/** Each once, in lower case without marks. */
export function leadWords(person: Pick<Person, 'vorname' | 'nachname' | 'email' | 'telefon'>): string[] {
  const words = [
    normalise(person.email.trim()),
    phoneDigits(person.telefon),
    ...tokens(normalise(person.nachname)),
    ...tokens(normalise(person.vorname)),
  ].map(cut);
  return [...new Set(words)].filter((word) => word.length >= SHORTEST_WORD).slice(0, MOST_WORDS);
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
  return [...new Set(words)].filter((word) => word.length >= SHORTEST_WORD);
}

/** By characters: half a character can be no key. */
function cut(word: string): string {
  return Array.from(word).slice(0, LONGEST_WORD).join('');
}

function tokens(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((token) => token !== '');
}
