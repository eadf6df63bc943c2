import '@mantine/core/styles/Table.css';
import { Group, Stack, Table, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { formatNumber } from '#shared/rules/formats';
import { type SourceStats, useSourceStats } from '../data/insights';
import { type Column, DataTable, figureColumn } from '../ui/DataTable';
import { dayText, percentText } from '../ui/labels';
import { NameText } from '../ui/NameText';
import { nameColumn } from '../ui/name-column';
import { daysOfPeriod, Period, periodQuery } from '../ui/Period';
import { ScrollBox } from '../ui/ScrollBox';
import { SmallText } from '../ui/SmallText';
import { ListSkeleton, QueryResult } from '../ui/states';
import { Tag, type Tone } from '../ui/Tag';
import { useUrlState } from '../ui/url-state';
import { Margins } from './Margins';

const DEFAULTS = { days: '30', from: '', to: '' };

/** Leads of each source in a period, their outcomes, and how often each buyer claimed them. */
export function SourceFigures() {
  const [period, change] = useUrlState(DEFAULTS);
  const stats = useSourceStats(periodQuery(period));
  // Before the answer arrives, the text has its length already.
  const [first, last] = daysOfPeriod(period);
  const { from, to } = stats.data ?? { from: first, to: last };
  return (
    <section aria-labelledby="figures-title">
      <Group justify="space-between" align="flex-end" gap="sm" mb="sm">
        <div>
          <Title order={2} size="h4" id="figures-title">
            Figures
          </Title>
          <Text c="dimmed">
            Of the leads that arrived from {dayText(from)} to {dayText(to)}
          </Text>
        </div>
        <Group gap="sm">
          <Period value={period} change={change} />
        </Group>
      </Group>
      <QueryResult query={stats} skeleton={<ListSkeleton cards />} what="The figures">
        {({ sources }) => (
          <Stack gap="lg">
            <DataTable
              label="Figures of sources"
              columns={COLUMNS}
              rows={sources}
              rowKey={({ source_id }) => source_id}
              dense
              cards
            />
            <Margins sources={sources} />
            <ClaimRates sources={sources} />
          </Stack>
        )}
      </QueryResult>
    </section>
  );
}

const figure = (key: 'accepted' | 'duplicate' | 'invalid' | 'assigned' | 'waiting', title: string) =>
  figureColumn(key, title, 76, formatNumber);

const COLUMNS: readonly Column<SourceStats>[] = [
  nameColumn('Source', 110, ({ name }) => name),
  figure('accepted', 'Accepted'),
  figure('duplicate', 'Refused'),
  figure('invalid', 'Invalid'),
  figure('assigned', 'Assigned'),
  figure('waiting', 'Waiting'),
  figureColumn('claimed', 'Claimed', 76, formatNumber),
  figureColumn('approved', 'Approved', 76, formatNumber),
  figureColumn('reached', 'Reached', 76, formatNumber),
  figureColumn('not_reached', 'Not reached', 90, formatNumber),
  figureColumn('closed', 'Closed', 76, formatNumber),
];

/** A rate of fewer leads means nothing. */
const MIN_LEADS = 10;
const LOW_PERCENT = 5;
const HIGH_PERCENT = 15;

/** Claim rates by source and buyer. */
function ClaimRates({ sources }: { readonly sources: readonly SourceStats[] }) {
  const rows = useMemo(() => sources.filter(({ buyers }) => buyers.length > 0), [sources]);
  const buyers = useMemo(
    () => [...new Set(rows.flatMap((row) => row.buyers.map(({ buyer_id }) => buyer_id)))].sort(),
    [rows],
  );
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="claim-rates-title">
      <Title order={2} size="h4" id="claim-rates-title">
        Claim Rates
      </Title>
      <Text c="dimmed" mb="sm">
        Share of claimed leads by source and buyer. <Tag tone="good">under {LOW_PERCENT}%</Tag>{' '}
        <Tag tone="wait">under {HIGH_PERCENT}%</Tag> <Tag tone="bad">{HIGH_PERCENT}% and more</Tag>{' '}
        <Tag tone="neutral">fewer than {MIN_LEADS} leads</Tag>
      </Text>
      <ScrollBox label="Claim rates of sources and buyers">
        <Table verticalSpacing={6} horizontalSpacing="sm" aria-label="Claim rates" w="max-content" miw="100%">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Source</Table.Th>
              <Table.Th>All buyers</Table.Th>
              {buyers.map((buyer) => (
                <Table.Th key={buyer} maw={160}>
                  <NameText text={buyer} />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.source_id} h={44}>
                <Table.Th scope="row" maw={200}>
                  <NameText text={row.name} />
                </Table.Th>
                <Table.Td>
                  <Rate of={row} />
                </Table.Td>
                {buyers.map((buyer) => (
                  <Table.Td key={buyer}>
                    <Rate of={row.buyers.find(({ buyer_id }) => buyer_id === buyer)} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </section>
  );
}

type Claimed = Pick<SourceStats, 'assigned' | 'claimed' | 'claim_rate'>;

/** `12,5% 3 of 24`. The colour repeats the figures. */
function Rate({ of }: { readonly of: Claimed | undefined }) {
  if (of === undefined || of.claim_rate === null) return <Text>–</Text>;
  return (
    <Group gap={6} wrap="nowrap">
      <Tag tone={toneOf(of)}>{percentText(of.claim_rate)}</Tag>
      <SmallText style={{ whiteSpace: 'nowrap' }}>
        {formatNumber(of.claimed)} of {formatNumber(of.assigned)}
      </SmallText>
    </Group>
  );
}

function toneOf({ assigned, claim_rate: rate }: Claimed): Tone {
  if (assigned < MIN_LEADS || rate === null) return 'neutral';
  if (rate < LOW_PERCENT) return 'good';
  return rate < HIGH_PERCENT ? 'wait' : 'bad';
}
