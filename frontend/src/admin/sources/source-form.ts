import { isAmountOrEmpty } from '#shared/rules/formats';
import { INTAKE_FIELDS, type IntakeField, record } from '#shared/rules/lead-fields';
import type { NewSource, Source } from '../data/sources';
import { INVALID } from '../invalid-texts';
import { countOf } from '../ui/labels';

type FieldTexts = Readonly<Record<IntakeField, string>>;

/** Empty `per_day` or `in_total`: any number. */
const COUNTS = ['per_minute', 'per_day', 'in_total', 'window_days'] as const;

/** What the form of a source holds. Lists are one entry a line. */
export interface SourceValues
  extends Record<
      'name' | 'src' | 'origins' | 'addresses' | 'cost_per_lead' | (typeof COUNTS)[number],
      string
    >,
    Pick<Source, 'on_duplicate' | 'sees_buyers' | 'consent' | 'double_opt_in'> {
  mapping: FieldTexts;
  defaults: FieldTexts;
}

/** The names under which the form shows its fields. */
export const SOURCE_LABELS = {
  name: 'Name',
  src: 'Source value (src)',
  per_minute: 'Leads per minute',
  per_day: 'Leads per day',
  in_total: 'Total leads',
  cost_per_lead: 'Cost per lead (€)',
  window_days: 'Duplicate window (days)',
  on_duplicate: 'Duplicate leads',
  sees_buyers: 'Tell the source which buyer got a lead',
  origins: 'Allowed web pages',
  addresses: 'Allowed IP addresses',
  consent: 'Leads without consent to be called',
  double_opt_in: 'The person confirms by the link in an e-mail',
  mapping: 'Field mapping',
  defaults: 'Default values',
} as const satisfies Record<keyof SourceValues, string>;

const perField = (textOf: (name: IntakeField) => string): FieldTexts => record(INTAKE_FIELDS, textOf);

/** The server's defaults. */
export const EMPTY_SOURCE: SourceValues = {
  name: '',
  src: '',
  per_minute: '600',
  per_day: '',
  in_total: '',
  cost_per_lead: '',
  window_days: '30',
  on_duplicate: 'refuse',
  sees_buyers: false,
  consent: 'hold',
  double_opt_in: false,
  origins: '',
  addresses: '',
  mapping: perField(() => ''),
  defaults: perField(() => ''),
};

export function sourceValuesOf(source: Source): SourceValues {
  const { name, src, on_duplicate, sees_buyers, consent, double_opt_in, mapping, defaults } = source;
  return {
    name,
    src,
    ...record(COUNTS, (count) => String(source[count] ?? '')),
    cost_per_lead: String(source.cost_per_lead ?? '').replace('.', ','),
    on_duplicate,
    sees_buyers,
    consent,
    double_opt_in,
    origins: source.origins.join('\n'),
    addresses: source.addresses.join('\n'),
    mapping: perField((field) => mapping[field] ?? ''),
    defaults: perField((field) => defaults[field] ?? ''),
  };
}

const MAX_PER_MINUTE = 100_000;
const MAX_COUNT = 1_000_000_000;
const MAX_WINDOW_DAYS = 365;

/** Checks in the browser. The server checks lists and fields. */
export function validateSource(values: SourceValues): Partial<Record<keyof SourceValues, string>> {
  const errors: Partial<Record<keyof SourceValues, string>> = {};
  if (values.name.trim() === '') errors.name = INVALID.required('Name');
  if (values.src.trim() === '') errors.src = INVALID.required('Source');
  const between = (name: (typeof COUNTS)[number], min: number, max: number) => {
    const text = values[name].trim();
    if (!/^\d+$/.test(text) || Number(text) < min || Number(text) > max)
      errors[name] = INVALID.countFrom(min, max);
  };
  between('per_minute', 1, MAX_PER_MINUTE);
  if (values.per_day.trim() !== '') between('per_day', 1, MAX_COUNT);
  if (values.in_total.trim() !== '') between('in_total', 1, MAX_COUNT);
  if (!isAmountOrEmpty(values.cost_per_lead)) errors.cost_per_lead = INVALID.amount;
  between('window_days', 0, MAX_WINDOW_DAYS);
  return errors;
}

/** The settings in the server's form. */
export function sourceOf(values: SourceValues): NewSource {
  return {
    name: values.name.trim(),
    src: values.src.trim(),
    per_minute: Number(values.per_minute),
    per_day: limitOf(values.per_day),
    in_total: limitOf(values.in_total),
    cost_per_lead: values.cost_per_lead.trim() || null,
    window_days: Number(values.window_days),
    on_duplicate: values.on_duplicate,
    sees_buyers: values.sees_buyers,
    consent: values.consent,
    double_opt_in: values.double_opt_in,
    origins: linesOf(values.origins),
    addresses: linesOf(values.addresses),
    mapping: filled(values.mapping),
    defaults: filled(values.defaults),
  };
}

const limitOf = (text: string) => (text.trim() === '' ? null : Number(text));

/** People also separate entries by commas and spaces. */
const linesOf = (text: string) => text.split(/[\s,;]+/).filter((line) => line !== '');

const filled = (texts: FieldTexts) =>
  Object.fromEntries(
    INTAKE_FIELDS.flatMap((name) => (texts[name].trim() === '' ? [] : [[name, texts[name].trim()]])),
  );

export const CONSENT_POLICY_TEXTS = {
  ignore: {
    label: 'Distribute them',
    text: 'distributed',
    hint: 'Buyers that require consent do not get them.',
  },
  hold: { label: 'Hold as pending lead', text: 'held', hint: 'They wait until you assign or discard them.' },
  require: { label: 'Refuse', text: 'refused', hint: 'The source gets an error and nothing is stored.' },
} as const satisfies Record<Source['consent'], { label: string; text: string; hint: string }>;

export const limitsText = ({ per_minute, per_day, in_total, cost_per_lead: cost }: SourceValues) =>
  `${per_minute} a minute, ${per_day.trim() || 'any number'} a day, ${in_total.trim() || 'any number'} in total, ${cost.trim() === '' ? 'cost unknown' : `${cost.trim()} € a lead`}`;

export const duplicatesText = ({ window_days, on_duplicate }: SourceValues) =>
  window_days.trim() === '0'
    ? 'Not checked'
    : `${on_duplicate === 'refuse' ? 'Rejected' : 'Held'} within ${window_days} days`;

/** `Servers only, from any address` */
export const accessText = ({ origins, addresses }: SourceValues) =>
  `${someOf(linesOf(origins), 'Servers only', 'web page')}, from ${someOf(linesOf(addresses), 'any address', 'address', 'addresses')}`;

/** `Standard names, no default values` */
export const fieldsText = ({ mapping, defaults }: SourceValues) =>
  `${someOf(Object.keys(filled(mapping)), 'Standard names', 'own name')}, ${someOf(Object.keys(filled(defaults)), 'no default values', 'default value')}`;

const someOf = (all: readonly string[], none: string, one: string, many?: string) =>
  all.length === 0 ? none : countOf(all.length, one, many);
