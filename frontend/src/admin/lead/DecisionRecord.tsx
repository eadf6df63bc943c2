import '@mantine/core/styles/Table.css';
import { Table, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { percentText } from '../ui/labels';
import { ScrollBox } from '../ui/ScrollBox';
import { type Decision, decisionText, deficitText, notEligibleText } from './decision-texts';

/** Why the lead went where it went, with the figures behind it. */
export function DecisionRecord({ decision }: { decision: Decision }) {
  return (
    <>
      <Text size="sm">{decisionText(decision)}</Text>
      {decision.eligible.length > 0 && (
        <ScrollBox label="Eligible buyers">
          <Table mt="xs" withTableBorder verticalSpacing={4} aria-label="Eligible buyers">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Buyer</Table.Th>
                <Table.Th>Probability</Table.Th>
                <Table.Th>Share of this lead</Table.Th>
                <Table.Th>Before this lead</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {decision.eligible.map((buyer) => (
                <Table.Tr key={buyer.buyer_id} fw={buyer.buyer_id === decision.winner ? 700 : 400}>
                  <Table.Td>
                    {buyer.buyer_id}
                    {buyer.buyer_id === decision.winner && (
                      <IconCheck size={14} role="img" aria-label="chosen" />
                    )}
                  </Table.Td>
                  <Table.Td>{percentText(buyer.probability)}</Table.Td>
                  <Table.Td>{percentText(buyer.share)}</Table.Td>
                  <Table.Td>{deficitText(buyer.deficit)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
      )}
      {decision.not_eligible.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          Not eligible:{' '}
          {decision.not_eligible
            .map(({ buyer_id, reason }) => `${buyer_id} (${notEligibleText(reason)})`)
            .join(', ')}
          .
        </Text>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        Rule {decision.rule}
      </Text>
    </>
  );
}
