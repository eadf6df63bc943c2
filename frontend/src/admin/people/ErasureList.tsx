import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCertificate } from '@tabler/icons-react';
import { formatDateTime } from '#shared/rules/formats';
import { fileUrl } from '../../app/api';
import { useApiMutation } from '../data/mutation';
import { type Erasure, type ErasureRecipient, useErasures } from '../data/people';
import { Allowed } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { DownloadLink } from '../ui/DownloadLink';
import { LoadMoreButton } from '../ui/LoadMoreButton';
import { countOf } from '../ui/labels';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';
import { Tag, type Tone } from '../ui/Tag';
import classes from './people.module.css';

type Stages = Record<Erasure['stage'], { readonly tone: Tone; readonly text: string }>;

const STAGES = {
  erasure: {
    erasing: { tone: 'wait', text: 'Erasing' },
    checking: { tone: 'wait', text: 'Erased, verification pending' },
    done: { tone: 'good', text: 'Erased and verified' },
  },
  withdrawal: {
    erasing: { tone: 'wait', text: 'Withdrawing consent' },
    checking: { tone: 'wait', text: 'Consent withdrawn, verification pending' },
    done: { tone: 'good', text: 'Consent withdrawn' },
  },
} as const satisfies Record<Erasure['purpose'], Stages>;

const WAYS = { admin: '', link: ' the person’s link', source: ' the source’s key' } as const;

/** Erasures and withdrawals of consent, and the buyers that have not confirmed them. */
export function ErasureList() {
  const erasures = useErasures();
  return (
    <QueryResult query={erasures} skeleton={<ListSkeleton rows={3} cards />} what="The erasures">
      {({ pages }) => {
        const all = pages.flatMap((page) => page.erasures);
        if (all.length === 0)
          return (
            <EmptyState
              title="No erasures yet"
              hint="People whose data you erase, or who withdraw their consent, appear here."
            />
          );
        return (
          <Stack gap="sm">
            {all.map((erasure) => (
              <ErasureCard key={erasure.erasure_id} erasure={erasure} />
            ))}
            <LoadMoreButton query={erasures} />
          </Stack>
        );
      }}
    </QueryResult>
  );
}

function ErasureCard({ erasure }: { readonly erasure: Erasure }) {
  const { erasure_id: erasureId, purpose, way, stage, begun_at, begun_by, lead_ids, recipients } = erasure;
  const begun = formatDateTime(new Date(begun_at));
  const { tone, text } = STAGES[purpose][stage];
  return (
    <article
      className={classes.person}
      aria-label={`${purpose === 'erasure' ? 'Erasure' : 'Withdrawal'} of ${begun}`}
    >
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Tag tone={tone}>{text}</Tag>
          <Text>
            {begun} by{WAYS[way ?? 'admin'] || ` ${begun_by}`}, {countOf(lead_ids.length, 'lead')}
          </Text>
        </Group>
        <Allowed to="exportErasure">
          <DownloadLink icon={IconCertificate} href={fileUrl('exportErasure', { params: { erasureId } })}>
            Certificate
          </DownloadLink>
        </Allowed>
      </Group>
      {recipients.map((recipient) => (
        <RecipientLine key={recipient.buyer} erasure={erasure} recipient={recipient} />
      ))}
    </article>
  );
}

const DAY_MS = 86_400_000;

function RecipientLine({
  erasure: { erasure_id: erasureId, purpose, begun_at: begunAt },
  recipient,
}: {
  readonly erasure: Erasure;
  readonly recipient: ErasureRecipient;
}) {
  const dialogs = useDialogs();
  const { buyer, buyer_id, leads, by_hand, confirmed_at, confirmed_by } = recipient;
  const remind = useApiMutation('remindOfErasure');
  const confirm = useApiMutation('confirmErasureForBuyer');
  const params = { erasureId, buyer };

  const record = () =>
    dialogs.ask(
      { title: 'Record a confirmation', text: CONFIRM.confirmErasure(buyer_id, purpose), action: 'Record' },
      () => confirm.mutate({ params }),
    );

  return (
    <Group justify="space-between" gap="xs" mt="xs">
      <Text>
        <strong>{buyer_id}</strong> ({leads.map(({ number }) => number).join(', ')}):{' '}
        {stateOf(recipient, begunAt)}
      </Text>
      {confirmed_at === null ? (
        <Allowed to="remindOfErasure">
          <Group gap="xs">
            {!by_hand && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Remind ${buyer_id}`}
                loading={remind.isPending}
                onClick={() => remind.mutate({ params })}
              >
                Remind
              </Button>
            )}
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Record confirmation of ${buyer_id}`}
              loading={confirm.isPending}
              onClick={record}
            >
              Record confirmation
            </Button>
          </Group>
        </Allowed>
      ) : (
        <Tag tone="good">{confirmed_by === 'link' ? 'by link' : `recorded by ${confirmed_by ?? ''}`}</Tag>
      )}
    </Group>
  );
}

function stateOf(
  { confirmed_at, by_hand, notified_at, email_count }: ErasureRecipient,
  begunAt: string,
): string {
  if (confirmed_at !== null) return `confirmed ${formatDateTime(new Date(confirmed_at))}`;
  // The browser's clock may be behind.
  const days = Math.max(0, Math.floor((Date.now() - Date.parse(begunAt)) / DAY_MS));
  const age = `open for ${countOf(days, 'day')}`;
  if (by_hand) return `notify by hand, ${age}`;
  if (notified_at === null) return `${email_count === 0 ? 'not notified yet' : 'e-mail sending'}, ${age}`;
  return `${countOf(email_count, 'e-mail')}, the last ${formatDateTime(new Date(notified_at))}, ${age}`;
}
