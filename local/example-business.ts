/** Sources, buyers and claims of the example data. */
import type { Sent } from '#shared/contract/schemas';

export const ALPINE_MINIMUM = 25_000;
export const WORDING =
  'Ja, die Muster Zinsvergleich GmbH und bis zu drei ihrer Partner dürfen mich zu Geldanlagen anrufen und mir E-Mails senden. Die Einwilligung kann ich jederzeit widerrufen.';

/** Leads of other words in `src` are entered by an admin. */
export const SOURCES = [
  { name: 'Festgeld-Vergleich', src: 'festgeld-vergleich', cost_per_lead: 22 },
  { name: 'Newsletter', src: 'newsletter', cost_per_lead: 6.5 },
  { name: 'Google Ads', src: 'google-ads', cost_per_lead: 54 },
] as const;
export const CLAIMED_SOURCE = 'google-ads';

type NewBuyer = Sent<'createBuyer', 'body'>;

export const BUYERS: readonly (Omit<NewBuyer, 'buyer_email'> & {
  readonly limit: number;
  readonly comment: string;
})[] = [
  {
    buyer_id: 'nordwert-finanz',
    probability: 40,
    buyer_type: 'prepay',
    price_per_lead: 45,
    limit: 80,
    comment: 'Rechnung monatlich, Ansprechpartnerin Frau Tiedemann',
  },
  {
    buyer_id: 'kontor-zins',
    probability: 25,
    buyer_type: 'postpay',
    price_per_lead: 52.5,
    limit: 40,
    comment: '',
  },
  {
    buyer_id: 'alpenblick-anlagen',
    probability: 20,
    buyer_type: 'prepay',
    price_per_lead: 60,
    min_investment: ALPINE_MINIMUM,
    requires_consent: true,
    limit: 30,
    comment: 'Nur Anfragen ab 25.000 Euro',
  },
  {
    buyer_id: 'havel-invest',
    probability: 10,
    buyer_type: 'prepay',
    price_per_lead: 39.9,
    limit: 10,
    comment: '',
  },
  {
    buyer_id: 'ruhr-vermoegen',
    probability: 5,
    buyer_type: 'postpay',
    price_per_lead: 48,
    manual_review: true,
    limit: 15,
    comment: 'Jede Anfrage vorher prüfen',
  },
];

export const HTTP_BODY = `{
  "reference": "$$lead_id$$",
  "name": "$$anrede$$ $$vorname$$ $$nachname$$",
  "mail": "$$email$$",
  "tel": "$$telefon:e164$$",
  "amount": $$anlagebetrag:integer$$,
  "months": $$laufzeit$$
}`;

/** By number of the lead, of those entered by an admin: they fail verification. */
export const DOUBTFUL: Readonly<Record<number, Partial<Sent<'createLead', 'body'>>>> = {
  39: { telefon: '0123 45' },
  71: { vorname: 'Asdf', nachname: 'Qwertz' },
  99: { telefon: '+49 170 1' },
};

/** Days on which an admin approves a lead in manual review. */
export const REVIEW_DAYS: ReadonlySet<number> = new Set([9, 18]);

const NO_NUMBER = { approve: true, notes: 'Nummer nicht vergeben, geprüft.' };

/** Filed on this day by the first buyer, for its newest lead of the source or of another one. */
export const CLAIMS: readonly {
  readonly day: number;
  readonly reason: string;
  readonly ofAnother?: boolean;
  readonly decide?: { readonly approve: boolean; readonly notes: string };
}[] = [
  { day: 8, reason: 'falsche_nummer', decide: NO_NUMBER },
  {
    day: 11,
    reason: 'doppelt',
    ofAnother: true,
    decide: { approve: false, notes: 'Im Bestand gibt es keinen zweiten Lead dieser Person.' },
  },
  { day: 14, reason: 'falsche_nummer', decide: NO_NUMBER },
  { day: 18, reason: 'fake', decide: { approve: true, notes: 'Name und Anschrift erfunden.' } },
  { day: 22, reason: 'falsche_nummer', decide: NO_NUMBER },
  { day: 26, reason: 'fake' },
  { day: 28, reason: 'Die Person sucht einen Kredit und keine Geldanlage.' },
];
