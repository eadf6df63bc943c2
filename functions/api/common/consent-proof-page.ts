/** The proof of a consent in German, on one printed page. */
import { document, escaped, rows } from '#functions/api/common/page';
import { headerHash } from '#functions/data/administration/audit-chain-store';
import type { Consent } from '#functions/data/leads/consent';
import { PROOF_PATH } from '#shared/contract/web-headers';
import { CONSENT_METHOD_LABELS, channelsText } from '#shared/rules/consent';
import type { ConsentProof, ProofHeader } from '#shared/rules/consent-proof';
import { formatDateTime } from '#shared/rules/formats';
import { LEAD } from '#shared/rules/lead-fields';

const STYLE = `
blockquote{margin:0;padding:.5rem .8rem;border-left:3px solid #bbb;white-space:pre-wrap;overflow-wrap:anywhere}
.note{padding:.5rem .8rem;border:1px solid #999}
@page{size:A4;margin:14mm}
@media print{body{font-size:9.5pt;line-height:1.3;padding:0}h1{font-size:14pt;margin:.3rem 0}h2{font-size:10.5pt;margin:.5rem 0 .1rem}p{margin:.3rem 0}
table{margin:0 0 .2rem}th,td{padding:.1rem .4rem .1rem 0}.long{font-size:7.5pt;line-height:1.2}.screen{display:none}}`;

/** Longer wordings are printed smaller. */
const LONG = 1000;
const SHORT_HASH = 16;

interface About {
  readonly consent: Consent;
  readonly buyerId: string | undefined;
  readonly deliveredAt: string | undefined;
  readonly publicBaseUrl: string;
  readonly now: Date;
}

export function proofPage(proof: ConsentProof, about: About): string {
  const { consent, buyerId, deliveredAt, publicBaseUrl, now } = about;
  const { person, seal, seller = {}, wording, withdrawn_at, recorded_at } = proof;
  const text = (field: keyof typeof LEAD) => {
    const value = person[field];
    return typeof value === 'string' ? value : '';
  };
  const check = `${publicBaseUrl}${PROOF_PATH}`;
  return document(
    'Nachweis einer Einwilligung',
    [
      `<p>Lead ${escaped(proof.lead.number)}, erstellt am ${escaped(formatDateTime(now))} Uhr</p>`,
      withdrawn_at === undefined
        ? ''
        : `<p class="note"><strong>Diese Einwilligung wurde am ${time(withdrawn_at)} widerrufen.</strong></p>`,
      '<h2>Person, wie angegeben</h2>',
      table({
        Name: `${text('vorname')} ${text('nachname')}`,
        [LEAD.telefon.label.de]: text('telefon'),
        [LEAD.email.label.de]: text('email'),
      }),
      '<h2>Einwilligung</h2>',
      table({
        'Erteilt am': time(consent.given_at),
        Art: CONSENT_METHOD_LABELS[consent.method].de,
        Für: `Kontakt per ${channelsText(consent.channels, 'de')}`,
        Seite: consent.page_url,
        'Per E-Mail bestätigt am': consent.confirmed_at && time(consent.confirmed_at),
        'Eingegangen am': time(recorded_at),
        'Übergeben an': buyerId,
        'Übergeben am': deliveredAt && time(deliveredAt),
        'Nachweis der Quelle': consent.proof_url,
      }),
      '<h2>Wortlaut</h2>',
      `<blockquote${wording.length > LONG ? ' class="long"' : ''}>${escaped(wording)}</blockquote>`,
      '<h2>Technische Angaben</h2>',
      table({
        'IP-Adresse': consent.ip,
        'IP-Adresse der Bestätigung': consent.confirmed_ip,
        Browser: consent.user_agent,
      }) || '<p>Keine</p>',
      '<h2>Siegel</h2>',
      seal === null
        ? '<p class="note">Noch nicht versiegelt. Das geschieht wenige Minuten nach dem Eingang; laden Sie den Nachweis dann noch einmal.</p>'
        : sealTable(seal.headers),
      '<h2>Prüfen</h2>',
      `<p>Die Datei „Einwilligung ${escaped(proof.lead.number)}.json“ lässt sich auf ${escaped(check)} prüfen. Der Browser rechnet dabei selbst; die Datei verlässt das Gerät nicht.</p>`,
    ].join('\n'),
    { style: STYLE, sender: seller },
  );
}

const time = (instant: string) => `${formatDateTime(new Date(instant))} Uhr`;

/** Without empty rows. */
function table(values: Readonly<Record<string, string | undefined>>): string {
  const filled = Object.entries(values).flatMap(([label, value]) => (value ? [[label, value]] : []));
  return filled.length === 0 ? '' : rows([Object.fromEntries(filled)]);
}

function sealTable(headers: readonly ProofHeader[]): string {
  const [newest, own] = [headers[0], headers.at(-1)];
  return newest === undefined || own === undefined
    ? ''
    : table({
        Glied: `${own.link}, versiegelt am ${time(own.sealed_at)}`,
        Prüfpunkt: `Glied ${newest.link} vom ${time(newest.sealed_at)}`,
        'Prüfsumme des Prüfpunkts': `${headerHash(newest).slice(0, SHORT_HASH)} …`,
      });
}
