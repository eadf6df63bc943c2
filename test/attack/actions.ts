/** Actions of admins, buyers and sources during the storm: everything that moves leads, capacity and money. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiClient } from '#local/api-client';
import { PARTNER_ADDRESSES } from '#local/partner-answers';
import type { Channel } from '#shared/channels/channels';
import { addDays, berlinDay, weekdayOf } from '#shared/rules/working-days';
import type { Journal, Posted } from '#test/attack/journal';
import type { Outside } from '#test/attack/outside';
import { type BuyerRequest, settingsOf } from '#test/factories/buyers';
import { type LeadRequest, people } from '#test/factories/people';
import { SECRETS } from '#test/factories/secrets';
import { aTemplateRequest } from '#test/factories/templates';
import { tokenOf } from '#test/harness/cloud';
import type { Random } from '#test/harness/random';

const LAST_NAME = 'Sturmfels';
const MAIL_DOMAIN = 'sturm.example';
/** The first digits of every phone number. */
const PHONE = '15112';
const NOTES = 'Vermerk-zum-Sturm';

export interface World {
  readonly admin: ApiClient;
  readonly visitor: ApiClient;
  readonly journal: Journal;
  readonly random: Random;
  /** False once no new action may start. */
  readonly goesOn: () => boolean;
}

type Kind = 'mail' | 'post' | 'box' | 'broker' | 'seller' | 'rich' | 'review' | 'crm' | 'paced' | 'closed';

/** Weight in percent; the sum stays below 100. */
const WEIGHTS: Readonly<Record<Kind, number>> = {
  mail: 15,
  post: 15,
  box: 15,
  broker: 10,
  seller: 10,
  rich: 10,
  review: 5,
  crm: 9,
  paced: 7,
  closed: 3,
};
const KINDS = Object.keys(WEIGHTS) as Kind[];
const MAX_LIMIT = 30;
/** The first day on which the closed buyer accepts leads: after any storm. */
const DAYS_CLOSED = 3;
/** Low enough to be reached in every storm. */
const DAILY_CAP = 2;
/** Kind of a buyer whose weight is 0 for a while. */
const PRICE = 19.99;

export interface Templates {
  readonly original: string;
  readonly replacement: string;
  /** The source that posts several leads at once. */
  readonly source: number;
}

export async function setUp(admin: ApiClient, outside: Outside): Promise<Templates> {
  const template = async (name: string) => {
    const { template } = await admin.ok('createEmailTemplate', {
      body: aTemplateRequest({
        name,
        smtp_port: outside.smtpPort,
        smtp_pass: SECRETS.smtp,
        smtp_subject: `${name} $$order_lead_id$$`,
      }),
    });
    return template.id;
  };
  const { source } = await admin.ok('createSource', {
    body: { name: 'Datei', src: 'datei', per_minute: 100_000, window_days: 0, consent: 'ignore' },
  });
  const path = { sourceId: source.source_id };
  await admin.ok('updateSource', { params: path, body: { state: 'live' } });
  const templates = {
    original: await template('Original'),
    replacement: await template('Ersatz'),
    source: source.source_id,
  };
  await admin.ok('createPushoverCredential', {
    body: {
      user_key: PUSHOVER_KEYS.user,
      app_key: PUSHOVER_KEYS.app,
      notify_lead_assignment: true,
      notify_lead_claims: true,
    },
  });
  for (const kind of KINDS) {
    const body = buyerOf(kind, kind, templates, outside);
    await admin.ok('createBuyer', { body });
    const caps = kind === 'paced' ? { daily_cap: DAILY_CAP, weekly_cap: DAILY_CAP + 1 } : {};
    await admin.ok('createOrder', { body: { buyer_id: body.buyer_id, lead_limit: MAX_LIMIT, ...caps } });
  }
  return templates;
}

const PUSHOVER_KEYS = {
  user: 'uGeheimGeheimGeheimGeheimGehei',
  app: 'aGeheimGeheimGeheimGeheimGehei',
} as const;

/** The e-mail address, which never changes, contains the kind, so that a renamed buyer is recognised. */
function buyerOf(
  kind: Kind,
  buyer_id: string,
  { original, replacement }: Templates,
  { partnersHost }: Outside,
): BuyerRequest {
  const weekday = weekdayOf(addDays(berlinDay(new Date()), DAYS_CLOSED));
  const by = (channel: Channel) =>
    settingsOf(channel, { templateId: original, partners: partnersHost }, SECRETS);
  const own: Readonly<Record<Kind, Partial<BuyerRequest>>> = {
    mail: {},
    post: {},
    paced: {},
    closed: { schedule: { weekdays: [weekday], from: '08:00', to: '18:00', holidays_off: false } },
    rich: { min_investment: 50_000 },
    review: { manual_review: true },
    broker: by('heroleads'),
    crm: {
      ...by('http'),
      http_url: `http://${partnersHost}${PARTNER_ADDRESSES.http.path}`,
      http_rules: [{ subject: 'status', path: '', value: '422', verdict: 'refused' }],
      on_refusal: 'reassign',
    },
    seller: { ...by('sellanylead'), send_email: true },
    box: { ...by('trackbox'), send_email: true },
  };
  return {
    buyer_id,
    buyer_email: `${kind}@buyers.example`,
    probability: WEIGHTS[kind],
    price_per_lead: PRICE,
    buyer_type: kind === 'post' || kind === 'seller' ? 'postpay' : 'prepay',
    ...by('email'),
    reimbursement_email_template_id: replacement,
    ...own[kind],
  };
}

const kindOf = (email: string): Kind => {
  const [name = ''] = email.split('@');
  const kind = KINDS.find((one) => one === name);
  if (kind === undefined) throw new Error(`A buyer that nobody made: ${email}`);
  return kind;
};

let leadCount = 0;

function leadRequest(random: Random): LeadRequest {
  leadCount += 1;
  const [person] = people(1, random.below(2 ** 31));
  return {
    ...person!,
    nachname: LAST_NAME,
    email: `lead.${leadCount}@${MAIL_DOMAIN}`,
    // One in thirty has an impossible phone number and becomes pending.
    telefon: random.below(30) === 0 ? '0123 45' : `+49 ${PHONE}${String(100_000 + (leadCount % 900_000))}`,
  };
}

/** Status codes after which the same request may be repeated. */
const UNDER_WAY: ReadonlySet<string | undefined> = new Set(['request_under_way', 'taken_over']);

/** Posts one lead. Most have an idempotency key and are repeated until there is an answer. */
export async function postLead(world: World): Promise<Posted> {
  const { admin, journal, random } = world;
  const lead = leadRequest(random);
  const way = random.weighted({ keyed: 80, once: 12, byHand: 8 });
  const body = way === 'byHand' ? { ...lead, buyer_id: (await anyBuyer(world))?.buyer_id ?? '' } : lead;
  const headers: Record<string, string> = way === 'once' ? {} : { 'idempotency-key': `storm-${lead.email}` };
  const post = async () => {
    const began = performance.now();
    posted.tries += 1;
    const made = await journal.make('lead', () => admin.ok('createLead', { body }, headers));
    if ('answer' in made) {
      const { lead_id, display_id, status } = made.answer;
      if (posted.leadId !== undefined && posted.leadId !== lead_id)
        journal.violation(`lead ${posted.email} was answered as ${posted.leadId} and as ${lead_id}`);
      posted.state = 'accepted';
      posted.leadId = lead_id;
      if (status === 'assigned' && display_id !== undefined) posted.displayId = display_id;
      if (posted.tries === 1) journal.intake.push(performance.now() - began);
    } else if ('refused' in made && posted.tries === 1 && !UNDER_WAY.has(made.refused.code))
      posted.state = 'refused';
  };
  const posted: Posted = {
    email: lead.email,
    state: 'open',
    tries: 0,
    again: way === 'once' ? undefined : post,
  };
  journal.posted.push(posted);
  await post();
  return posted;
}

/** Fewer leads would be distributed singly. */
const MIN_TOGETHER = 10;

/** Posts leads as rows of a file and repeats the call until there is an answer. */
export async function postTogether({ admin, journal, random }: World, source: number): Promise<Posted> {
  const leads = Array.from({ length: MIN_TOGETHER + random.below(6) }, () => leadRequest(random));
  const rows = leads.map((lead) => ({ ...lead, src: undefined, external_id: lead.email }));
  const post = async () => {
    if (all.every(({ state }) => state !== 'open')) return;
    for (const posted of all) posted.tries += 1;
    const made = await journal.make('leads together', () =>
      admin.ok('importLeads', { params: { sourceId: source }, body: { leads: rows } }),
    );
    if (!('answer' in made)) return;
    for (const [at, posted] of all.entries()) {
      const { status, lead_id } = made.answer.results[at] ?? {};
      if (status !== 'accepted' || lead_id === undefined)
        journal.violation(`lead ${posted.email} of a file was answered as ${status}`);
      else {
        posted.state = 'accepted';
        posted.leadId = lead_id;
      }
    }
  };
  const all = leads.map(({ email }): Posted => ({ email, state: 'open', tries: 0, again: post }));
  journal.posted.push(...all);
  await post();
  const [first] = all;
  if (first === undefined) throw new Error('There are no leads');
  return first;
}

const anyBuyer = async ({ admin, random }: World) => {
  try {
    const { buyers } = await admin.ok('listBuyers');
    const living = buyers.filter(({ deleted }) => !deleted);
    return living.length === 0 ? undefined : random.pick(living);
  } catch {
    return undefined;
  }
};

/** Relative frequencies. */
const ADMIN_ACTIONS = {
  fileClaim: 14,
  decideClaim: 12,
  newOrder: 14,
  changeLimit: 8,
  pause: 2,
  resume: 6,
  rename: 3,
  weigh: 3,
  deleteOrder: 2,
  restoreOrder: 3,
  deleteLead: 3,
  editLead: 3,
  discard: 1,
  assign: 5,
  replaceBuyer: 0.7,
  resend: 1,
  regenerateLink: 1,
  comment: 1,
  look: 8,
} as const;

type AdminAction = keyof typeof ADMIN_ACTIONS;

/** Performs one random action. */
export async function act(world: World, templates: Templates, outside: Outside): Promise<void> {
  const action = world.random.weighted(ADMIN_ACTIONS);
  await world.journal.make(action, () => ACTIONS[action](world, templates, outside));
}

type Action = (world: World, templates: Templates, outside: Outside) => Promise<void>;

const withBuyer =
  (act: (world: World, buyerId: string) => Promise<unknown>): Action =>
  async (world) => {
    const buyer = await anyBuyer(world);
    if (buyer !== undefined) await act(world, buyer.buyer_id);
  };

const ACTIONS: Readonly<Record<AdminAction, Action>> = {
  async fileClaim(world) {
    const seen = await viewOrder(world);
    const free = seen?.leads.original.filter(({ claim_status }) => claim_status === null) ?? [];
    if (seen === undefined || free.length === 0) return;
    await world.visitor.ok('fileClaim', {
      query: { token: seen.token },
      body: {
        lead_id: world.random.pick(free).lead_id,
        order_id: String(seen.order.order_id),
        buyer_id: seen.order.buyer_id,
        claim_reason: world.random.pick(['falsche_nummer', 'doppelt', 'fake', 'Er will nur einen Kredit.']),
      },
    });
  },
  async decideClaim({ admin, random, journal }) {
    const { claims } = await admin.ok('listPendingClaims');
    if (claims.length === 0) return;
    const { claim_id } = random.pick(claims);
    const [id, verdict] =
      random.below(3) === 0
        ? (['rejectClaim', 'rejected'] as const)
        : (['approveClaim', 'approved'] as const);
    await admin.ok(id, { params: { claimId: String(claim_id) }, body: { admin_notes: NOTES } });
    const earlier = journal.decided.get(claim_id);
    if (earlier !== undefined)
      journal.violation(`claim ${claim_id} was decided twice: ${earlier}, ${verdict}`);
    journal.decided.set(claim_id, verdict);
  },
  async newOrder(world) {
    const buyer = await anyBuyer(world);
    if (buyer === undefined) return;
    const { balance_count } = await world.admin.ok('getBalance', { params: { buyerId: buyer.buyer_id } });
    await world.admin.ok('createOrder', {
      body: {
        buyer_id: buyer.buyer_id,
        lead_limit: 1 + world.random.below(MAX_LIMIT),
        ...(balance_count > 0 && {
          use_balance: true,
          balance_amount: 1 + world.random.below(balance_count),
        }),
      },
    });
  },
  async changeLimit(world) {
    const buyer = await anyBuyer(world);
    if (buyer === undefined) return;
    // Sometimes a limit below the delivered leads, which must be rejected.
    const limit = Math.max(1, (buyer.leads_received ?? 0) + world.random.below(13) - 4);
    await world.admin.ok('updateOrderLimit', {
      params: { buyerId: buyer.buyer_id },
      body: { lead_limit: limit },
    });
  },
  pause: (world) => changeBuyer(world, () => ({ active: 0 })),
  resume: (world) => changeBuyer(world, () => ({ active: 1 })),
  rename: (world) =>
    changeBuyer(world, ({ buyer_email }) => ({
      new_buyer_id: `${kindOf(buyer_email)}-${world.random.below(1_000_000)}`,
    })),
  weigh: (world) =>
    changeBuyer(world, ({ buyer_email }) => ({
      probability: world.random.pick([0, 1, WEIGHTS[kindOf(buyer_email)]]),
    })),
  async deleteOrder(world) {
    const { orders } = await world.admin.ok('listOrders');
    const open = orders.filter(({ status }) => status === 'Active' || status === 'Completed');
    if (open.length === 0) return;
    const order = world.random.pick(open);
    await world.admin.ok('deleteOrder', {
      params: { buyerId: order.buyer_id, orderId: String(order.order_id) },
    });
  },
  restoreOrder: withBuyer(({ admin }, buyerId) =>
    admin.ok('restoreLastDeletedOrder', { params: { buyerId } }),
  ),
  async deleteLead(world) {
    const seen = await viewOrder(world);
    const leads = [...(seen?.leads.original ?? []), ...(seen?.leads.reimbursement ?? [])];
    if (leads.length === 0) return;
    const { lead_id } = world.random.pick(leads);
    world.journal.deletionAsked.add(lead_id);
    await world.admin.ok('deleteLead', { params: { leadId: lead_id } });
  },
  async editLead(world) {
    const seen = await viewOrder(world);
    if (seen === undefined || seen.leads.original.length === 0) return;
    await world.admin.ok('updateLead', {
      params: { leadId: world.random.pick(seen.leads.original).lead_id },
      body: { laufzeit: 6 + world.random.below(60), anlagebetrag: 10_000 + world.random.below(90_000) },
    });
  },
  async discard(world) {
    const lead = await anyPendingLead(world);
    if (lead !== undefined) await world.admin.ok('discardPendingLead', { params: { leadId: lead.lead_id } });
  },
  async assign(world) {
    const [lead, buyer] = [await anyPendingLead(world), await anyBuyer(world)];
    if (lead === undefined || buyer === undefined) return;
    await world.admin.ok('assignPendingLead', {
      params: { leadId: lead.lead_id },
      body: { buyer_id: buyer.buyer_id, laufzeit: 12 },
    });
  },
  /** A deleted buyer is immediately replaced by another one of the same kind. */
  async replaceBuyer(world, templates, outside) {
    const buyer = await anyBuyer(world);
    if (buyer === undefined) return;
    await world.admin.ok('deleteBuyer', { params: { buyerId: buyer.buyer_id } });
    const kind = kindOf(buyer.buyer_email);
    const body = buyerOf(kind, `${kind}-${world.random.below(1_000_000)}`, templates, outside);
    for (;;) {
      // Even if the first attempt got no answer, a second one with the same ID is rejected.
      const made = await world.journal.make('createBuyer', () => world.admin.ok('createBuyer', { body }));
      if (!('open' in made) || !world.goesOn()) return;
      await wait(200);
    }
  },
  resend: withBuyer(({ admin }, buyerId) => admin.ok('resendFailedDeliveries', { params: { buyerId } })),
  regenerateLink: withBuyer(({ admin }, buyerId) => admin.ok('regenerateToken', { params: { buyerId } })),
  async comment({ admin, random }) {
    const { orders } = await admin.ok('listOrders');
    if (orders.length === 0) return;
    await admin.ok('updateOrderComments', {
      params: { orderId: String(random.pick(orders).order_id) },
      body: { comments: NOTES },
    });
  },
  async look({ admin }) {
    await admin.ok('getDashboardInitialData');
    await admin.ok('getBuyerStats', { query: { time_range: 30 } });
    await admin.ok('listDeliveries', { query: { limit: 50 } });
  },
};

async function changeBuyer(
  world: World,
  change: (buyer: {
    readonly buyer_email: string;
  }) => Partial<BuyerRequest> & { readonly new_buyer_id?: string },
): Promise<void> {
  const buyer = await anyBuyer(world);
  if (buyer !== undefined)
    await world.admin.ok('updateBuyer', { params: { buyerId: buyer.buyer_id }, body: change(buyer) });
}

/** An order on the buyer's page never has more leads than its limit. */
async function viewOrder(world: World) {
  const { orders } = await world.admin.ok('listOrders');
  if (orders.length === 0) return undefined;
  watchLimits(orders, world.journal);
  const token = tokenOf(world.random.pick(orders).excel_link);
  const view = () => world.visitor.ok('viewLeads', { params: { token } });
  let seen = await view();
  const isOver = () => seen.leads.original.length > seen.order.lead_limit;
  // Order and leads are read separately, so a lead may have been deleted and the limit lowered in between.
  if (isOver()) seen = await view();
  if (isOver())
    world.journal.violation(
      `order ${seen.order.order_id} showed ${seen.leads.original.length} leads with a limit of ${seen.order.lead_limit}`,
    );
  return { ...seen, token };
}

export function watchLimits(
  orders: readonly {
    readonly order_id: number;
    readonly leads_received: number;
    readonly lead_limit: number;
  }[],
  journal: Journal,
): void {
  for (const { order_id, leads_received, lead_limit } of orders)
    if (leads_received > lead_limit)
      journal.violation(`order ${order_id} counted ${leads_received} leads with a limit of ${lead_limit}`);
}

async function anyPendingLead({ admin, random }: World) {
  const { ineligible_leads: leads } = await admin.ok('listPendingLeads', { query: { limit: 100 } });
  return leads.length === 0 ? undefined : random.pick(leads);
}
