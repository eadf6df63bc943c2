import { Button, Group, Stack, Text } from '@mantine/core';
import { CHANNEL_NAMES } from '#shared/channels/names';
import { formatDateTime } from '#shared/rules/formats';
import { type Delivery } from '../data/deliveries';
import { useApiMutation } from '../data/mutation';
import { useMay } from '../data/rights';
import { DeliveryBadge } from '../ui/badges';
import { countOf } from '../ui/labels';
import classes from './DeliveryHistory.module.css';
import { deliveryFacts } from './partner-reason';

/** How the lead was sent, by channel, with every attempt. */
export function DeliveryHistory({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <Stack gap="md">
      {deliveries.map((delivery) => (
        <DeliveryItem key={delivery.channel} delivery={delivery} />
      ))}
    </Stack>
  );
}

function DeliveryItem({ delivery }: { delivery: Delivery }) {
  return (
    <div>
      <Group gap="sm">
        <Text fw={600}>{CHANNEL_NAMES[delivery.channel].label}</Text>
        <DeliveryBadge status={delivery.status} />
        <ResendButton delivery={delivery} />
      </Group>
      {deliveryFacts(delivery).map((fact) => (
        <Text key={fact}>{fact}</Text>
      ))}
      <AttemptList delivery={delivery} />
    </div>
  );
}

const OUTCOME_TEXT = {
  delivered: 'delivered',
  transient: 'failed, will be retried',
  permanent: 'refused',
  unknown: 'no clear answer',
  skipped: 'not needed',
} as const satisfies Record<Delivery['attempts'][number]['outcome'], string>;

/** Every attempt with its request and answer. */
export function AttemptList({ delivery }: { delivery: Pick<Delivery, 'attempts'> }) {
  if (delivery.attempts.length === 0) return null;
  return (
    <details>
      <summary>{countOf(delivery.attempts.length, 'attempt')}</summary>
      {delivery.attempts.map((attempt) => (
        <div key={attempt.at} className={classes.attempt}>
          <strong>{formatDateTime(new Date(attempt.at))}</strong>: {OUTCOME_TEXT[attempt.outcome]}
          {attempt.status_code !== null && `, status ${attempt.status_code}`}, {attempt.duration_ms} ms
          {attempt.request !== null && <pre>{`Sent: ${attempt.request}`}</pre>}
          {attempt.answer !== null && <pre>{`Answer: ${attempt.answer}`}</pre>}
        </div>
      ))}
    </details>
  );
}

export function ResendButton({ delivery }: { delivery: Delivery }) {
  const may = useMay();
  const resend = useApiMutation('resendDelivery');
  if (delivery.reassigned_at !== null || !may('resendDelivery')) return null;
  if (delivery.status !== 'failed' && delivery.status !== 'retrying') return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={resend.isPending}
      aria-label={`Resend lead ${delivery.display_id} by ${CHANNEL_NAMES[delivery.channel].label}`}
      onClick={() => resend.mutate({ params: { leadId: delivery.lead_id, channel: delivery.channel } })}
    >
      Resend
    </Button>
  );
}
