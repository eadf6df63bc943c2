import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CONSENT_METHOD_LABELS, channelsText } from '#shared/rules/consent';
import { MAX_OPENING_REASON, MIN_OPENING_REASON } from '#shared/rules/constants';
import { formatDate, formatDateTime } from '#shared/rules/formats';
import { useApiMutation } from '../data/mutation';
import type { KeptProof } from '../data/people';
import type { DialogInput } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { type DescriptionItem, DescriptionList } from '../ui/DescriptionList';
import { focusFirstError } from '../ui/form';

/** Opens the kept proof of an erased lead, for a reason that goes into the audit trail. */
export function KeptConsentDialog({ leadId, until, close }: DialogInput<'kept-consent'>) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const open = useApiMutation('openKeptConsent');
  const show = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim().length >= MIN_OPENING_REASON)
      return open.mutate({ params: { leadId }, body: { reason: reason.trim().replace(/\s+/g, ' ') } });
    setError(`Enter at least ${MIN_OPENING_REASON} characters`);
    focusFirstError();
  };
  return (
    <AppModal title="Proof of consent" close={close} size="lg">
      {open.data ? (
        <Stack>
          <DescriptionList facts={factsOf(open.data.proof)} />
          <Group justify="flex-end">
            <Button
              component="a"
              variant="default"
              href={`data:application/json;charset=utf-8,${encodeURIComponent(open.data.file)}`}
              download={`consent ${leadId}.json`}
            >
              Download
            </Button>
            <Button onClick={close}>Close</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={show} noValidate>
          <Stack>
            <Text>
              The person was erased. The proof is kept until {formatDate(new Date(until))}; opening it does
              not prolong that. Your name and the reason are recorded in the audit trail.
            </Text>
            <Textarea
              label="Reason"
              description="Without data about the person, for example the authority and its file number"
              required
              data-autofocus
              maxLength={MAX_OPENING_REASON}
              value={reason}
              error={error}
              onChange={(event) => {
                setReason(event.currentTarget.value);
                setError(undefined);
              }}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={open.isPending}>
                Show proof
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </AppModal>
  );
}

const at = (instant: string | null | undefined) => (instant ? formatDateTime(new Date(instant)) : '–');

function factsOf({ person, consent, received, ...proof }: KeptProof): DescriptionItem[] {
  return [
    ['Person', `${person.vorname} ${person.nachname}`.trim()],
    ['Phone', person.telefon],
    ['E-mail', person.email],
    ['Given', at(consent.given_at)],
    ['Method', CONSENT_METHOD_LABELS[consent.method].en],
    ['Channels', channelsText(consent.channels, 'en')],
    ['Wording', consent.text],
    ['Page', consent.page_url ?? '–'],
    ['IP address', consent.ip ?? '–'],
    ['Browser', consent.user_agent ?? '–'],
    ['Confirmed', at(consent.confirmed_at)],
    ['Proof at the source', consent.proof_url ?? '–'],
    ['Recorded', at(proof.recorded_at)],
    ['Withdrawn', at(proof.withdrawn_at)],
    [
      'Received by',
      received.map((one) => `${one.buyer_id}, lead ${one.number}, ${at(one.delivered_at)}`).join('; '),
    ],
  ];
}
