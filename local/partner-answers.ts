/** Answers as vendors document them or clients have seen them. Those of the lead broker and SellAnyLead are assumed. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '#functions/platform/environment';

export const PARTNERS = [
  'trackbox',
  'heroleads',
  'sellanylead',
  'http',
  'pushover',
  'zerobounce',
  'twilio',
  'nameapi',
] as const;
export type Partner = (typeof PARTNERS)[number];

export const PARTNER_ADDRESSES: Readonly<
  Record<
    Partner,
    {
      readonly path: string;
      readonly environment: (url: string) => Readonly<Partial<Record<keyof Environment, string>>>;
    }
  >
> = {
  // Addressed by the buyer's settings.
  trackbox: { path: '/api/signup/procform', environment: () => ({ TRACKBOX_SCHEME: 'http' }) },
  heroleads: { path: '/heroleads/api/leads', environment: (url) => ({ HEROLEADS_API_URL: url }) },
  sellanylead: { path: '/sellanylead/api/leads', environment: (url) => ({ SELLANYLEAD_API_URL: url }) },
  http: { path: '/http/leads', environment: () => ({}) },
  pushover: { path: '/pushover/1', environment: (url) => ({ PUSHOVER_API_URL: url }) },
  zerobounce: { path: '/zerobounce/v2', environment: (url) => ({ ZEROBOUNCE_API_URL: url }) },
  twilio: { path: '/twilio/v2', environment: (url) => ({ TWILIO_LOOKUP_API_URL: url }) },
  nameapi: { path: '/nameapi/rest/v5.3', environment: (url) => ({ NAMEAPI_API_URL: url }) },
};

/** `duplicate` and `reject` concern the lead, the others the call. */
export const ANSWER_KINDS = ['ok', 'duplicate', 'reject', 'wrong-credentials', '429', '500'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

export interface PartnerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly now: Date;
}
export interface PartnerAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}
type Answers = Readonly<Record<AnswerKind, (request: PartnerRequest) => PartnerAnswer>>;
/** Without an own answer to duplicates, the partner accepts them. */
type OwnAnswers = Partial<Answers> & Pick<Answers, 'ok' | 'reject' | 'wrong-credentials'>;

const json = (status: number, value: unknown, headers = {}): PartnerAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});
/** TrackBox sends JSON with this type, and refuses with 200. */
const trackbox = (value: unknown): PartnerAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: JSON.stringify(value),
});
const caseId = () => randomUUID().replaceAll('-', '').slice(0, 16);
const missing = (fields: PartnerRequest['fields'], required: readonly string[]) =>
  required.filter((name) => fields[name] === undefined || fields[name] === '');

const TRACKBOX_HEADERS = ['x-trackbox-username', 'x-trackbox-password', 'x-api-key'] as const;
const TRACKBOX_FIELDS = ['ai', 'ci', 'gi', 'firstname', 'lastname', 'email', 'password', 'phone'] as const;

const USUAL = {
  '429': () => json(429, { error: 'Too many requests' }, { 'retry-after': '30' }),
  '500': () => json(500, { error: 'Internal server error' }),
};

const ANSWERS: Readonly<Record<Partner, OwnAnswers>> = {
  trackbox: {
    ok: ({ headers, fields }) => {
      if (TRACKBOX_HEADERS.some((name) => !headers[name])) return wrongTrackboxPassword();
      const [first] = missing(fields, TRACKBOX_FIELDS);
      if (first !== undefined)
        return trackbox({ status: false, data: [{ message: `The ${first} field is required` }] });
      const link = `https://box.example.com/u/d/${randomUUID()}`;
      const id = randomUUID();
      return trackbox({
        status: true,
        data: link,
        error: [],
        addonData: {
          status: 'successful',
          data: {
            loginURLIsForm: false,
            customerId: `PLAYER-${id}`,
            uniqueid: id.replaceAll('-', ''),
            id: `PLAYER-${id}`,
            brokerUrl: 'xxx',
            loginURL: link,
          },
          failLog: true,
          fallbackURL: false,
        },
        originalData: [],
      });
    },
    duplicate: () => trackbox({ status: false, data: [{ message: 'Lead already exists in the system' }] }),
    reject: () => trackbox({ status: false, data: 'Country is not allowed for this campaign' }),
    'wrong-credentials': () => wrongTrackboxPassword(),
  },
  heroleads: {
    ok: ({ fields }) =>
      missing(fields, ['lead_type_id']).length > 0
        ? json(422, { success: false, message: 'lead_type_id is required' })
        : json(201, { success: true, data: { id: randomUUID() } }),
    duplicate: () => json(409, { success: false, status: 'duplicate', message: 'Lead already exists' }),
    reject: () => json(422, { success: false, status: 'error', message: 'The phone number is not valid' }),
    'wrong-credentials': () => json(401, { success: false, message: 'Unauthenticated' }),
  },
  sellanylead: {
    ok: () => json(200, { success: true, lead_id: randomUUID() }),
    duplicate: () => json(409, { success: false, error: 'duplicate lead' }),
    reject: () => json(400, { success: false, error: 'Lead rejected' }),
    'wrong-credentials': () => json(403, { success: false, error: 'Invalid API key' }),
  },
  http: {
    ok: ({ fields }) =>
      missing(fields, ['reference', 'mail']).length > 0
        ? json(422, { result: { state: 'invalid', text: 'reference and mail are required' } })
        : json(201, { result: { state: 'stored', number: randomUUID() } }),
    duplicate: () => json(409, { result: { state: 'known', text: 'This person is known already' } }),
    reject: () => json(422, { result: { state: 'invalid', text: 'The telephone number is not valid' } }),
    'wrong-credentials': () => json(401, { result: { state: 'denied' } }),
  },
  pushover: {
    ok: ({ fields, now }) => {
      const [first] = missing(fields, ['token', 'user', 'message']);
      return first === undefined
        ? pushover(200, { status: 1 }, now)
        : pushover(400, { [first]: 'cannot be blank', errors: [`${first} cannot be blank`], status: 0 }, now);
    },
    duplicate: ({ now }) => pushover(200, { status: 1 }, now),
    reject: ({ now }) =>
      pushover(400, { user: 'invalid', errors: ['user identifier is invalid'], status: 0 }, now),
    'wrong-credentials': ({ now }) =>
      pushover(400, { token: 'invalid', errors: ['application token is invalid'], status: 0 }, now),
    '429': ({ now }) =>
      pushover(429, { errors: ['application reached monthly message limit'], status: 0 }, now, 0),
  },
  zerobounce: {
    ok: (request) => zerobounce(request, 'valid', ''),
    duplicate: (request) => zerobounce(request, 'catch-all', ''),
    reject: (request) => zerobounce(request, 'invalid', 'mailbox_not_found'),
    'wrong-credentials': () => json(200, { error: 'Invalid API key or your account ran out of credits' }),
  },
  twilio: {
    ok: (request) => twilio(request, []),
    reject: (request) => twilio(request, ['TOO_SHORT']),
    'wrong-credentials': () =>
      json(401, {
        code: 20003,
        message: 'Authenticate',
        more_info: 'https://www.twilio.com/docs/errors/20003',
        status: 401,
      }),
    '429': () => json(429, { code: 20429, message: 'Too Many Requests', status: 429 }),
  },
  nameapi: {
    ok: () => json(200, { score: -0.5, worstRisk: null, risks: [] }),
    reject: () => {
      const risk = {
        dataItem: 'NAME',
        riskType: ['FakeRiskType', 'FICTIONAL'],
        riskScore: 1,
        reason: 'The name belongs to a fictional character',
      };
      return json(200, { score: 1, worstRisk: risk, risks: [risk] });
    },
    'wrong-credentials': () => json(403, { fault: { code: 'AccessDenied', message: 'Invalid apiKey' } }),
  },
};

export function answerOf(partner: Partner, kind: AnswerKind, request: PartnerRequest): PartnerAnswer {
  const own = ANSWERS[partner];
  return { duplicate: own.ok, ...USUAL, ...own }[kind](request);
}

function wrongTrackboxPassword(): PartnerAnswer {
  return trackbox({
    status: false,
    message: `User and password doesnt match, please supply support with case ID: ${caseId()}`,
    code: 401,
  });
}

const PUSHOVER_MONTHLY = 10_000;

function pushover(status: number, value: object, now: Date, remaining = PUSHOVER_MONTHLY - 1): PartnerAnswer {
  const reset = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) / 1000;
  return json(
    status,
    { ...value, request: randomUUID() },
    {
      'x-limit-app-limit': String(PUSHOVER_MONTHLY),
      'x-limit-app-remaining': String(remaining),
      'x-limit-app-reset': String(reset),
    },
  );
}

function zerobounce(request: PartnerRequest, status: string, subStatus: string): PartnerAnswer {
  const address = new URL(request.path, 'http://sandbox').searchParams.get('email') ?? '';
  return json(200, {
    address,
    status,
    sub_status: subStatus,
    free_email: false,
    did_you_mean: null,
    account: address.split('@')[0],
    domain: address.split('@')[1],
    domain_age_days: '8426',
    smtp_provider: 'other',
    mx_found: status === 'invalid' ? 'false' : 'true',
    mx_record: '',
    firstname: null,
    lastname: null,
    gender: null,
    processed_at: request.now.toISOString().replace('T', ' ').replace('Z', ''),
  });
}

function twilio(request: PartnerRequest, errors: readonly string[]): PartnerAnswer {
  const { pathname } = new URL(request.path, 'http://sandbox');
  const number = decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  return json(200, {
    calling_country_code: '49',
    country_code: 'DE',
    phone_number: number,
    national_format: number.replace('+49', '0'),
    valid: errors.length === 0,
    validation_errors: errors,
    caller_name: null,
    sim_swap: null,
    line_type_intelligence: null,
    url: `https://lookups.twilio.com/v2/PhoneNumbers/${number}`,
  });
}
