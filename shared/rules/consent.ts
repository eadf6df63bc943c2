/** The consent that a person gave to be contacted: what may be said of it, and how it is named. */
import { formatDateTime } from '#shared/rules/formats';

interface Label {
  readonly en: string;
  readonly de: string;
}

/** How it was given. */
export const CONSENT_METHODS = ['form', 'double_opt_in', 'phone_recording', 'written', 'other'] as const;

export const CONSENT_METHOD_LABELS: Readonly<Record<(typeof CONSENT_METHODS)[number], Label>> = {
  form: { en: 'form', de: 'Formular' },
  double_opt_in: { en: 'form, confirmed by e-mail', de: 'Formular, per E-Mail bestätigt' },
  phone_recording: { en: 'recorded phone call', de: 'aufgezeichnetes Telefonat' },
  written: { en: 'in writing', de: 'schriftlich' },
  other: { en: 'other', de: 'auf andere Weise' },
};

/** By which the person may be contacted. */
export const CONSENT_CHANNELS = ['phone', 'email', 'messaging'] as const;
export type ConsentChannel = (typeof CONSENT_CHANNELS)[number];

export const CONSENT_CHANNEL_LABELS: Readonly<Record<ConsentChannel, Label>> = {
  phone: { en: 'phone', de: 'Telefon' },
  email: { en: 'e-mail', de: 'E-Mail' },
  messaging: { en: 'messaging', de: 'Messenger und SMS' },
};
/** `Telefon, E-Mail` */
export const channelsText = (channels: readonly ConsentChannel[], language: keyof Label): string =>
  channels.map((channel) => CONSENT_CHANNEL_LABELS[channel][language]).join(', ');

const LINE = {
  en: { hour: '', withdrawn: 'withdrawn on' },
  de: { hour: ' Uhr', withdrawn: 'widerrufen am' },
} as const;

/** `24.11.2026, 14:03 Uhr, Formular`, in Berlin time. */
export function consentLine(
  consent: { readonly given_at: string; readonly method: (typeof CONSENT_METHODS)[number] },
  withdrawnAt: string | null | undefined,
  language: keyof Label,
): string {
  const { hour, withdrawn } = LINE[language];
  const time = (instant: string) => `${formatDateTime(new Date(instant))}${hour}`;
  const given = `${time(consent.given_at)}, ${CONSENT_METHOD_LABELS[consent.method][language]}`;
  return withdrawnAt ? `${given}; ${withdrawn} ${time(withdrawnAt)}` : given;
}

/**
 * For a source's leads without consent to be called: `hold` makes them pending, `require` refuses them. Sources older
 * than the setting ignore it.
 */
export const CONSENT_POLICIES = ['ignore', 'hold', 'require'] as const;

/** Of a source, at a time. */
export const MAX_CONSENT_TEXTS = 20;

/** Whether a lead with these channels may be called. */
export const consentsToCalls = (channels: readonly ConsentChannel[] | undefined): boolean =>
  channels?.includes('phone') === true;

export const PROOF_FORMATS = ['html', 'json'] as const;
export type ProofFormat = (typeof PROOF_FORMATS)[number];

/** Proofs in one ZIP: by sequence, so that an order of any size is read in bounded parts. */
export const PROOFS_PER_FILE = 1000;
export const MAX_PROOF_FILES = 1000;

/** Characters. */
export const CONSENT_LIMITS = { text: 4000, address: 1000, ip: 45, user_agent: 500 } as const;

/** What a person's own, signed link is for. */
export const CONSENT_LINKS = ['withdraw', 'confirm'] as const;
export type ConsentLink = (typeof CONSENT_LINKS)[number];

/** `over`: too late, or the lead is gone; `withdrawn`: of a link to confirm. */
export const CONSENT_LINK_STATES = ['open', 'done', 'over', 'withdrawn'] as const;
export type ConsentLinkState = (typeof CONSENT_LINK_STATES)[number];

/** Seven days, for a person to confirm a consent; then the lead is discarded. */
const CONFIRM_MS = 7 * 86_400_000;
export const confirmBy = (receivedAt: string): Date => new Date(Date.parse(receivedAt) + CONFIRM_MS);
export const receivedToConfirmBy = (end: Date): Date => new Date(end.getTime() - CONFIRM_MS);

/** What a consent consists of. Sources post it as `consent`, or each field on its own, as `consent_given_at`. */
export const CONSENT_FIELDS = [
  'given_at',
  'method',
  'channels',
  'text_id',
  'text',
  'page_url',
  'ip',
  'user_agent',
  'confirmed_at',
  'confirmed_ip',
  'proof_url',
] as const;
export type ConsentField = (typeof CONSENT_FIELDS)[number];
