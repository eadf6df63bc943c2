import { Alert, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import { PROBABILITY_TOTAL_TEXT } from '#shared/rules/validation';
import { ApiError } from '../../app/api';
import { type Buyer, isActiveBuyer, loadBuyers, useBuyers } from '../data/buyers';
import { useApiMutation } from '../data/mutation';
import type { DialogInput } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { useNotifications } from '../notifications';
import { AppModal } from '../ui/AppModal';
import { type Column, column, DataTable } from '../ui/DataTable';
import { FormButtons } from '../ui/FormButtons';
import { percentText } from '../ui/labels';
import { SmallText } from '../ui/SmallText';
import { EmptyState, QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';
import { useAgreement } from './exclusive';
import { changesOf, type EditedWeight, shareRest, sumOf, textOf, weightOf } from './weight-editor';

/** Edits the weights of all buyers together. */
export function WeightsDialog({ including, close }: DialogInput<'weights'>) {
  const buyers = useBuyers();
  return (
    <QueryResult query={buyers} skeleton={null} what="The buyers">
      {(rows) => <WeightsEditor buyers={rows} including={including} close={close} />}
    </QueryResult>
  );
}

interface Row extends EditedWeight {
  readonly buyer_email: string;
  readonly isActive: boolean;
  /** Why it was not saved. */
  readonly error: string | undefined;
}

interface EditorProps {
  readonly close: () => void;
  readonly buyers: readonly Buyer[];
  readonly including: string | undefined;
}

function WeightsEditor({ buyers, including, close }: EditorProps) {
  // As of opening the dialog: rows must not move or change while the admin edits.
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(buyers, including));
  const change = useApiMutation('changeWeights');
  const agree = useAgreement();
  const notifications = useNotifications();

  const columns = useMemo(() => {
    const type = (buyerId: string, typed: string) =>
      setRows((before) =>
        before.map((row) =>
          row.buyer_id === buyerId ? { ...row, typed, isTyped: true, error: undefined } : row,
        ),
      );
    return columnsFor(type);
  }, []);

  const sum = sumOf(rows);
  const changes = changesOf(rows);
  const shared = shareRest(rows);
  const isExceeded = sum > 100_00 && changes === undefined;

  const refused = async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'edited_meanwhile') return;
    try {
      const now = new Map((await loadBuyers()).map((buyer) => [buyer.buyer_id, hundredths(buyer)]));
      setRows((before) =>
        before.map((row) => {
          const expected = error.fields[row.buyer_id] === undefined ? undefined : now.get(row.buyer_id);
          return expected === undefined
            ? row
            : { ...row, expected, error: INVALID.weightMeanwhile(textOf(expected)) };
        }),
      );
    } catch (failed) {
      notifications.error(failed);
    }
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (changes === undefined) return;
    const { changed, takesAll } = changes;
    if (takesAll !== undefined && !(await agree(takesAll))) return;
    const named = changed.map(({ buyer_id, weight, expected }) => ({
      buyer_id,
      probability: weight / 100,
      expected: expected / 100,
    }));
    change.mutate(
      { body: { buyers: named, ...(takesAll !== undefined && { confirm_exclusive: true }) } },
      { onSuccess: close, onError: (error) => void refused(error) },
    );
  };

  const dirty = !change.isSuccess && rows.some((row) => row.typed !== textOf(row.expected));
  return (
    <AppModal title="Probabilities" close={close} size="lg" dirty={dirty}>
      {rows.length === 0 ? (
        <EmptyState title="No buyers yet" hint="Set the probabilities of all buyers here." />
      ) : (
        <form onSubmit={(event) => void save(event)} noValidate>
          <Stack gap="sm">
            <Text c="dimmed">
              All are saved together. An inactive buyer is part of the sum only if you change its probability.
            </Text>
            <DataTable
              label="Probabilities"
              columns={columns}
              rows={rows}
              rowKey={(row) => row.buyer_id}
              maxHeight="50vh"
            />
            <div>
              <Group justify="space-between" gap="xs">
                <Text fw={600} role="status" {...(isExceeded && { c: 'var(--mantine-color-error)' })}>
                  Sum {percentText(sum / 100)} of 100%
                  {sum < 100_00 && ` · ${percentText((100_00 - sum) / 100)} left`}
                </Text>
                <ToolButton
                  disabled={shared === undefined}
                  onClick={() => setRows((before) => merged(before, shared ?? []))}
                >
                  Distribute the rest proportionally
                </ToolButton>
              </Group>
              <Progress
                mt="xs"
                aria-label="Sum of the probabilities"
                value={Math.min(100, sum / 100)}
                color={isExceeded ? 'red.8' : 'blue.8'}
              />
            </div>
            {isExceeded && (
              <Alert color="red" role="alert" p="xs">
                {PROBABILITY_TOTAL_TEXT}
              </Alert>
            )}
            <FormButtons
              cancel={close}
              action="Save Probabilities"
              saving={change.isPending}
              blocked={changes === undefined}
              sticky
            />
          </Stack>
        </form>
      )}
    </AppModal>
  );
}

const hundredths = ({ probability }: Pick<Buyer, 'probability'>) => Math.round(probability * 100);

/** Active buyers first, by descending weight. */
function rowsOf(buyers: readonly Buyer[], including: string | undefined): Row[] {
  return buyers
    .filter(({ deleted }) => !deleted)
    .map((buyer): Row => {
      const expected = hundredths(buyer);
      const isActive = isActiveBuyer(buyer);
      return {
        buyer_id: buyer.buyer_id,
        buyer_email: buyer.buyer_email,
        expected,
        typed: textOf(expected),
        isTyped: false,
        counts: isActive || buyer.buyer_id === including,
        isActive,
        error: undefined,
      };
    })
    .toSorted(
      (a, b) =>
        Number(b.counts) - Number(a.counts) ||
        b.expected - a.expected ||
        a.buyer_id.localeCompare(b.buyer_id, 'de'),
    );
}

function merged(rows: readonly Row[], shared: readonly EditedWeight[]): Row[] {
  const typed = new Map(shared.map((row) => [row.buyer_id, row.typed]));
  return rows.map((row) => ({ ...row, typed: typed.get(row.buyer_id) ?? row.typed }));
}

const columnsFor = (type: (buyerId: string, typed: string) => void): readonly Column<Row>[] => [
  column('Buyer', 150, (row) => (
    <div>
      <Text fw={500} truncate="end">
        {row.buyer_id}
      </Text>
      <SmallText truncate="end">
        {row.buyer_email}
        {!row.isActive && ' · inactive'}
      </SmallText>
    </div>
  )),
  column('Now', 70, (row) => percentText(row.expected / 100), { align: 'right' }),
  column('New (%)', 110, (row) => (
    <TextInput
      size="xs"
      aria-label={`Probability of ${row.buyer_id}`}
      inputMode="decimal"
      value={row.typed}
      error={weightOf(row) === undefined ? INVALID.probability : row.error}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => type(row.buyer_id, event.currentTarget.value)}
    />
  )),
];
