/** The example data of a first start: three weeks of business, created through the real API with a clock that moves through them. */
import { ApiClient } from '#local/api-client';
import type { Cloud } from '#local/cloud';
import { examplePerson } from '#local/example-people';
import type { Account } from '#local/first-admin';
import type { Sent } from '#shared/contract/schemas';

const DAYS = 21;
const LEADS = 120;
/** Percent, from Sunday. */
const LEADS_BY_WEEKDAY = [6, 19, 18, 17, 17, 15, 8] as const;
const DAY_MS = 86_400_000;
const OPEN_HOUR = 8;
const OPEN_HOURS = 11;

const ALPINE_MINIMUM = 25_000;
const WORDING =
  'Ja, die Muster Zinsvergleich GmbH und bis zu drei ihrer Partner dürfen mich zu Geldanlagen anrufen und mir E-Mails senden. Die Einwilligung kann ich jederzeit widerrufen.';

type NewBuyer = Sent<'createBuyer', 'body'>;
type Parts = Pick<Cloud, 'url' | 'clock' | 'inbox' | 'partners' | 'settled'>;

const BUYERS: readonly (Omit<NewBuyer, 'buyer_email'> & {
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

const HTTP_BODY = `{
  "reference": "$$lead_id$$",
  "name": "$$anrede$$ $$vorname$$ $$nachname$$",
  "mail": "$$email$$",
  "tel": "$$telefon:e164$$",
  "amount": $$anlagebetrag:integer$$,
  "months": $$laufzeit$$
}`;

/** By number of the lead: they fail verification. */
const DOUBTFUL: Readonly<Record<number, Partial<Sent<'createLead', 'body'>>>> = {
  37: { telefon: '0123 45' },
  71: { vorname: 'Asdf', nachname: 'Qwertz' },
  98: { telefon: '+49 170 1' },
};

/** Days on which an admin approves a lead in manual review. */
const REVIEW_DAYS: ReadonlySet<number> = new Set([6, 13]);

/** Filed on this day, for a lead delivered at least two days before. */
const CLAIMS: readonly {
  readonly day: number;
  readonly reason: string;
  readonly decide?: { readonly approve: boolean; readonly notes: string };
}[] = [
  { day: 8, reason: 'falsche_nummer', decide: { approve: true, notes: 'Nummer nicht vergeben, geprüft.' } },
  {
    day: 11,
    reason: 'doppelt',
    decide: { approve: false, notes: 'Im Bestand gibt es keinen zweiten Lead dieser Person.' },
  },
  { day: 17, reason: 'fake' },
  { day: 19, reason: 'Die Person sucht einen Kredit und keine Geldanlage.' },
];

/** Leaves the clock at the present. */
export async function makeExampleData(cloud: Parts, account: Account): Promise<void> {
  const present = cloud.clock.now();
  const midnight = Math.floor(present.getTime() / DAY_MS) * DAY_MS;
  const first = midnight - DAYS * DAY_MS;
  const api = new ApiClient(cloud.url, 'lead-distribution-demo');
  try {
    cloud.clock.set(new Date(first + OPEN_HOUR * 3_600_000));
    await api.logIn(account);
    await setUp(api, cloud);
    let lead = 0;
    for (let day = 0; day <= DAYS; day += 1) {
      const opensAt = first + day * DAY_MS + OPEN_HOUR * 3_600_000;
      if (opensAt > present.getTime()) break;
      cloud.clock.set(new Date(opensAt));
      await api.logIn(account);
      for (const claim of CLAIMS) if (claim.day === day) await claimOne(api, claim);
      const upTo = day === DAYS ? LEADS : Math.round(LEADS * shareOfPeriod(first, day));
      const today = upTo - lead;
      for (let n = 0; n < today; n += 1, lead += 1) {
        const at = opensAt + (n / today) * OPEN_HOURS * 3_600_000;
        cloud.clock.set(new Date(Math.min(at, present.getTime())));
        const person = { ...examplePerson(lead), ...DOUBTFUL[lead] };
        await api.ok('createLead', { body: { ...person, ...consentOf(person, cloud.clock.now()) } });
        // Before the clock moves on: otherwise its delivery would take hours.
        await cloud.settled();
      }
      if (REVIEW_DAYS.has(day)) {
        await reviewOne(api);
        await cloud.settled();
      }
    }
  } finally {
    cloud.clock.set(new Date());
  }
}

/** Small amounts by recommendation come without, so that the buyer that requires it misses nothing. */
function consentOf(
  { src, anlagebetrag }: Pick<Sent<'createLead', 'body'>, 'src' | 'anlagebetrag'>,
  at: Date,
) {
  if (src === 'empfehlung' && Number(anlagebetrag) < ALPINE_MINIMUM) return {};
  const consent = {
    given_at: new Date(at.getTime() - 60_000).toISOString(),
    method: 'form' as const,
    channels: ['phone' as const, 'email' as const],
    text: WORDING,
    page_url: `https://www.example.com/${src}`,
  };
  return { consent };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The fraction of the leads that arrived by the end of this day. */
function shareOfPeriod(first: number, day: number): number {
  const weights = Array.from({ length: DAYS + 1 }, (_, at) => {
    const weekday = new Date(first + at * DAY_MS).getUTCDay();
    return LEADS_BY_WEEKDAY[weekday] ?? 0;
  });
  return sum(weights.slice(0, day + 1)) / sum(weights);
}

async function setUp(api: ApiClient, cloud: Parts): Promise<void> {
  await api.ok('saveCompany', {
    body: {
      name: 'Muster Zinsvergleich GmbH',
      address: 'Musterstraße 1\n12345 Berlin',
      imprint_url: 'https://www.example.com/impressum',
      privacy_url: 'https://www.example.com/datenschutz',
    },
  });
  const { source } = await api.ok('createSource', {
    body: { name: 'Festgeld-Vergleich', src: 'festgeld-vergleich' },
  });
  await api.ok('addConsentText', { params: { sourceId: String(source.source_id) }, body: { text: WORDING } });
  const template = {
    smtp_host: 'localhost',
    smtp_port: cloud.inbox.port,
    smtp_user: 'leads@example.com',
    smtp_pass: 'example',
    smtp_from: 'leads@example.com',
  };
  const person =
    '$$anrede$$ $$vorname$$ $$nachname$$\nE-Mail: $$email$$\nTelefon: $$telefon$$\nAnlagebetrag: $$anlagebetrag$$ €\nLaufzeit: $$laufzeit$$ Monate\nQuelle: $$src$$\n\nAlle Leads dieser Bestellung: $$leads_link$$\n';
  const original = await api.ok('createEmailTemplate', {
    body: {
      ...template,
      name: 'Neuer Lead',
      smtp_subject: 'Neuer Lead $$order_lead_id$$: $$vorname$$ $$nachname$$',
      smtp_body: `Guten Tag,\n\nes gibt einen neuen Lead zu Ihrer Bestellung:\n\n${person}`,
    },
  });
  const replacement = await api.ok('createEmailTemplate', {
    body: {
      ...template,
      name: 'Ersatzlead',
      smtp_subject: 'Ersatzlead $$order_lead_id$$: $$vorname$$ $$nachname$$',
      smtp_body: `Guten Tag,\n\nfür eine genehmigte Reklamation erhalten Sie diesen Ersatzlead:\n\n${person}`,
    },
  });
  for (const { limit, comment, ...buyer } of BUYERS) {
    await api.ok('createBuyer', {
      body: {
        ...buyer,
        buyer_email: `leads@${buyer.buyer_id}.example.com`,
        send_email: true,
        email_template_id: original.template.id,
        ...(buyer.buyer_type === 'prepay' && { reimbursement_email_template_id: replacement.template.id }),
        ...(buyer.buyer_id === 'havel-invest' && {
          use_trackbox_api: true,
          trackbox_username: 'havel',
          trackbox_password: 'example',
          trackbox_api_key: 'example',
          trackbox_domain: cloud.partners.host,
          trackbox_ai: '2958034',
          trackbox_gi: '22',
          trackbox_custom_mapping: { MPC_1: 'clickId', MPC_2: 'anlagebetrag', sub: 'src' },
        }),
        ...(buyer.buyer_id === 'kontor-zins' && {
          use_http_api: true,
          http_url: `http://${cloud.partners.host}/http/leads`,
          http_auth: 'bearer',
          http_secret: 'example',
          http_body: HTTP_BODY,
          http_rules: [
            { subject: 'path', path: 'result.state', value: 'known', verdict: 'duplicate' },
            { subject: 'path', path: 'result.state', value: 'invalid', verdict: 'refused' },
          ],
          http_id_path: 'result.number',
        }),
      },
    });
    const { order } = await api.ok('createOrder', { body: { buyer_id: buyer.buyer_id, lead_limit: limit } });
    if (comment !== '')
      await api.ok('updateOrderComments', {
        params: { orderId: String(order.order_id) },
        body: { comments: comment },
      });
  }
  await api.ok('createPushoverCredential', {
    body: {
      user_key: 'uExampleExampleExampleExample1',
      app_key: 'aExampleExampleExampleExample1',
      notify_lead_assignment: false,
      notify_lead_claims: true,
    },
  });
}

async function reviewOne(api: ApiClient): Promise<void> {
  const { ineligible_leads: pending } = await api.ok('listPendingLeads');
  const lead = pending.find(({ reason }) => reason === 'manual_review');
  if (lead === undefined || lead.buyer_id === null) return;
  await api.ok('assignPendingLead', {
    params: { leadId: lead.lead_id },
    body: { buyer_id: lead.buyer_id },
  });
}

async function claimOne(api: ApiClient, claim: (typeof CLAIMS)[number]): Promise<void> {
  const { buyers } = await api.ok('listBuyers');
  const buyer = buyers.find(({ buyer_id }) => buyer_id === BUYERS[0]?.buyer_id);
  const token = buyer?.excel_link?.split('/').at(-1);
  if (buyer === undefined || token === undefined) return;
  const { order, leads } = await api.ok('viewLeads', { params: { token } });
  const lead = leads.original
    .filter(({ claim_status }) => claim_status === null)
    .toSorted((one, other) => other.delivered_at.localeCompare(one.delivered_at))
    .at(2);
  if (lead === undefined) return;
  const filed = await api.ok('fileClaim', {
    query: { token },
    body: {
      lead_id: lead.lead_id,
      order_id: String(order.order_id),
      buyer_id: buyer.buyer_id,
      claim_reason: claim.reason,
    },
  });
  if (claim.decide === undefined) return;
  await api.ok(claim.decide.approve ? 'approveClaim' : 'rejectClaim', {
    params: { claimId: String(filed.claim.claim_id) },
    body: { admin_notes: claim.decide.notes },
  });
}
