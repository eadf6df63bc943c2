import { Group } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import {
  CLAIM_STATUSES,
  DELIVERY_STATUSES,
  LEAD_EVENTS,
  LEAD_ROW_STATUSES,
  LEAD_TYPES,
} from '#shared/rules/constants';
import { useSources } from '../data/sources';
import { BuyerFilter } from '../ui/BuyerFilter';
import { deliveryText } from '../ui/delivery-texts';
import { FilterField, type Option, SelectField } from '../ui/FilterFields';
import { dayText } from '../ui/labels';
import { CustomDays } from '../ui/Period';
import { ToolButton } from '../ui/ToolButton';
import { daysOf, PERIODS } from './lead-filters';
import { textOf } from './lead-texts';
import { type LeadFilter, NO_FILTER } from './leads-path';

interface Props {
  readonly filter: LeadFilter;
  readonly today: string;
  readonly change: (change: Partial<LeadFilter>) => void;
}

const CUSTOM = 'custom';
const SOURCE_PX = 160;

const options = (values: readonly string[]) => values.map((value): Option => [value, textOf(value)]);
const DELIVERIES = DELIVERY_STATUSES.map((status): Option => [status, deliveryText(status)]);
const BOTH = 'With and without';
type Choice = readonly [name: keyof LeadFilter, label: string, all: string, options: readonly Option[]];
const CHOICES: readonly Choice[] = [
  ['claim', 'Claim', BOTH, options(['any', ...CLAIM_STATUSES, 'none'])],
  ['consent', 'Consent', BOTH, options(['yes', 'no'])],
  ['delivery', 'Delivery', 'All deliveries', DELIVERIES],
  ['lead_type', 'Type', 'All types', options(LEAD_TYPES)],
];

/** The filters behind "More filters". */
const MORE = [
  'by',
  'order_id',
  'amount_from',
  'amount_to',
  'claim',
  'consent',
  'delivery',
  'lead_type',
] as const;

export function LeadFilters({ filter, today, change, search }: Props & { readonly search: ReactNode }) {
  const [more, setMore] = useState(() => MORE.some((name) => filter[name] !== NO_FILTER[name]));
  const isCustom = filter.from !== '' || filter.to !== '';
  const { from = today, to = today } = daysOf(filter, today);
  return (
    <>
      <Group align="flex-end" gap="sm" role="group" aria-label="Filters">
        {search}
        <SelectField
          label="Period"
          value={isCustom ? CUSTOM : filter.period}
          options={[['', 'All time'], ...options(PERIODS), [CUSTOM, 'Custom days']]}
          choose={(period) =>
            change(period === CUSTOM ? { period: '', from, to } : { period, from: '', to: '' })
          }
        />
        {isCustom && <CustomDays value={filter} change={change} />}
        <SourceFilter value={filter.source} choose={(source) => change({ source })} />
        <BuyerFilter
          value={filter.buyer_id}
          choose={(buyer_id) => change({ buyer_id, order_id: '' })}
          describe={({ buyer_name }) => buyer_name}
        />
        <SelectField
          label="Status"
          value={filter.status}
          options={[['', 'All statuses'], ...options([...LEAD_ROW_STATUSES, 'accepted'])]}
          choose={(status) => change({ status })}
        />
        <ToolButton icon={IconFilter} aria-expanded={more} onClick={() => setMore(!more)}>
          More filters
        </ToolButton>
      </Group>
      {more && <MoreFilters filter={filter} change={change} />}
    </>
  );
}

function MoreFilters({ filter, change }: Omit<Props, 'today'>) {
  return (
    <Group align="flex-end" gap="sm" role="group" aria-label="More filters">
      <SelectField
        label="Period counts the day"
        value={filter.by}
        options={options(LEAD_EVENTS)}
        choose={(by) => change({ by })}
      />
      <AmountField
        label="Amount from (€)"
        value={filter.amount_from}
        apply={(amount_from) => change({ amount_from })}
      />
      <AmountField
        label="Amount to (€)"
        value={filter.amount_to}
        apply={(amount_to) => change({ amount_to })}
      />
      {CHOICES.map(([name, label, all, options]) => (
        <SelectField
          key={name}
          label={label}
          value={filter[name]}
          options={[['', all], ...options]}
          choose={(value) => change({ [name]: value })}
        />
      ))}
    </Group>
  );
}

function SourceFilter({ value, choose }: { readonly value: string; readonly choose: (id: string) => void }) {
  const { data: sources = [] } = useSources();
  const known = ['', '0'].includes(value) || sources.some(({ source_id }) => String(source_id) === value);
  return (
    <SelectField
      label="Source"
      widthPx={SOURCE_PX}
      value={value}
      options={[
        ['', 'All sources'],
        ['0', 'No source'],
        ...(known ? [] : [[value, value] as const]),
        ...sources.map(({ source_id, name }) => [String(source_id), name] as const),
      ]}
      choose={choose}
    />
  );
}

interface AmountProps {
  readonly label: string;
  readonly value: string;
  readonly apply: (value: string) => void;
}

/** Applied when it is left or Enter is pressed: each filter is a call. */
function AmountField({ label, value, apply }: AmountProps) {
  const leave = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    const digits = currentTarget.value.replaceAll(/\D/gu, '').replace(/^0+(?=\d)/u, '');
    currentTarget.value = digits;
    if (digits !== value) apply(digits);
  };
  return (
    <FilterField
      key={value}
      label={label}
      inputMode="numeric"
      size={9}
      maxLength={8}
      defaultValue={value}
      onBlur={leave}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === 'Enter') leave(event);
      }}
    />
  );
}

/** The active filters in words, each with what removes it. */
export function useFilterChips({ filter, change }: Omit<Props, 'today'>) {
  const { data: sources = [] } = useSources();
  const chip = (name: string, value: string, off: Partial<LeadFilter>) => ({
    name,
    value,
    remove: () => change(off),
  });
  const text = (name: keyof LeadFilter) => filter[name] && textOf(filter[name]);
  const delivery = DELIVERIES.find(([value]) => value === filter.delivery)?.[1] ?? '';
  const days = [filter.from, filter.to].map((day) => day && dayText(day)).join(' – ');
  const isCustom = filter.from !== '' || filter.to !== '';
  return [
    chip('Period', isCustom ? days : text('period'), { period: '', from: '', to: '' }),
    chip('Day', filter.by === NO_FILTER.by ? '' : text('by'), { by: NO_FILTER.by }),
    chip(
      'Source',
      sources.find(({ source_id }) => String(source_id) === filter.source)?.name ?? filter.source,
      {
        source: '',
      },
    ),
    chip('Buyer', filter.buyer_id, { buyer_id: '', order_id: '' }),
    chip('Order', filter.order_id, { order_id: '' }),
    chip('Status', text('status'), { status: '' }),
    chip('Amount from', filter.amount_from && `${filter.amount_from} €`, { amount_from: '' }),
    chip('Amount to', filter.amount_to && `${filter.amount_to} €`, { amount_to: '' }),
    chip('Claim', text('claim'), { claim: '' }),
    chip('Consent', text('consent'), { consent: '' }),
    chip('Delivery', delivery, { delivery: '' }),
    chip('Type', text('lead_type'), { lead_type: '' }),
  ];
}
