import '@mantine/core/styles/Table.css';
import { Alert, List, Stack, Table, Text } from '@mantine/core';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import { type Buyer, useBuyers } from '../data/buyers';
import { type Simulation, useSimulation } from '../data/insights';
import { useApiMutation } from '../data/mutation';
import type { DialogInput } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { FormButtons } from '../ui/FormButtons';
import { signed } from '../ui/labels';
import { SmallText } from '../ui/SmallText';
import { ListSkeleton, QueryResult } from '../ui/states';
import { listsWithout, type SourceLists } from './exclusion';

type Input = DialogInput<'exclude-source'>;

/** Shows what an exclusion would have changed, and then writes it to the buyer's criteria. */
export function ExclusionDialog({ source, buyerId, close }: Input) {
  const buyers = useBuyers();
  return (
    <AppModal title={`Exclude ${source.name} for ${buyerId}?`} close={close}>
      <QueryResult query={buyers} skeleton={<ListSkeleton rows={4} />} what="The buyers">
        {(rows) => {
          const buyer = rows.find(({ buyer_id }) => buyer_id === buyerId);
          const lists = buyer && listsWithout(buyer, source.source_id);
          return buyer === undefined || lists === undefined ? (
            <Alert color="orange" title="The buyer has no other source">
              {buyerId} takes leads from {source.name} only. Pause the buyer, or allow another source first.
            </Alert>
          ) : (
            <Exclusion buyer={buyer} lists={lists} source={source} close={close} />
          );
        }}
      </QueryResult>
    </AppModal>
  );
}

/** Days that the simulation looks back. */
const DAYS = 30;

interface ExclusionProps extends Pick<Input, 'source' | 'close'> {
  readonly buyer: Buyer;
  readonly lists: SourceLists;
}

function Exclusion({ buyer, lists, source, close }: ExclusionProps) {
  const { buyer_id, sources_allowed, sources_excluded } = buyer;
  const simulation = useSimulation({ days: DAYS, buyers: [{ buyer_id, ...lists }] });
  const update = useApiMutation('updateBuyer');
  const exclude = () => {
    const expected = { sources_allowed, sources_excluded };
    update.mutate({ params: { buyerId: buyer_id }, body: { ...lists, expected } }, { onSuccess: close });
  };
  return (
    <Stack>
      <Text c="dimmed">
        What would have changed in the last {DAYS} days if {buyer_id} had not received leads from{' '}
        {source.name}.
      </Text>
      <QueryResult query={simulation} skeleton={<ListSkeleton rows={4} />} what="The simulation">
        {(found) => <Changes of={found} buyerId={buyer_id} />}
      </QueryResult>
      <FormButtons
        cancel={close}
        action="Exclude source"
        onAction={exclude}
        saving={update.isPending}
        blocked={simulation.isPending}
      />
    </Stack>
  );
}

const NO_LEADS = {
  got: 0,
  would_have_received: 0,
  claims: 0,
  simulated_claims: 0,
  revenue: 0,
  simulated_revenue: 0,
};

function Changes({ of, buyerId }: { readonly of: Simulation; readonly buyerId: string }) {
  const its = of.buyers.find(({ buyer_id }) => buyer_id === buyerId) ?? NO_LEADS;
  const sum = (figure: 'revenue' | 'simulated_revenue') =>
    of.buyers.reduce((total, buyer) => total + buyer[figure], 0);
  const figures = [
    ['Leads', formatNumber(its.got), formatNumber(its.would_have_received)],
    ['Claims', formatNumber(its.claims), formatNumber(its.simulated_claims)],
    ['Revenue', formatEuro(its.revenue), formatEuro(its.simulated_revenue)],
    ['Revenue of all buyers', formatEuro(sum('revenue')), formatEuro(sum('simulated_revenue'))],
  ] as const;
  const others = [
    ...of.buyers
      .filter(({ buyer_id }) => buyer_id !== buyerId)
      .map(({ buyer_id, got, would_have_received }) => [buyer_id, would_have_received - got] as const),
    ['No buyer', of.unassigned_after - of.unassigned_before] as const,
  ].filter(([, more]) => more !== 0);
  return (
    <Stack>
      <Table aria-label={`Figures of ${buyerId}`} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th ta="right">Actual</Table.Th>
            <Table.Th ta="right">Without the source</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {figures.map(([name, before, after]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td ta="right">{before}</Table.Td>
              <Table.Td ta="right">{after}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <SmallText>Claims and revenue without the source are estimated by the buyer’s other leads.</SmallText>
      <div>
        <Text fw={600}>Who would have received these leads</Text>
        {others.length === 0 ? (
          <Text>The other buyers would have received as many leads as before.</Text>
        ) : (
          <List>
            {others
              .toSorted(([, one], [, other]) => other - one)
              .map(([name, more]) => (
                <List.Item key={name}>
                  {name}: {signed(more)}
                </List.Item>
              ))}
          </List>
        )}
      </div>
    </Stack>
  );
}
