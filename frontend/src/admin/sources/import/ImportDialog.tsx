import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { EXPORT_MEDIA_TYPES } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import { type IntakeField, isOfConsent, isOptional, LEAD } from '#shared/rules/lead-fields';
import type { Source } from '../../data/sources';
import type { DialogInput } from '../../dialogs/dialogs';
import { errorText } from '../../notifications';
import { AppModal } from '../../ui/AppModal';
import { type Column, column, DataTable } from '../../ui/DataTable';
import { download } from '../../ui/download';
import { countOf } from '../../ui/labels';
import { Tag } from '../../ui/Tag';
import { ToolButton } from '../../ui/ToolButton';
import { TruncatedText } from '../../ui/TruncatedText';
import { FIELD_TEXTS } from '../field-texts';
import { ChooseColumns } from './ChooseColumns';
import classes from './ImportDialog.module.css';
import { cellOf, countOutcomes, leadOf, outcomeOf, type RowResult } from './lead-rows';
import { COLUMN_FIELDS, type Columns } from './match-column-headers';
import { readFile } from './read-file';
import type { FileRow, FileTable } from './read-table';
import { columnsFor, rememberColumns } from './remembered-columns';
import { resultFile } from './result-file';
import { type ImportRun, useImport } from './use-import';

interface OpenFile {
  readonly name: string;
  readonly table: FileTable;
}

/** Imports the rows of a file as leads of a source. */
export function ImportDialog({ source, close }: DialogInput<'import'>) {
  const [file, setFile] = useState<OpenFile>();
  const [unfinished, setUnfinished] = useState(false);
  return (
    <AppModal title={`Import leads of ${source.name}`} close={close} size="80rem" dirty={unfinished}>
      {file === undefined ? (
        <ChooseFile onRead={setFile} />
      ) : (
        <ImportFile
          key={file.table.hash}
          source={source}
          file={file}
          onUnfinished={setUnfinished}
          another={() => setFile(undefined)}
        />
      )}
    </AppModal>
  );
}

function ChooseFile({ onRead }: { readonly onRead: (file: OpenFile) => void }) {
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState<string>();
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    setReading(true);
    setProblem(undefined);
    try {
      onRead({ name: file.name, table: await readFile(file) });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : errorText(error));
      setReading(false);
    }
  };
  return (
    <Stack gap="md">
      <label className={classes.drop}>
        <IconFileUpload size={28} aria-hidden="true" />
        <Text fw={600}>{reading ? 'Reading…' : 'Drop a file here, or choose one'}</Text>
        <Text c="dimmed">
          XLSX or CSV with column headers in the first row. The file stays in this browser until you import
          it.
        </Text>
        <input
          type="file"
          aria-label="File"
          accept=".csv,.txt,.xlsx"
          disabled={reading}
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            // So that the same file can be chosen again after it was corrected.
            event.currentTarget.value = '';
            void read(chosen);
          }}
        />
      </label>
      {problem !== undefined && (
        <Alert color="red" title="The file could not be read" role="alert">
          <Text>{problem}</Text>
        </Alert>
      )}
    </Stack>
  );
}

interface FileProps {
  readonly source: Source;
  readonly file: OpenFile;
  /** Called with whether an import is running. */
  readonly onUnfinished: (unfinished: boolean) => void;
  readonly another: () => void;
}

function ImportFile({ source, file, onUnfinished, another }: FileProps) {
  const { table, name } = file;
  const [columns, setColumns] = useState(() => columnsFor(table.headers));
  const leads = useMemo(() => table.rows.map((row) => leadOf(table, row, columns)), [table, columns]);
  const { run, start, pause, resume, discard } = useImport(source.source_id, leads);
  const running = run?.state === 'running';
  const unfinished = run?.kind === 'import' && run.state !== 'done';
  useEffect(() => {
    onUnfinished(unfinished);
    return () => onUnfinished(false);
  }, [onUnfinished, unfinished]);
  const missing = COLUMN_FIELDS.filter(
    (field) =>
      !isOfConsent(field) &&
      !isOptional(LEAD[field]) &&
      columns[field] === undefined &&
      source.defaults[field] === undefined,
  );
  const isLive = source.state === 'live';

  const choose = (field: IntakeField, column: string) => {
    const { [field]: _, ...others } = columns;
    const chosen: Columns = column === '' ? others : { ...others, [field]: Number(column) };
    setColumns(chosen);
    rememberColumns(table.headers, chosen);
    discard();
  };

  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text>
          <strong>{name}</strong>: {countOf(table.rows.length, 'row')}
        </Text>
        <ToolButton disabled={running} onClick={another}>
          Another file
        </ToolButton>
      </Group>
      <ChooseColumns
        headers={table.headers}
        columns={columns}
        defaults={source.defaults}
        disabled={running || run?.kind === 'import'}
        choose={choose}
      />
      {missing.length > 0 && (
        <Text c="var(--mantine-color-error)" role="status">
          No column chosen for {missing.map((field) => FIELD_TEXTS[field]).join(', ')}.
        </Text>
      )}
      {run && <RunState run={run} rows={table.rows.length} />}
      <Rows table={table} columns={columns} results={run?.results ?? NO_RESULTS} />
      <Group justify="flex-end" gap="sm">
        {!isLive && (
          <Text c="dimmed" flex={1} miw={200}>
            This source is {source.state === 'test' ? 'in test' : 'paused'}. You can check its rows now and
            import them once it is live.
          </Text>
        )}
        {run && run.results.length > 0 && !running && (
          <Button
            variant="default"
            onClick={() =>
              download(`${name}-result.csv`, resultFile(table.rows, run.results), EXPORT_MEDIA_TYPES.csv)
            }
          >
            Result file
          </Button>
        )}
        {run?.state === 'running' ? (
          <Button variant="default" onClick={pause}>
            Pause
          </Button>
        ) : run?.state === 'paused' ? (
          <Button onClick={resume}>Continue</Button>
        ) : (
          run?.kind !== 'import' && (
            <>
              <Button variant="default" onClick={() => start('check')}>
                Check
              </Button>
              <Button disabled={!isLive} onClick={() => start('import')}>
                Import {countOf(table.rows.length, 'row')}
              </Button>
            </>
          )
        )}
      </Group>
    </Stack>
  );
}

const NO_RESULTS: readonly RowResult[] = [];

/** The start button disappears, so the focus moves here instead of leaving the dialog. */
const focusOn = (state: HTMLElement | null) => state?.focus();

/** Progress and results so far. */
function RunState({ run, rows }: { readonly run: ImportRun; readonly rows: number }) {
  const { kind, state, results, problem } = run;
  const what = kind === 'check' ? 'Check' : 'Import';
  const counts = countOutcomes(results).map(([text, count]) => `${text} ${formatNumber(count)}`);
  return (
    <Stack gap={6}>
      <Progress value={(results.length / rows) * 100} aria-label={what} />
      <Text role="status" tabIndex={-1} ref={focusOn}>
        {what} {state === 'done' ? 'finished' : state}: {formatNumber(results.length)} of{' '}
        {countOf(rows, 'row')}
        {counts.length > 0 && ` · ${counts.join(', ')}`}
        {kind === 'check' && state === 'done' && '. Nothing has been imported.'}
      </Text>
      {problem !== undefined && (
        <Alert color="orange" title="Import paused" role="alert">
          <Text>{problem} Continue at any time. No row is imported twice.</Text>
        </Alert>
      )}
    </Stack>
  );
}

interface RowsProps {
  readonly table: FileTable;
  readonly columns: Columns;
  readonly results: readonly RowResult[];
}

interface PreviewRow {
  readonly row: FileRow;
  readonly result: RowResult | undefined;
}

const OUTCOME: Column<PreviewRow> = column('Result', 260, ({ result }) => <OutcomeCell result={result} />, {
  grows: true,
});

function Rows({ table, columns, results }: RowsProps) {
  const rows = useMemo(
    () => table.rows.map((row, at): PreviewRow => ({ row, result: results[at] })),
    [table, results],
  );
  const shown = useMemo(
    (): readonly Column<PreviewRow>[] => [
      column('Row', 70, ({ row }) => formatNumber(row.number), { align: 'right' }),
      OUTCOME,
      ...COLUMN_FIELDS.filter((field) => columns[field] !== undefined).map((field) =>
        column(
          FIELD_TEXTS[field],
          field === 'email' ? 190 : field === 'anlagebetrag' ? 160 : 120,
          ({ row }: PreviewRow) => cellOf(row, columns, field),
          { key: field },
        ),
      ),
    ],
    [columns],
  );
  return (
    <DataTable
      label="Rows"
      columns={shown}
      rows={rows}
      rowKey={({ row }) => row.number}
      maxHeight="40vh"
      dense
      cards
    />
  );
}

function OutcomeCell({ result }: { readonly result: RowResult | undefined }) {
  if (result === undefined) return '–';
  const { tone, text, why } = outcomeOf(result);
  return (
    <Group gap={6} wrap="nowrap">
      <div style={{ flex: 'none' }}>
        <Tag tone={tone}>{text}</Tag>
      </div>
      <TruncatedText text={why} lines={2} />
    </Group>
  );
}
