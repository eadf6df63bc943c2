import { Alert, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import type { Renewal } from '#shared/rules/constants';
import { formatEuro, formatEuroShort, formatNumber } from '#shared/rules/formats';
import { DeliveryProblemAlert } from '../buyers/DeliveryProblem';
import { percentOfOthers, weightsOf } from '../buyers/weights';
import { type Buyer, buyersQuery, isActiveBuyer, loadBuyers, useBalance, useBuyers } from '../data/buyers';
import { useCreatedOnce } from '../data/created-once';
import { useDashboardStats } from '../data/insights';
import { useApiMutation } from '../data/mutation';
import { type OrderPreview, useOrderPreview } from '../data/orders';
import { type DialogInput, useDialogs } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { errorText } from '../notifications';
import { Fold } from '../ui/Fold';
import { FormModal } from '../ui/FormModal';
import { showFieldErrors } from '../ui/form';
import { countOf, percentText } from '../ui/labels';
import { ToolButton } from '../ui/ToolButton';
import { CapFields } from './CapFields';
import { type CapValues, capErrors, capsOf, isCount, NO_CAP_VALUES } from './caps';
import { RENEWAL, renewalChoices } from './renewal-texts';
import { useDeleteOrder } from './use-delete-order';

/** Small enough to try the delivery with; the limit can be raised at any time. */
const DEFAULT_LEAD_LIMIT = '10';
const NO_RENEWAL: Renewal = 'none';

export function CreateOrderDialog({ buyerId = '', close }: DialogInput<'create-order'>) {
  const buyers = useBuyers();
  const { data: stats } = useDashboardStats();
  const dialogs = useDialogs();
  const form = useForm({
    initialValues: {
      buyer_id: buyerId,
      lead_limit: DEFAULT_LEAD_LIMIT,
      renewal: NO_RENEWAL,
      use_balance: false,
      balance_amount: '',
      ...NO_CAP_VALUES,
    },
    validate: (values) => validate(values, balance.data ?? 0),
  });
  const { values } = form;
  const stored = { queryKey: buyersQuery.queryKey, queryFn: loadBuyers };
  const around = useCreatedOnce(
    'createOrder',
    stored,
    (rows) => rows.find(({ buyer_id }) => buyer_id === values.buyer_id)?.order_id,
  );
  const create = useApiMutation('createOrder', { around });
  const balance = useBalance(values.buyer_id);
  const owed = balance.data ?? 0;
  const buyer = buyers.data?.find((row) => row.buyer_id === values.buyer_id);
  const [asked] = useDebouncedValue(
    buyer?.order_status === 'Active' ? undefined : askable(values, owed),
    200,
  );
  const preview = useOrderPreview(asked);
  const renewals = renewalChoices(buyer?.buyer_type === 'prepay');

  const save = () =>
    create.mutate(
      {
        body: {
          ...values,
          ...capsOf(values),
          balance_amount: values.use_balance ? values.balance_amount : 0,
        },
      },
      {
        onSuccess: ({ order, excel_link }) => {
          close();
          dialogs.open('new-link', {
            buyerId: order.buyer_id,
            link: excel_link,
            created: {
              orderId: order.order_id,
              isFirst: order.buyer_order_number === 1,
              limit: order.lead_limit,
              waiting: stats?.ineligible_leads_count,
              expected:
                preview.data && !preview.data.more && !preview.isPlaceholderData
                  ? takenOf(preview.data)
                  : undefined,
            },
          });
        },
        onError: (error) => showFieldErrors(form, error),
      },
    );

  return (
    <FormModal
      title="Create New Order"
      close={close}
      form={form}
      submit={save}
      write={create}
      action="Create Order"
      blocked={buyer?.order_status === 'Active'}
      sticky
    >
      <NativeSelect
        label="Buyer"
        required
        data-autofocus
        error={buyers.error ? errorText(buyers.error) : undefined}
        data={[
          { value: '', label: '-- Select a buyer --' },
          ...(buyers.data ?? [])
            .filter((row) => !row.deleted)
            .map((row) => ({
              value: row.buyer_id,
              label: `${row.buyer_id} - ${row.buyer_email}${row.order_status === 'Active' ? ' (has an open order)' : ''}`,
            })),
        ]}
        {...form.getInputProps('buyer_id')}
      />
      {buyers.data?.every((row) => row.deleted) && (
        <Alert color="yellow" title="No buyer yet">
          <ToolButton onClick={() => dialogs.open('add-buyer', {})}>Add the first buyer</ToolButton>
        </Alert>
      )}
      {buyer && (
        <Text c="dimmed">
          Probability {percentText(buyer.probability)} ·{' '}
          {buyer.price_per_lead === null
            ? 'no price per lead'
            : `${formatEuroShort(buyer.price_per_lead)} per lead`}{' '}
          · claims within {countOf(buyer.max_claim_days, 'working day')}
        </Text>
      )}
      {buyer && <DeliveryProblemAlert buyer={buyer} />}
      {buyer?.order_status === 'Active' && buyer.order_id !== null && (
        <OpenOrder buyer={buyer} orderId={buyer.order_id} />
      )}
      {buyer && <WeightProblem buyers={buyers.data ?? []} buyer={buyer} />}
      <TextInput
        label="Lead limit"
        required
        inputMode="numeric"
        description="Original leads; replacements come on top."
        {...form.getInputProps('lead_limit')}
      />
      {owed > 0 && (
        <>
          <Checkbox
            label={`Use balance (${formatNumber(owed)} available)`}
            description="Replacements owed to the buyer that belong to no order yet."
            {...form.getInputProps('use_balance', { type: 'checkbox' })}
            onChange={(event) =>
              form.setValues({
                use_balance: event.currentTarget.checked,
                balance_amount: event.currentTarget.checked ? String(owed) : '',
              })
            }
          />
          {values.use_balance && (
            <TextInput
              label="Balance amount"
              required
              inputMode="numeric"
              {...form.getInputProps('balance_amount')}
            />
          )}
        </>
      )}
      <div>
        <Fold title={RENEWAL} summary={renewals.find(({ value }) => value === values.renewal)?.label}>
          <NativeSelect aria-label={RENEWAL} data={renewals} {...form.getInputProps('renewal')} />
        </Fold>
        <CapFields values={values} errors={form.errors} change={(caps) => form.setValues(caps)} />
      </div>
      {asked && <Backlog preview={preview} />}
    </FormModal>
  );
}

/** A buyer has one open order at a time. */
function OpenOrder({ buyer, orderId }: { buyer: Buyer; orderId: number }) {
  const dialogs = useDialogs();
  const remove = useDeleteOrder();
  const { buyer_id: buyerId } = buyer;
  return (
    <Alert color="yellow" title={`This buyer has an open order (order ID ${orderId})`}>
      <Group gap="xs">
        <ToolButton onClick={() => dialogs.open('order-limit', { buyerId, order: buyer })}>
          Change limit
        </ToolButton>
        <ToolButton loading={remove.isPending} onClick={() => remove.ask(buyerId, orderId)}>
          Delete order
        </ToolButton>
      </Group>
    </Alert>
  );
}

/** Warns that the weights leave the buyer no share, before the order stays empty or is refused. */
function WeightProblem({ buyers, buyer }: { buyers: readonly Buyer[]; buyer: Buyer }) {
  const dialogs = useDialogs();
  const others = percentOfOthers(weightsOf(buyers.filter(isActiveBuyer), buyer));
  const sum = Math.round((others + buyer.probability) * 100) / 100;
  const isExceeded = !isActiveBuyer(buyer) && sum > 100;
  if (buyer.probability > 0 && !isExceeded) return null;
  return (
    <Alert color="yellow" title={isExceeded ? 'The probabilities exceed 100%' : 'The probability is 0%'}>
      <Stack gap="xs" align="flex-start">
        <Text>
          {isExceeded
            ? `The active buyers have ${percentText(others)} together. With the ${percentText(buyer.probability)} of ${buyer.buyer_id} that is ${percentText(sum)}, so the order would be refused.`
            : `${buyer.buyer_id} gets no leads until you raise the probability, except those that an admin assigns.`}
        </Text>
        <ToolButton onClick={() => dialogs.open('weights', { including: buyer.buyer_id })}>
          Edit probabilities
        </ToolButton>
      </Stack>
    </Alert>
  );
}

function Backlog({ preview }: { preview: ReturnType<typeof useOrderPreview> }) {
  return (
    <Text role="status" c={preview.error ? 'var(--mantine-color-error)' : 'dimmed'}>
      {preview.error
        ? errorText(preview.error)
        : preview.data
          ? takesText(preview.data)
          : 'Counting pending leads…'}
    </Text>
  );
}

const takenOf = ({ original_leads, replacement_leads }: OrderPreview) => original_leads + replacement_leads;

/** How many pending leads the order receives, in one or two sentences. */
function takesText(preview: OrderPreview): string {
  const { replacement_leads, review_leads, revenue, more } = preview;
  const leads = takenOf(preview);
  const reviewed = review_leads > 0 ? ` ${countOf(review_leads, 'pending lead')} will need your review.` : '';
  if (leads === 0) return reviewed.trim() || 'No pending lead matches this order.';
  const money = revenue === null ? 'no price per lead' : formatEuro(revenue);
  const replacing =
    replacement_leads > 0 ? `, ${formatNumber(replacement_leads)} of them as replacements` : '';
  return `Takes ${more ? 'at least ' : ''}${countOf(leads, 'pending lead')} at once: ${money}${replacing}.${reviewed}`;
}

/** The input of the server's preview; undefined while the form is incomplete. */
function askable(values: Values, owed: number) {
  if (Object.keys(validate(values, owed)).length > 0) return undefined;
  return {
    buyer_id: values.buyer_id,
    lead_limit: values.lead_limit,
    daily_cap: values.daily_cap.trim(),
    weekly_cap: values.weekly_cap.trim(),
    ends_on: values.ends_on,
    balance_amount: values.use_balance ? values.balance_amount : 0,
  };
}

interface Values extends CapValues {
  readonly buyer_id: string;
  readonly lead_limit: string;
  readonly use_balance: boolean;
  readonly balance_amount: string;
}

function validate(values: Values, owed: number) {
  const errors: Partial<Record<keyof Values, string>> = {};
  if (values.buyer_id === '') errors.buyer_id = INVALID.buyer;
  if (!isCount(values.lead_limit)) errors.lead_limit = INVALID.limitMinimum;
  if (values.use_balance && !(isCount(values.balance_amount) && Number(values.balance_amount) <= owed))
    errors.balance_amount = INVALID.balance(owed);
  return { ...errors, ...capErrors(values) };
}
