/** People who do not exist, the same at every first start. */
import type { Sent } from '#shared/contract/schemas';

const words = (text: string) => text.split(' ');
const WOMEN = words('Anna Birgit Claudia Elke Franziska Gabriele Heike Katrin Monika Sabine');
const MEN = words('Andreas Bernd Christian Dieter Frank Holger Jürgen Martin Stefan Uwe');
const SURNAMES = words(
  'Ahrens Böhm Clausen Dietrich Ebert Fröhlich Gebhardt Hübner Jansen Köster Lindner Möller Nowak Petersen Reuter Schütz Thiele Ullrich Voß Wendt',
);
const SOURCES = ['festgeld-vergleich', 'newsletter', 'google-ads', 'empfehlung'];
const AMOUNTS = [10_000, 15_000, 20_000, 25_000, 30_000, 50_000, 75_000, 100_000, 150_000, 250_000];
const TERMS = [6, 12, 24, 36, 60];
/** Of networks whose numbers have seven more digits. */
const MOBILES = ['0170', '0171', '0172', '0173', '0174', '0175'];

/** @param at counts from 0 */
export function examplePerson(at: number): Sent<'createLead', 'body'> {
  // The steps have no common divisor with the lengths of the lists, so names do not repeat in pairs.
  const woman = at % 2 === 0;
  const vorname = pick(woman ? WOMEN : MEN, at * 3 + Math.floor(at / 10));
  const nachname = pick(SURNAMES, at * 7 + Math.floor(at / 20));
  const mail = `${vorname}.${nachname}`
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => ASCII[letter] ?? letter);
  return {
    anrede: woman ? 'Frau' : 'Herr',
    vorname,
    nachname,
    email: `${mail}.${at + 1}@example.com`,
    telefon: `${pick(MOBILES, at)} ${String(2_000_000 + ((at * 7919) % 7_000_000))}`,
    anlagebetrag: pick(AMOUNTS, at * 3),
    laufzeit: pick(TERMS, at * 2),
    src: pick(SOURCES, at),
    clickId: `ex-${String(at + 1).padStart(4, '0')}`,
  };
}

const ASCII: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

function pick<T>(list: readonly T[], at: number): T {
  const chosen = list[at % list.length];
  if (chosen === undefined) throw new RangeError('The list is empty');
  return chosen;
}
