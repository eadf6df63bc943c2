import {
  Alert,
  Button,
  Group,
  NativeSelect,
  Paper,
  SimpleGrid,
  Slider,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import '@mantine/core/styles/Slider.css';
import { memo, useCallback, useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import { TIME_RANGE_DAYS } from '#shared/rules/constants';
import { formatNumber, parseGermanNumber } from '#shared/rules/formats';
import { SourceFields } from '../buyers/SourceFields';
import { lacksSources, sourceFieldsOf } from '../buyers/source-values';
import { type Buyer, isActiveBuyer, useBuyers } from '../data/buyers';
import { type Simulation } from '../data/insights';
import { useApiMutation } from '../data/mutation';
import { INVALID } from '../invalid-texts';
import { errorText } from '../notifications';
import { type Column, column, DataTable } from '../ui/DataTable';
import { countOf, percentText, signed } from '../ui/labels';
import { EmptyState, QueryResult } from '../ui/states';
import { FIELDS, proposedIn, type Scenario, scenarioOf } from './scenario';

/** What would have happened with other terms of buyers. */
export function SimulatorPage() {
  const buyers = useBuyers();
  return (
    <QueryResult query={buyers} what="The buyers">
      {(rows) => <ActiveBuyers buyers={rows} />}
    </QueryResult>
  );
}

function ActiveBuyers({ buyers }: { buyers: readonly Buyer[] }) {
  const active = useMemo(() => buyers.filter(isActiveBuyer), [buyers]);
  return active.length === 0 ? (
    <EmptyState
      title="No active buyers"
      hint="The simulator redistributes past leads among the active buyers. Add a buyer with an order first."
    />
  ) : (
    <Simulator buyers={active} />
  );
}

/** More sliders than this take seconds to render. */
const MAX_SLIDERS = 50;

function Simulator({ buyers }: { buyers: readonly Buyer[] }) {
  const [days, setDays] = useState('30');
  const [all, setAll] = useState(buyers.length <= MAX_SLIDERS);
  const search = useSearch();
  const [changed, setChanged] = useState(() => proposedIn(search, buyers));
  const simulate = useApiMutation('simulate');
  const present = useMemo(() => new Map(buyers.map((buyer) => [buyer, scenarioOf(buyer)])), [buyers]);
  const scenarios = [...present].map(([buyer, wish]) => ({ buyer, wish: changed[buyer.buyer_id] ?? wish }));
  const change = useCallback(
    (buyer: Buyer, wish: Scenario) => setChanged((before) => ({ ...before, [buyer.buyer_id]: wish })),
    [],
  );
  const total = scenarios.reduce((sum, { wish }) => sum + wish.probability, 0);
  const invalid = scenarios.some(
    ({ wish }) => lacksSources(wish) || FIELDS.some(({ name, isValid }) => !isValid(wish[name])),
  );

  const run = () =>
    simulate.mutate({
      body: {
        days: Number(days),
        buyers: scenarios.map(({ buyer, wish }) => ({
          buyer_id: buyer.buyer_id,
          probability: wish.probability,
          min_investment: parseGermanNumber(wish.min_investment) ?? 0,
          max_investment: parseGermanNumber(wish.max_investment) ?? null,
          min_term: parseGermanNumber(wish.min_term) ?? null,
          max_term: parseGermanNumber(wish.max_term) ?? null,
          ...sourceFieldsOf(wish),
          lead_limit: Number(wish.lead_limit),
          requires_consent: wish.requires_consent,
        })),
      },
    });

  return (
    <Stack gap="lg">
      <Text c="dimmed" maw={760}>
        Shows which buyers past leads would have gone to with the probabilities, criteria and lead limits set
        here. Nothing is changed.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {scenarios
          .filter(({ buyer }) => all || buyer.probability > 0)
          .map(({ buyer, wish }) => (
            <BuyerSliders key={buyer.buyer_id} buyer={buyer} wish={wish} change={change} />
          ))}
      </SimpleGrid>
      {buyers.length > MAX_SLIDERS && (
        <Switch
          label="Include buyers with probability 0%"
          checked={all}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
      )}
      <Group align="flex-end">
        <NativeSelect
          label="Leads of"
          value={days}
          data={TIME_RANGE_DAYS.map((range) => ({ value: String(range), label: `the last ${range} days` }))}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <Button onClick={run} loading={simulate.isPending} disabled={invalid}>
          Simulate
        </Button>
        <Button variant="default" onClick={() => setChanged({})}>
          Reset to the current settings
        </Button>
        <Text c="dimmed" role="status">
          {percentText(Math.round(total * 100) / 100)} in total
          {total > 100 && ': more than could be saved, but only the proportions matter here'}
        </Text>
      </Group>
      {simulate.error && (
        <Alert color="red" title="Error">
          {errorText(simulate.error)}
        </Alert>
      )}
      {simulate.data && <Result simulation={simulate.data} />}
    </Stack>
  );
}

interface SlidersProps {
  readonly buyer: Buyer;
  readonly wish: Scenario;
  readonly change: (buyer: Buyer, wish: Scenario) => void;
}

/** Memoised: of hundreds of buyers only the changed one renders. */
const BuyerSliders = memo(function BuyerSliders({ buyer, wish, change }: SlidersProps) {
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text fw={600} truncate="end">
          {buyer.buyer_id}
        </Text>
        <Text>{percentText(wish.probability)}</Text>
      </Group>
      <Slider
        min={0}
        max={100}
        step={1}
        label={null}
        color="blue.8"
        thumbLabel={`Probability of ${buyer.buyer_id}`}
        value={wish.probability}
        onChange={(probability) => change(buyer, { ...wish, probability })}
      />
      <SimpleGrid cols={2} spacing="sm" verticalSpacing="xs" mt="sm">
        {FIELDS.map(({ name, label, inputMode, isValid, error }) => (
          <TextInput
            key={name}
            size="xs"
            label={label}
            inputMode={inputMode}
            value={wish[name]}
            error={isValid(wish[name]) ? undefined : error}
            onChange={(event) => change(buyer, { ...wish, [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      <SourceFields
        size="xs"
        values={wish}
        error={lacksSources(wish) && INVALID.sources}
        onChange={(sources) => change(buyer, { ...wish, ...sources })}
      />
      <Switch
        size="xs"
        mt="sm"
        label="Requires consent"
        checked={wish.requires_consent}
        onChange={(event) => change(buyer, { ...wish, requires_consent: event.currentTarget.checked })}
      />
    </Paper>
  );
});

type SimulatedBuyer = Simulation['buyers'][number];

function Result({ simulation }: { simulation: Simulation }) {
  const rows = useMemo(
    () => simulation.buyers.toSorted((a, b) => b.would_have_received - a.would_have_received),
    [simulation.buyers],
  );
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="result-title">
      <Title order={2} size="h4" id="result-title">
        {countOf(simulation.leads, 'lead')} simulated
      </Title>
      <Text c="dimmed" mb="sm" role="status">
        Without a buyer: {formatNumber(simulation.unassigned_before)} actual,{' '}
        {formatNumber(simulation.unassigned_after)} in the simulation
      </Text>
      <DataTable
        label="Result of the simulation"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.buyer_id}
      />
    </Paper>
  );
}

const columns: readonly Column<SimulatedBuyer>[] = [
  column('Buyer', 160, (row) => row.buyer_id),
  column('Got', 100, (row) => formatNumber(row.got), { align: 'right' }),
  column('Simulated', 140, (row) => formatNumber(row.would_have_received), { align: 'right' }),
  column('Difference', 120, (row) => signed(row.would_have_received - row.got), { align: 'right' }),
];
