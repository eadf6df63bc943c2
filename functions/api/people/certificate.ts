/** The printable proof of an erasure; it does not identify the person. */
import { document, escaped, rows } from '#functions/api/common/page';
import type { Company } from '#functions/data/administration/company';
import type { ErasureInFull } from '#functions/domain/leads/erasures';
import type { FileAnswer } from '#functions/http/api';
import { formatDateTime } from '#shared/rules/formats';

const TEXTS = {
  erasure: {
    title: 'Nachweis einer Löschung',
    name: 'Löschung',
    erased_at: 'Gelöscht am',
    erasing: 'wird gelöscht',
    checking: 'gelöscht; die Nachprüfung steht noch aus',
    done: 'gelöscht und nachgeprüft',
    note: 'Sicherungskopien enthalten gelöschte Daten, bis sie ablaufen. Nach einer Wiederherstellung wird erneut gelöscht.',
  },
  withdrawal: {
    title: 'Nachweis eines Widerrufs',
    name: 'Widerruf',
    erased_at: 'Ausgeführt am',
    erasing: 'wird ausgeführt',
    checking: 'ausgeführt; die Nachprüfung steht noch aus',
    done: 'ausgeführt und nachgeprüft',
    note: 'Neue Leads der Person werden abgelehnt, bis sie erneut einwilligt.',
  },
} as const;

const instant = (at: string | undefined): string => (at === undefined ? '–' : formatDateTime(new Date(at)));

export function certificateFile(
  { erasure, recipients, buyers }: ErasureInFull,
  sender: Company,
  now: Date,
): FileAnswer {
  const texts = TEXTS[erasure.purpose];
  const html = document(
    texts.title,
    `<p>Erstellt am ${escaped(formatDateTime(now))}</p>
${rows([
  {
    [texts.name]: erasure.erasure_id,
    Stand: texts[erasure.stage],
    'Begonnen am': instant(erasure.begun_at),
    'Begonnen von': erasure.begun_by,
    [texts.erased_at]: instant(erasure.erased_at),
    'Nachgeprüft am': instant(erasure.done_at),
    Vorgänge: erasure.lead_ids.join(', '),
  },
])}
<h2>Empfänger der Daten</h2>
${
  recipients.length === 0
    ? '<p>Keine</p>'
    : rows(
        recipients.map(({ buyer, leads, notified_at, by_hand, confirmed_at, confirmed_by }) => ({
          Empfänger: buyers.get(buyer)?.buyer_id ?? String(buyer),
          Leads: leads.map(({ number }) => number).join(', '),
          Benachrichtigt: by_hand ? 'nicht per E-Mail' : instant(notified_at),
          Bestätigt:
            confirmed_at === undefined
              ? 'noch nicht'
              : `${instant(confirmed_at)}, ${confirmed_by === 'link' ? 'vom Empfänger' : `erfasst von ${confirmed_by ?? ''}`}`,
        })),
      )
}
<p>${texts.note}</p>`,
    { sender },
  );
  return {
    filename: `${texts.name} ${erasure.erasure_id}.html`,
    contentType: 'text/html; charset=utf-8',
    content: Buffer.from(html, 'utf8'),
  };
}
