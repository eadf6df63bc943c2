import '@mantine/core/styles/Table.css';
import { Group, Table, Text, Title, UnstyledButton } from '@mantine/core';
import { useMemo } from 'react';
import { formatNumber } from '#shared/rules/formats';
import { type Buyer, useBuyers } from '../data/buyers';
import type { SourceStats } from '../data/insights';
import { useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { percentText } from '../ui/labels';
import { NameText } from '../ui/NameText';
import { ScrollBox } from '../ui/ScrollBox';
import { SmallText } from '../ui/SmallText';
import { Tag, type Tone } from '../ui/Tag';
import { takesSource } from './exclusion';
import classes from './sources.module.css';

/** A rate of fewer leads means nothing. */
const MIN_LEADS = 10;
const LOW_PERCENT = 5;
const HIGH_PERCENT = 15;

/** Claim rates by source and buyer. Each proposes to exclude the source for the buyer. */
export function ClaimRates({ sources }: { readonly sources: readonly SourceStats[] }) {
  const rows = useMemo(() => sources.filter(({ buyers }) => buyers.length > 0), [sources]);
  const buyers = useMemo(
    () => [...new Set(rows.flatMap((row) => row.buyers.map(({ buyer_id }) => buyer_id)))].sort(),
    [rows],
  );
  const may = useMay();
  const { data: known = [] } = useBuyers();
  const byId = useMemo(
    () => new Map(known.flatMap((buyer) => (buyer.deleted ? [] : [[buyer.buyer_id, buyer]]))),
    [known],
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
        {may('updateBuyer') &&
          ' Select a rate to see what changes if the buyer no longer gets leads from the source.'}
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
                    <RateOfBuyer source={row} id={buyer} buyer={byId.get(buyer)} />
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

interface RateProps {
  readonly source: SourceStats;
  readonly id: string;
  /** Undefined once it is deleted. */
  readonly buyer: Buyer | undefined;
}

function RateOfBuyer({ source, id, buyer }: RateProps) {
  const dialogs = useDialogs();
  const may = useMay();
  const claimed = source.buyers.find(({ buyer_id }) => buyer_id === id);
  const rate = <Rate of={claimed} />;
  if (buyer === undefined || claimed === undefined || claimed.claim_rate === null) return rate;
  if (!takesSource(buyer, source.source_id))
    return (
      <>
        {rate}
        <SmallText>excluded</SmallText>
      </>
    );
  if (!may('updateBuyer')) return rate;
  return (
    <UnstyledButton
      className={classes.rate}
      aria-label={`${percentText(claimed.claim_rate)} ${countText(claimed)}: exclude ${source.name} for ${id}`}
      onClick={() => dialogs.open('exclude-source', { source, buyerId: id })}
    >
      {rate}
    </UnstyledButton>
  );
}

type Claimed = Pick<SourceStats, 'assigned' | 'claimed' | 'claim_rate'>;

/** `12,5% 3 of 24`. The colour repeats the figures. */
function Rate({ of }: { readonly of: Claimed | undefined }) {
  if (of === undefined || of.claim_rate === null) return <Text>–</Text>;
  return (
    <Group gap={6} wrap="nowrap">
      <Tag tone={toneOf(of)}>{percentText(of.claim_rate)}</Tag>
      <SmallText style={{ whiteSpace: 'nowrap' }}>{countText(of)}</SmallText>
    </Group>
  );
}

const countText = ({ claimed, assigned }: Claimed) => `${formatNumber(claimed)} of ${formatNumber(assigned)}`;

function toneOf({ assigned, claim_rate: rate }: Claimed): Tone {
  if (assigned < MIN_LEADS || rate === null) return 'neutral';
  if (rate < LOW_PERCENT) return 'good';
  return rate < HIGH_PERCENT ? 'wait' : 'bad';
}
