import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconEraser, IconHandStop } from '@tabler/icons-react';
import { fieldLabel } from '#shared/rules/field-labels';
import { formatDateTime } from '#shared/rules/formats';
import { fileUrl } from '../../app/api';
import { useApiMutation } from '../data/mutation';
import { type StoredPerson, useStoredPerson } from '../data/people';
import { Allowed } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { BuyerLink } from '../ui/BuyerLink';
import { DownloadLink } from '../ui/DownloadLink';
import { countOf } from '../ui/labels';
import { ListSkeleton, QueryResult } from '../ui/states';
import { Tag } from '../ui/Tag';
import { ToolButton } from '../ui/ToolButton';
import { kindText } from './kind-texts';
import { LeadLine } from './LeadLine';
import classes from './people.module.css';

export function StoredPersonView({ leads, back }: { readonly leads: string; readonly back: () => void }) {
  const stored = useStoredPerson(leads);
  return (
    <Stack gap="md">
      <Group>
        <ToolButton icon={IconArrowLeft} onClick={back}>
          Back to the search
        </ToolButton>
      </Group>
      <QueryResult query={stored} skeleton={<ListSkeleton rows={6} cards />} what="Stored data">
        {(person) => <Stored person={person} ids={leads} back={back} />}
      </QueryResult>
    </Stack>
  );
}

function Stored({
  person,
  ids,
  back,
}: {
  readonly person: StoredPerson;
  readonly ids: string;
  readonly back: () => void;
}) {
  const dialogs = useDialogs();
  const begin = useApiMutation('beginErasure');
  const withdrawal = useApiMutation('withdrawConsent');
  const { leads, received, sections, files } = person;
  const buyers = [...new Set(received.map(({ buyer_id }) => buyer_id))];
  const isErased = leads.every(({ erased_at }) => erased_at !== null);

  const exportAs = (format: 'html' | 'json') =>
    fileUrl('exportPerson', { params: { format }, query: { leads: ids } });
  const input = { body: { lead_ids: ids.split(',') } };
  const erase = () =>
    dialogs.ask(
      { title: 'Erase this person', text: CONFIRM.erasePerson(leads.length, buyers), action: 'Erase' },
      () => begin.mutate(input, { onSuccess: back }),
    );

  const withdraw = () =>
    dialogs.ask(
      { title: 'Withdraw consent', text: CONFIRM.withdrawConsent(buyers), action: 'Withdraw' },
      () => withdrawal.mutate(input, { onSuccess: back }),
    );

  return (
    <>
      <section aria-labelledby="person-leads">
        <Title order={2} size="h4" id="person-leads" mb="xs">
          {countOf(leads.length, 'lead')}
        </Title>
        <Stack gap={6}>
          {leads.map((lead) => (
            <Text key={lead.lead_id} component="div">
              <LeadLine lead={lead} />
            </Text>
          ))}
        </Stack>
      </section>
      <section aria-labelledby="person-received">
        <Title order={2} size="h4" id="person-received" mb="xs">
          Received by
        </Title>
        {received.length === 0 ? (
          <Text>No buyer.</Text>
        ) : (
          received.map(({ lead_id, number, buyer_id, delivered_at }) => (
            <Text key={`${lead_id} ${number}`}>
              <BuyerLink buyerId={buyer_id} inSentence />, lead {number},{' '}
              {formatDateTime(new Date(delivered_at))}
            </Text>
          ))
        )}
      </section>
      <Group gap="xs">
        <Allowed to="exportPerson">
          <DownloadLink href={exportAs('html')}>Disclosure as a page</DownloadLink>
          <DownloadLink href={exportAs('json')}>Disclosure as JSON</DownloadLink>
        </Allowed>
        <ToolButton
          needs="withdrawConsent"
          icon={IconHandStop}
          disabled={isErased || withdrawal.isPending}
          onClick={withdraw}
        >
          Withdraw consent
        </ToolButton>
        <Allowed to="beginErasure">
          <Button
            size="xs"
            color="red.9"
            disabled={isErased}
            loading={begin.isPending}
            onClick={erase}
            leftSection={<IconEraser size={16} />}
          >
            Erase this person
          </Button>
        </Allowed>
      </Group>
      {isErased && (
        <Alert variant="light" color="gray">
          This person was erased. The remaining data is not personal.
        </Alert>
      )}
      <Stack gap="xs">
        {sections.map(({ kind, items }) => (
          <details key={kind} className={classes.section}>
            <summary>
              {kindText(kind)} <Tag tone="neutral">{items.length}</Tag>
            </summary>
            {items.map(({ lead_id, fields }) => (
              <dl key={`${lead_id} ${JSON.stringify(fields)}`} className={classes.fields}>
                {fields.map(({ name, value, personal }) => (
                  <div key={name}>
                    <dt>
                      {fieldLabel(name)} {personal && <Tag tone="info">personal</Tag>}
                    </dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            ))}
          </details>
        ))}
      </Stack>
      <Text c="dimmed">
        {files === 0
          ? 'No export files are stored.'
          : `${countOf(files, 'export file')} ${files === 1 ? 'is' : 'are'} kept for a day and may contain this person. Erasing removes them.`}
      </Text>
    </>
  );
}
