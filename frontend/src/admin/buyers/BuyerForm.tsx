import { Button, Fieldset, NativeSelect, Stack, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ALL_CHANNELS } from '#shared/channels/channels';
import { MAX_DECISION_DAYS, NEARLY_FULL_PERCENT, NOTIFICATION_KINDS } from '#shared/rules/constants';
import type { Buyer } from '../data/buyers';
import { useSourceNames } from '../data/sources';
import { useDialogs } from '../dialogs/dialogs';
import { Fold } from '../ui/Fold';
import { hasError } from '../ui/field-errors';
import { fieldsOf } from '../ui/form';
import { percentText } from '../ui/labels';
import { AddressHint } from './AddressHint';
import { BUYER_LABELS, type BuyerValues } from './buyer-values';
import { ChannelConsole } from './ChannelConsole';
import { ChannelSection } from './ChannelSection';
import { FieldPair } from './FieldPair';
import { claimsText, linksText, notificationsText, partnersText, suitableText } from './group-summaries';
import { HoursFields } from './HoursFields';
import { hoursText } from './hours';
import { SourceFields } from './SourceFields';
import { TestLeadButton } from './TestLeadButton';
import { percentOfOthers, type Weights } from './weights';

interface Props {
  readonly form: UseFormReturnType<BuyerValues>;
  readonly weights: Weights;
  /** The stored buyer; undefined for a new one. */
  readonly buyer?: Buyer;
  /** Whether the form differs from it. */
  readonly unsaved?: boolean;
}

/** Help texts below the fields. */
const HINTS: Readonly<Record<string, string>> = {
  buyer_type: 'Prepay buyers get replacements for approved claims.',
  manual_review: 'Leads for this buyer are held as pending leads until an admin assigns them.',
  requires_consent: 'The buyer receives only leads whose person has agreed to be called.',
  max_claim_days: 'Working days after delivery, 1–30',
  min_days_for_ne: '“Not reachable” counts from this working day on, 1–30',
  default_decision:
    'Happens automatically on the day after the deadline. Only for orders created from now on.',
  claim_quota_percent:
    'Percentage of the order’s leads, rounded up. Pending and approved claims count. Only for orders created from now on.',
  auto_decide_claims:
    'Applies to a duplicate of the buyer’s own lead, a dead mailbox or number, and a “not reachable” outside its days. An admin can reverse the decision within a day. If off, the decision is only suggested.',
  link_days: 'Days after a link is created. The buyer can request a new one by e-mail.',
  link_code: 'The code is sent to the buyer’s e-mail address and asked for once per device.',
  decision_days: `After filing, 1–${MAX_DECISION_DAYS}; the buyer sees the day. Only for orders created from now on.`,
  notify_claim_decided: 'Sent through the mail server of the buyer’s template while e-mail is on.',
  notify_order_nearly_full: `Once per order, at ${NEARLY_FULL_PERCENT}% of its limit.`,
  notify_weekly_statement: 'Mondays at 7:00, after a week with leads or claims. Contains a link, no figures.',
};

const CRITERIA = [
  'min_investment',
  'max_investment',
  'min_term',
  'max_term',
  'sources_allowed',
  'sources_excluded',
  'manual_review',
  'requires_consent',
];
const CLAIM_FIELDS = [
  'max_claim_days',
  'min_days_for_ne',
  'decision_days',
  'default_decision',
  'claim_quota_percent',
  'auto_decide_claims',
];

export function BuyerForm({ form, weights, buyer, unsaved = false }: Props) {
  const dialogs = useDialogs();
  const field = fieldsOf(form, BUYER_LABELS, HINTS);
  const { errors } = form;
  const names = useSourceNames();
  const [email, ...partners] = ALL_CHANNELS.map((channel) => ({
    isWrong: hasError(errors, channel.flag, ...channel.fields.map(({ name }) => name)),
    section: (
      <ChannelSection key={channel.id} form={form} channel={channel}>
        {channel.console === true
          ? form.values[channel.flag] && (
              <ChannelConsole form={form} channel={channel} buyerId={buyer?.buyer_id} />
            )
          : buyer?.[channel.flag] && (
              <TestLeadButton buyerId={buyer.buyer_id} channel={channel.id} unsaved={unsaved} />
            )}
      </ChannelSection>
    ),
  }));
  return (
    <>
      <Fieldset legend="Buyer and share">
        {buyer !== undefined && <AddressHint buyer={buyer} />}
        <FieldPair>
          <TextInput {...field('buyer_email')} type="email" required data-autofocus autoComplete="off" />
          <TextInput {...field('buyer_id')} required />
          <TextInput
            {...field('probability')}
            required
            inputMode="decimal"
            description={`0–100. The other active buyers have ${percentText(percentOfOthers(weights))} together.`}
          />
          <NativeSelect
            {...field('buyer_type')}
            required
            data={[
              { value: 'prepay', label: 'Prepay' },
              { value: 'postpay', label: 'Postpay' },
            ]}
          />
          <TextInput
            {...field('price_per_lead')}
            inputMode="decimal"
            placeholder="No price"
            description={buyer ? 'Applies to orders created from now on.' : undefined}
          />
        </FieldPair>
        {percentOfOthers(weights) > 0 && (
          <Button
            mt="xs"
            px={0}
            size="compact-sm"
            variant="transparent"
            onClick={() => dialogs.open('weights', {})}
          >
            Change the other probabilities
          </Button>
        )}
      </Fieldset>

      {email?.section}

      <div>
        <Fold
          title="Partner systems"
          summary={partnersText(form.values)}
          isWrong={hasError(errors, 'on_refusal') || partners.some(({ isWrong }) => isWrong)}
        >
          <Stack>
            {partners.map(({ section }) => section)}
            <NativeSelect
              {...field('on_refusal')}
              description={refusalText(form.values)}
              data={[
                { value: 'keep', label: 'The buyer keeps the lead' },
                { value: 'reassign', label: 'Reassign the lead to the next buyer' },
              ]}
            />
          </Stack>
        </Fold>

        <Fold
          title="Which leads"
          summary={suitableText(form.values, names)}
          isWrong={hasError(errors, ...CRITERIA)}
        >
          <FieldPair>
            <TextInput {...field('min_investment')} inputMode="decimal" placeholder="No minimum" />
            <TextInput {...field('max_investment')} inputMode="decimal" placeholder="No maximum" />
            <TextInput {...field('min_term')} inputMode="numeric" placeholder="No minimum" />
            <TextInput {...field('max_term')} inputMode="numeric" placeholder="No maximum" />
          </FieldPair>
          <SourceFields
            values={form.values}
            onChange={form.setValues}
            error={errors.sources_allowed ?? errors.sources_excluded}
          />
          <Switch {...field('requires_consent', 'checkbox')} mt="md" />
          <Switch {...field('manual_review', 'checkbox')} mt="md" />
        </Fold>

        <Fold title="Hours" summary={hoursText(form.values.schedule)} isWrong={hasError(errors, 'schedule')}>
          <HoursFields form={form} />
        </Fold>

        <Fold title="Claims" summary={claimsText(form.values)} isWrong={hasError(errors, ...CLAIM_FIELDS)}>
          <FieldPair>
            <TextInput {...field('max_claim_days')} required inputMode="numeric" />
            <TextInput {...field('min_days_for_ne')} required inputMode="numeric" />
            <TextInput {...field('decision_days')} inputMode="numeric" placeholder="No deadline" />
            <NativeSelect
              {...field('default_decision')}
              disabled={form.values.decision_days.trim() === ''}
              data={[
                { value: 'none', label: 'Show it as overdue' },
                { value: 'approve', label: 'Approve it' },
                { value: 'reject', label: 'Reject it' },
              ]}
            />
            <TextInput
              {...field('claim_quota_percent')}
              inputMode="numeric"
              placeholder="Any number of claims"
            />
          </FieldPair>
          <Switch {...field('auto_decide_claims', 'checkbox')} mt="md" />
        </Fold>

        <Fold
          title="Links"
          summary={linksText(form.values)}
          isWrong={hasError(errors, 'link_days', 'link_code')}
        >
          <TextInput {...field('link_days')} inputMode="numeric" placeholder="Never" />
          <Switch {...field('link_code', 'checkbox')} mt="md" />
        </Fold>

        <Fold
          title="E-mail notifications"
          summary={notificationsText(form.values)}
          isWrong={hasError(errors, ...NOTIFICATION_KINDS.map((kind) => `notify_${kind}`))}
        >
          <Stack gap="sm">
            {NOTIFICATION_KINDS.map((kind) => (
              <Switch key={kind} {...field(`notify_${kind}`, 'checkbox')} />
            ))}
          </Stack>
        </Fold>
      </div>
    </>
  );
}

function refusalText({ send_email, use_http_api }: BuyerValues): string {
  if (send_email)
    return 'While e-mail is on, the buyer keeps the lead anyway, because an e-mail cannot be recalled.';
  const given =
    'A reassigned lead leaves the order, is not billed and is not offered to this buyer again. The buyer keeps it if an earlier call may have arrived or another channel accepted it.';
  return use_http_api ? `${given} With HTTP, only a “Refused” rule counts as a refusal.` : given;
}
