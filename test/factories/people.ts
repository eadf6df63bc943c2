/** Invented people who requested information about an investment. */
import type { Person } from '#functions/data/leads/lead';
import type { Sent } from '#shared/contract/schemas';

export type LeadRequest = Sent<'createLead', 'body'>;

let counter = 0;
/** A person that passes every check, with a unique address. */
export function aPerson(changes: Partial<Person> = {}): Person {
  counter += 1;
  return {
    anrede: 'Frau',
    vorname: 'Erika',
    nachname: 'Muster',
    email: `erika.${counter}@example.org`,
    telefon: '+4917012345678',
    anlagebetrag: 2_500_000,
    laufzeit: 24,
    ...changes,
  };
}

/** A person with every field filled in, with characters that need care in e-mails, forms and JSON; always the same. */
export const aPersonInFull = (changes: Partial<Person> = {}): Person => ({
  anrede: 'Frau',
  vorname: 'Jürgen',
  nachname: "O'Brien-Müller",
  email: 'jana@example.org',
  telefon: '0170 1234567',
  anlagebetrag: 2_500_050,
  laufzeit: 36,
  clickId: 'click-1',
  src: 'seo',
  ...changes,
});

/** A person as posted by a form or a partner. */
export const aLeadRequest = (changes: Partial<LeadRequest> = {}): LeadRequest => ({
  ...aPerson(),
  anlagebetrag: 25_000,
  ...changes,
});

const MEN = ['Wolfgang', 'Jürgen', 'Thomas', 'Götz', 'Karl-Heinz', 'André', 'Max', 'Björn'];
const WOMEN = ['Susanne', 'Anke', 'Käthe', 'Renée', 'Ulrike', 'Marie-Luise', 'Zoë', 'Gisela'];
const NAMES = [
  'Huber',
  'Groß',
  "D'Angelo",
  'von der Heide',
  'Müller-Lüdenscheidt',
  'Öztürk',
  'Weiß',
  'Lange',
];
const PHONES = ['0157 4552', '030 4888', '+49 171 262', '(089) 596', '040/678', '0049 211 33'];
const AMOUNTS = [10_000, 15_000, 25_000, 50_000, 75_000, 100_000, 250_000.5];

/** People as posted by forms; the same for the same seed. */
export function people(count: number, seed = 1): LeadRequest[] {
  let state = seed;
  // A linear congruential generator (Numerical Recipes), because it only has to be repeatable.
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[next(list.length)];
    if (chosen === undefined) throw new RangeError('An empty list');
    return chosen;
  };
  return Array.from({ length: count }, (_, at) => {
    const herr = next(2) === 0;
    return {
      anrede: herr ? 'Herr' : 'Frau',
      vorname: pick(herr ? MEN : WOMEN),
      nachname: pick(NAMES),
      email: `person.${seed}.${at}@post.example.org`,
      telefon: `${pick(PHONES)}${String(1000 + next(9000))}`,
      anlagebetrag: pick(AMOUNTS),
      laufzeit: 6 * (1 + next(10)),
      clickId: `click-${seed}-${at}`,
      ...(next(2) === 0 && { src: 'seo' }),
    };
  });
}
