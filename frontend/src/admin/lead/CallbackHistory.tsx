import { Button, Group, Stack, Text } from '@mantine/core';
import { type Callback } from '../data/callbacks';
import { useApiMutation } from '../data/mutation';
import { useMay } from '../data/rights';
import { DeliveryBadge } from '../ui/badges';
import { TruncatedText } from '../ui/TruncatedText';
import { ENDPOINT_TEXTS, eventText } from './callback-texts';
import { AttemptList } from './DeliveryHistory';
import { failureLine, nextAttemptText } from './partner-reason';

/** The callbacks to the source of a lead, with every attempt. */
export function CallbackHistory({ callbacks }: { readonly callbacks: readonly Callback[] }) {
  return (
    <Stack gap="md">
      {callbacks
        .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))
        .map((callback) => (
          <div key={callback.callback_id}>
            <Group gap="sm">
              <Text fw={600}>
                {eventText(callback)}, by {ENDPOINT_TEXTS[callback.endpoint].toLowerCase()}
              </Text>
              <DeliveryBadge status={callback.status} />
              <ResendCallbackButton callback={callback} />
            </Group>
            <CallbackOutcome callback={callback} />
          </div>
        ))}
    </Stack>
  );
}

type Outcome = Pick<Callback, 'error' | 'status' | 'attempts' | 'next_attempt_at'>;

/** Failure, next attempt and attempts. */
export function CallbackOutcome({ callback }: { readonly callback: Outcome }) {
  const facts = [failureLine(callback), nextAttemptText(callback.next_attempt_at)];
  return (
    <>
      <TruncatedText text={facts.filter((fact) => fact !== null).join(' · ')} />
      <AttemptList delivery={callback} />
    </>
  );
}

export function ResendCallbackButton({ callback }: { readonly callback: Callback }) {
  const may = useMay();
  const resend = useApiMutation('resendCallback');
  const { lead_id, callback_id, endpoint, status } = callback;
  if (status === 'pending' || !may('resendCallback')) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={resend.isPending}
      aria-label={`Resend ${eventText(callback)} of lead ${callback.external_id ?? lead_id} by ${ENDPOINT_TEXTS[endpoint]}`}
      onClick={() => resend.mutate({ params: { leadId: lead_id, callbackId: callback_id } })}
    >
      Resend
    </Button>
  );
}
