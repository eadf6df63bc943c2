/** The information for a person (Art. 15 GDPR), in German; nothing about admins or other persons. */

import { document, escaped, rows } from '#functions/api/common/page';
import { textOf } from '#functions/api/people/answers';
import type { Company } from '#functions/data/administration/company';
import { type DiaryEntry, diarySchema } from '#functions/data/leads/feedback';
import { resultsIn } from '#functions/data/leads/intake-checks';
import { displayId, type Lead } from '#functions/data/leads/lead';
import type { Trace, TracedKind } from '#functions/data/leads/traces';
import type { PersonView } from '#functions/domain/leads/people';
import type { FileAnswer } from '#functions/http/api';
import { formatDateTime } from '#shared/rules/formats';
import { EURO_FIELDS, LEAD, labelOf, PERSON_FIELDS, record } from '#shared/rules/lead-fields';

interface Disclosure {
  readonly title: string;
  /** German labels by field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Personal fields that are not disclosed, each with the reason. */
  readonly withheld?: Readonly<Record<string, string>>;
}

const ATTEMPTS = {
  status: 'Stand',
  created_at: 'Angelegt',
  updated_at: 'Zuletzt geändert',
  error: 'Fehler',
  attempts: 'Versuche',
};

/** A missing kind or personal field fails (type, `test/unit/leads/traces.test.ts`). */
export const DISCLOSED_FIELDS: Readonly<Record<TracedKind, Disclosure>> = {
  lead: {
    title: 'Ihre Angaben',
    fields: {
      lead_id: 'Vorgang',
      // An amount is disclosed with its sign.
      ...record(PERSON_FIELDS, (name) => (EURO_FIELDS.has(name) ? LEAD[name].label.de : labelOf(name, 'de'))),
      received_at: 'Eingegangen',
      src: LEAD.src.label.de,
      clickId: LEAD.clickId.label.de,
      external_id: 'Kennung bei der Quelle',
      checks: 'Prüfungen',
      verification_notes: 'Prüfung der Angaben',
      assigned_at: 'Weitergegeben',
      claim_reason: 'Grund einer Reklamation',
      deleted_at: 'Gelöscht oder verworfen',
      erased_at: 'Personenbezug gelöscht',
      withdrawn_at: 'Einwilligung widerrufen',
    },
    withheld: {
      content: 'eine Prüfsumme ohne eigenen Inhalt',
      fingerprints: 'Prüfsummen von Telefonnummer und E-Mail-Adresse, siehe Kennzeichen',
      intake_key: 'eine Prüfsumme, siehe Eingang',
      address: 'eine Prüfsumme der E-Mail-Adresse',
    },
  },
  consent: {
    title: 'Einwilligung',
    fields: { recorded_at: 'Erfasst', consent: 'Nachweis', person: 'Angaben dabei' },
    withheld: { seed: 'eine Zufallszahl ohne eigenen Inhalt' },
  },
  keptConsent: {
    title: 'Nachweis Ihrer Einwilligung, nach der Löschung verschlüsselt aufbewahrt',
    fields: { kept_until: 'Aufbewahrt bis' },
    withheld: { proof: 'verschlüsselt; wird nur mit Begründung geöffnet, zum Beispiel für eine Behörde' },
  },
  decision: {
    title: 'Entscheidung über die Weitergabe',
    fields: { decided_at: 'Zeitpunkt', rule: 'Regel', mode: 'Art der Auswahl' },
  },
  delivery: {
    title: 'Übermittlungen',
    fields: { channel: 'Weg', ...ATTEMPTS, external_id: 'Kennung beim Empfänger' },
  },
  refusedDelivery: {
    title: 'Übermittlungen, die der Empfänger abgelehnt hat',
    fields: { channel: 'Weg', ...ATTEMPTS, external_id: 'Kennung beim Empfänger' },
  },
  diary: {
    title: 'Rückmeldungen des Empfängers',
    fields: { entries: 'Einträge' },
  },
  notification: {
    title: 'Benachrichtigungen',
    fields: { about: 'Anlass', created_at: 'Angelegt', done_at: 'Erledigt' },
  },
  callback: {
    title: 'Rückmeldungen an die Quelle und an eigene Programme',
    fields: {
      event: 'Anlass',
      occurred_at: 'Zeitpunkt',
      ...ATTEMPTS,
      external_id: 'Kennung bei der Quelle',
      clickId: LEAD.clickId.label.de,
      anlagebetrag: LEAD.anlagebetrag.label.de,
    },
  },
  person: {
    title: 'Kennzeichen gegen doppelte Anfragen (Prüfsummen von Telefonnummer und E-Mail-Adresse)',
    fields: { expires_at: 'Gespeichert bis (Sekunden seit 1970)' },
  },
  doNotContact: {
    title:
      'Widerruf der Einwilligung (unter Prüfsummen von Telefonnummer und E-Mail-Adresse, auch nach einer Löschung)',
    fields: { withdrawn_at: 'Zeitpunkt', withdrawal_id: 'Vorgang' },
  },
  address: {
    title: 'Rückläufer der E-Mail-Adresse',
    fields: { events: 'Rückläufer und Beschwerden', works_since: 'Erreichbar seit' },
    withheld: { taken_since: 'ein Zeitpunkt des Mailservers, ohne Aussage über die Person' },
  },
  intakeKey: { title: 'Eingang', fields: { taken_at: 'Zeitpunkt', fingerprint: 'Prüfsumme der Angaben' } },
  verificationResult: {
    title: 'Ergebnisse von Prüfdiensten',
    fields: { verdict: 'Ergebnis', note: 'Bemerkung' },
  },
  claim: {
    title: 'Reklamationen',
    fields: {
      claim_id: 'Nummer',
      created_at: 'Eingegangen',
      claim_reason: 'Grund',
      claim_status: 'Stand',
      processed_at: 'Entschieden',
      admin_notes: 'Anmerkung',
    },
    withheld: { row: 'steht unter Liste der Reklamationen' },
  },
  claimRowBlock: { title: 'Liste der Reklamationen', fields: { reason: 'Grund', nachname: 'Nachname' } },
  claimWord: { title: 'Suchwörter der Reklamationen', fields: { word: 'Wort' } },
  counted: { title: 'Gezählt', fields: {}, withheld: { words: 'stehen unter Suchwörter' } },
  leadWord: { title: 'Suchwörter', fields: { word: 'Wort' } },
  access: { title: 'Einsichtnahmen', fields: { at: 'Zeitpunkt', action: 'Anlass' } },
  auditEntry: {
    title: 'Protokoll der Änderungen',
    fields: { at: 'Zeitpunkt', action: 'Vorgang', changes: 'Änderungen' },
  },
};

const PURPOSES = [
  'Vermittlung Ihrer Anfrage zu einer Geldanlage an Anbieter, die Sie beraten',
  'Abrechnung mit diesen Anbietern und Bearbeitung ihrer Reklamationen',
  'Nachweis, warum eine Anfrage an welchen Anbieter ging',
];
const KEPT = [
  'Ihre Angaben bleiben gespeichert, bis sie gelöscht werden; Sie können die Löschung verlangen.',
  'Hatte ein Anbieter Ihre Anfrage erhalten, bleibt der Nachweis Ihrer Einwilligung nach der Löschung verschlüsselt aufbewahrt, bis seine Frist endet.',
  'Sicherungskopien enthalten gelöschte Daten, bis sie ablaufen, und werden nur zur Wiederherstellung verwendet.',
  'Nummer, Preis und Zeitpunkt einer Weitergabe bleiben ohne Bezug zu Ihrer Person für die Buchhaltung erhalten.',
];
const RIGHTS = [
  'Berichtigung, Löschung oder Einschränkung der Verarbeitung (Art. 16 bis 18 DSGVO)',
  'Widerspruch gegen die Verarbeitung und Widerruf einer Einwilligung (Art. 21 und 7 DSGVO)',
  'Übertragung Ihrer Daten: diese Auskunft gibt es auch als Datei (Art. 20 DSGVO)',
  'Beschwerde bei einer Aufsichtsbehörde (Art. 77 DSGVO)',
];

type Information = ReturnType<typeof informationOf>;

export function informationFile(
  view: PersonView,
  sender: Company,
  format: 'json' | 'html',
  now: Date,
): FileAnswer {
  const information = informationOf(view, now);
  const text = format === 'json' ? JSON.stringify(information, null, 2) : page(information, sender);
  return {
    filename: `Auskunft.${format}`,
    contentType: format === 'json' ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
    content: Buffer.from(text, 'utf8'),
  };
}

function informationOf(view: PersonView, now: Date) {
  return {
    erstellt_am: formatDateTime(now),
    zwecke: PURPOSES,
    herkunft: view.leads.map((lead) => ({
      vorgang: lead.lead_id,
      herkunft: originOf(lead, view),
      eingegangen: formatDateTime(new Date(lead.received_at)),
    })),
    empfaenger: view.received.map((received) => ({
      name: view.buyers.get(received.buyer)?.buyer_id ?? String(received.buyer),
      nummer: displayId(received),
      weitergegeben: formatDateTime(new Date(received.assigned_at)),
    })),
    gespeichert: Object.entries(DISCLOSED_FIELDS).flatMap(([kind, { title, fields }]) => {
      const items = view.traces
        .filter((trace) => trace.kind === kind)
        .map((trace) => disclosedOf(trace, fields))
        .filter((item) => Object.keys(item).length > 0);
      return items.length === 0 ? [] : [{ art: title, eintraege: items }];
    }),
    dateien:
      view.files === 0
        ? 'Keine'
        : `${view.files} Dateien mit Listen, in denen Sie stehen können; sie werden nach einem Tag gelöscht`,
    speicherdauer: KEPT,
    rechte: RIGHTS,
  };
}

function originOf(lead: Lead, { sources }: PersonView): string {
  const source = lead.source === undefined ? undefined : sources.get(lead.source)?.name;
  return (
    [source, lead.src].filter((text) => text !== undefined && text !== '').join(', ') || 'Eigene Erfassung'
  );
}

function disclosedOf({ fields }: Trace, labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, label]) => {
      const value = fields[name];
      const isEmpty = value === undefined || value === null || value === '';
      return isEmpty || (Array.isArray(value) && value.length === 0) ? [] : [[label, shown(name, value)]];
    }),
  );
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function shown(name: string, value: unknown): string {
  if (name === 'checks' && typeof value === 'string') return checksText(value);
  if (name === 'entries') return diaryText(diarySchema.shape.entries.parse(value));
  if (typeof value === 'string' && INSTANT.test(value)) return formatDateTime(new Date(value));
  return textOf(name, value);
}

const CHECKED = { email: 'E-Mail', phone: 'Telefon', name: 'Name' } as const;
const RESULTS = { valid: 'gültig', invalid: 'ungültig', unknown: 'ungewiss', dead: 'gibt es nicht' } as const;

function checksText(packed: string): string {
  return resultsIn(packed)
    .map(
      ({ kind, by, result }) => `${CHECKED[kind]}: ${RESULTS[result]} (${by === 'offline' ? 'selbst' : by})`,
    )
    .join(', ');
}

const SAID = { reached: 'erreicht', not_reached: 'nicht erreicht', closed: 'Abschluss' } as const;

function diaryText(entries: readonly DiaryEntry[]): string {
  return entries
    .map(
      ({ said, at }) =>
        `${formatDateTime(new Date(at))}: ${said === undefined ? 'zurückgenommen' : SAID[said]}`,
    )
    .join(', ');
}

const list = (texts: readonly string[]) =>
  `<ul>${texts.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul>`;

const part = (title: string, content: string) => `<section><h2>${escaped(title)}</h2>${content}</section>`;

function page(information: Information, sender: Company): string {
  return document(
    'Auskunft nach Art. 15 DSGVO',
    [
      `<p>Erstellt am ${escaped(information.erstellt_am)}</p>`,
      part('Zwecke der Verarbeitung', list(information.zwecke)),
      part(
        'Herkunft der Daten',
        rows(
          information.herkunft.map(({ vorgang, herkunft, eingegangen }) => ({
            Vorgang: vorgang,
            Herkunft: herkunft,
            Eingegangen: eingegangen,
          })),
        ),
      ),
      part(
        'Empfänger',
        information.empfaenger.length === 0
          ? '<p>Keine</p>'
          : rows(
              information.empfaenger.map(({ name, nummer, weitergegeben }) => ({
                Empfänger: name,
                Nummer: nummer,
                Weitergegeben: weitergegeben,
              })),
            ),
      ),
      ...information.gespeichert.map(({ art, eintraege }) => part(art, rows(eintraege))),
      part('Dateien', `<p>${escaped(information.dateien)}</p>`),
      part('Speicherdauer', list(information.speicherdauer)),
      part('Ihre Rechte', list(information.rechte)),
    ].join('\n'),
    { sender },
  );
}
