import { Button, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { formatDateTime } from '#shared/rules/formats';
import { useApiMutation } from '../../data/mutation';
import { useWebhookCalls, type Webhook, type WebhookCall } from '../../data/webhooks';
import { CallbackOutcome } from '../../lead/CallbackHistory';
import { DeliveryBadge } from '../../ui/badges';
import { actionsColumn, type Column, column, DataTable } from '../../ui/DataTable';
import { LoadMoreButton } from '../../ui/LoadMoreButton';
import { NameText } from '../../ui/NameText';
import { SmallText } from '../../ui/SmallText';
import { EmptyState, ListSkeleton, QueryResult } from '../../ui/states';
import { TextLink } from '../../ui/TextLink';
import { TruncatedText } from '../../ui/TruncatedText';
import { WEBHOOK_EVENT_TEXTS } from './webhook-form';

interface Props {
  readonly webhook: Webhook;
  readonly leave: () => void;
}

/** The calls of a webhook in the last thirty days, newest first. */
export function WebhookLog({ webhook: { webhook_id, name }, leave }: Props) {
  const log = useWebhookCalls(webhook_id);
  const columns = useMemo(
    () => [
      subjectColumn(leave),
      ...COLUMNS,
      actionsColumn<WebhookCall>(120, (call) => <ResendButton webhookId={webhook_id} call={call} />),
    ],
    [leave, webhook_id],
  );
  return (
    <QueryResult query={log} skeleton={<ListSkeleton rows={4} cards />} what="The calls">
      {({ pages }) => {
        const rows = pages.flatMap(({ calls }) => calls);
        if (rows.length === 0)
          return (
            <EmptyState
              title="No calls yet"
              hint="Calls are listed here for 30 days. They start with the next event that the webhook asks for."
            />
          );
        return (
          <Stack gap="sm">
            <DataTable
              label={`Calls of ${name}`}
              columns={columns}
              rows={rows}
              rowKey={({ event_id }) => event_id}
              maxHeight="60vh"
              cards
            />
            <LoadMoreButton query={log} />
          </Stack>
        );
      }}
    </QueryResult>
  );
}

const subjectOf = ({ lead_id, order_id }: WebhookCall) => lead_id ?? `Order ${order_id}`;

const subjectColumn = (leave: () => void): Column<WebhookCall> =>
  column('About', 120, (call) =>
    call.lead_id === null ? (
      subjectOf(call)
    ) : (
      <TextLink to={`/dashboard/leads/${call.lead_id}`} onClick={leave}>
        <NameText text={call.lead_id} />
      </TextLink>
    ),
  );

/** With subject and actions at most 700 pixels, the width of the dialog. */
const COLUMNS: readonly Column<WebhookCall>[] = [
  column('Event', 130, ({ event, occurred_at }) => (
    <div>
      <TruncatedText text={WEBHOOK_EVENT_TEXTS[event]} />
      <SmallText>{formatDateTime(new Date(occurred_at))}</SmallText>
    </div>
  )),
  column('Status', 95, ({ status }) => <DeliveryBadge status={status} />),
  column('Outcome', 200, (call) => <CallbackOutcome callback={call} />, { grows: true }),
];

function ResendButton({ webhookId, call }: { readonly webhookId: number; readonly call: WebhookCall }) {
  const resend = useApiMutation('resendWebhookCall');
  const { event_id: eventId, event, status } = call;
  if (status === 'pending') return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={resend.isPending}
      aria-label={`Resend ${WEBHOOK_EVENT_TEXTS[event]} of ${subjectOf(call)}`}
      onClick={() => resend.mutate({ params: { webhookId, eventId } })}
    >
      Resend
    </Button>
  );
}
