/**
 * The example data of a first start: a month of business, created through the real API with a clock that moves through it. It
 * answers which source loses money (Google Ads), which buyer should not get it, and what changes without it.
 */
import { ApiClient } from '#local/api-client';
import type { Cloud } from '#local/cloud';
import {
  ALPINE_MINIMUM,
  BUYERS,
  CLAIMED_SOURCE,
  CLAIMS,
  DOUBTFUL,
  HTTP_BODY,
  REVIEW_DAYS,
  SOURCES,
  WORDING,
} from '#local/example-business';
import { examplePerson } from '#local/example-people';
import type { Account } from '#local/first-admin';
import type { Sent } from '#shared/contract/schemas';

const DAYS = 30;
const LEADS = 150;
/** Percent, from Sunday. */
const LEADS_BY_WEEKDAY = [6, 19, 18, 17, 17, 15, 8] as const;
const DAY_MS = 86_400_000;
const OPEN_HOUR = 8;
const OPEN_HOURS = 11;

type Parts = Pick<Cloud, 'url' | 'clock' | 'inbox' | 'partners' | 'settled'>;

/** Leaves the clock at the present. */
export async function makeExampleData(cloud: Parts, account: Account): Promise<void> {
  const present = cloud.clock.now();
  const midnight = Math.floor(present.getTime() / DAY_MS) * DAY_MS;
  const first = midnight - DAYS * DAY_MS;
  const api = new ApiClient(cloud.url, 'lead-distribution-demo');
  try {
    cloud.clock.set(new Date(first + OPEN_HOUR * 3_600_000));
    await api.logIn(account);
    const keys = await setUp(api, cloud);
    const claimable = new Set<string>();
    let lead = 0;
    for (let day = 0; day <= DAYS; day += 1) {
      const opensAt = first + day * DAY_MS + OPEN_HOUR * 3_600_000;
      if (opensAt > present.getTime()) break;
      cloud.clock.set(new Date(opensAt));
      await api.logIn(account);
      for (const claim of CLAIMS) if (claim.day === day) await claimOne(api, claim, claimable);
      const upTo = day === DAYS ? LEADS : Math.round(LEADS * shareOfPeriod(first, day));
      const today = upTo - lead;
      for (let n = 0; n < today; n += 1, lead += 1) {
        const at = opensAt + (n / today) * OPEN_HOURS * 3_600_000;
        cloud.clock.set(new Date(Math.min(at, present.getTime())));
        const person = { ...examplePerson(lead), ...DOUBTFUL[lead] };
        const body = { ...person, ...consentOf(person, cloud.clock.now()) };
        const key = keys.get(person.src ?? '');
        const id = key === undefined ? await entered(api, body) : await posted(cloud, key, body);
        if (person.src === CLAIMED_SOURCE) claimable.add(id);
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

async function entered(api: ApiClient, body: Sent<'createLead', 'body'>): Promise<string> {
  return (await api.ok('createLead', { body })).lead_id;
}

async function posted({ url }: Parts, key: string, body: Sent<'createLead', 'body'>): Promise<string> {
  const { src: _, clickId, ...lead } = body;
  const { results } = await new ApiClient(url).ok(
    'postIntake',
    { body: { ...lead, external_id: clickId, clickId } },
    { authorization: `Bearer ${key}` },
  );
  return results[0]?.lead_id ?? '';
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

/** @returns keys of the sources, by `src` */
async function setUp(api: ApiClient, cloud: Parts): Promise<ReadonlyMap<string, string>> {
  await api.ok('saveCompany', {
    body: {
      name: 'Muster Zinsvergleich GmbH',
      address: 'Musterstraße 1\n12345 Berlin',
      imprint_url: 'https://www.example.com/impressum',
      privacy_url: 'https://www.example.com/datenschutz',
    },
  });
  const keys = new Map<string, string>();
  for (const settings of SOURCES) {
    const { source } = await api.ok('createSource', { body: settings });
    const params = { sourceId: String(source.source_id) };
    await api.ok('addConsentText', { params, body: { text: WORDING } });
    await api.ok('updateSource', { params, body: { state: 'live' } });
    keys.set(settings.src, (await api.ok('createSourceKey', { params })).key);
  }
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
  return keys;
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

async function claimOne(
  api: ApiClient,
  { reason, decide, ofAnother = false }: (typeof CLAIMS)[number],
  claimable: ReadonlySet<string>,
): Promise<void> {
  const { buyers } = await api.ok('listBuyers');
  const buyer = buyers.find(({ buyer_id }) => buyer_id === BUYERS[0]?.buyer_id);
  const token = buyer?.excel_link?.split('/').at(-1);
  if (buyer === undefined || token === undefined) return;
  const { order, leads } = await api.ok('viewLeads', { params: { token } });
  const lead = leads.original
    .filter(({ lead_id, claim_status }) => claim_status === null && claimable.has(lead_id) !== ofAnother)
    .toSorted((one, other) => other.delivered_at.localeCompare(one.delivered_at))
    .at(0);
  if (lead === undefined) return;
  const filed = await api.ok('fileClaim', {
    query: { token },
    body: {
      lead_id: lead.lead_id,
      order_id: String(order.order_id),
      buyer_id: buyer.buyer_id,
      claim_reason: reason,
    },
  });
  if (decide === undefined) return;
  await api.ok(decide.approve ? 'approveClaim' : 'rejectClaim', {
    params: { claimId: String(filed.claim.claim_id) },
    body: { admin_notes: decide.notes },
  });
}
