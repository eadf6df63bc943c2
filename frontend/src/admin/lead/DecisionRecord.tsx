import { Box, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { BuyerLink } from '../ui/BuyerLink';
import { type Column, column, DataTable } from '../ui/DataTable';
import { percentText } from '../ui/labels';
import classes from '../ui/rows.module.css';
import { SmallText } from '../ui/SmallText';
import { type Decision, decisionText, deficitText, notEligibleText } from './decision-texts';

/** Why the lead went to its buyer, with the figures. */
export function DecisionRecord({ decision }: { decision: Decision }) {
  return (
    <>
      <Text>{decisionText(decision)}</Text>
      {decision.eligible.length > 0 && (
        <Box mt="xs">
          <DataTable
            label="Eligible buyers"
            columns={columnsOf(decision.winner)}
            rows={decision.eligible}
            rowKey={({ buyer_id }) => buyer_id}
            cards
          />
        </Box>
      )}
      {decision.not_eligible.length > 0 && (
        <Text c="dimmed" mt="xs">
          Not eligible:{' '}
          {decision.not_eligible
            .map(({ buyer_id, reason }) => `${buyer_id} (${notEligibleText(reason)})`)
            .join(', ')}
          .
        </Text>
      )}
      <SmallText mt={4}>Rule {decision.rule}</SmallText>
    </>
  );
}

const columnsOf = (winner: string | null): readonly Column<Decision['eligible'][number]>[] => [
  column(
    'Buyer',
    180,
    ({ buyer_id }) =>
      buyer_id === winner ? (
        <div className={classes.inline}>
          <BuyerLink buyerId={buyer_id} fw={700} />
          <IconCheck size={14} role="img" aria-label="chosen" />
        </div>
      ) : (
        <BuyerLink buyerId={buyer_id} />
      ),
    { grows: true },
  ),
  column('Probability', 110, (buyer) => percentText(buyer.probability), { align: 'right' }),
  column('Share of this lead', 150, (buyer) => percentText(buyer.share), { align: 'right' }),
  column('Before this lead', 150, ({ deficit }) => deficitText(deficit), { align: 'right' }),
  column('With its share', 150, ({ deficit, share }) => deficitText(deficit + share / 100), {
    align: 'right',
  }),
];
