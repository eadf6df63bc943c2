import { Alert, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { formatDateTime, formatNumber } from '#shared/rules/formats';
import { MAX_KNOWN_PEOPLE } from '#shared/rules/known-people';
import { useRefresh } from '../data/mutation';
import { type KnownList, useKnownPeople } from '../data/people';
import { call } from '../data/query';
import { Allowed, useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { errorText } from '../notifications';
import classes from '../people/people.module.css';
import { CONFIRM } from '../texts';
import { countOf } from '../ui/labels';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';
import { type Upload, useUpload } from './use-upload';

/** Lists of people that a buyer must not get. @param buyerId null: nobody may get them */
export function KnownPeople({ buyerId }: { readonly buyerId: string | null }) {
  const mayUpload = useMay()('beginKnownPeople');
  const known = useKnownPeople();
  const { upload, start } = useUpload(buyerId);
  const running = upload?.state === 'running';
  // Otherwise choosing the same file again would not be noticed.
  const reset = useRef<() => void>(null);
  return (
    <QueryResult query={known} skeleton={<ListSkeleton rows={3} cards />} what="The lists">
      {(data) => {
        const own = data.lists.filter((list) => list.buyer_id === buyerId);
        return (
          <Stack gap="sm">
            <Text>
              {buyerId === null
                ? 'Leads of these people stay pending and go to no buyer.'
                : 'Leads of these people go to other buyers.'}
              {mayUpload &&
                ' The file needs a column with phone numbers or e-mail addresses. They are hashed in this browser and never leave it. Stay on this page until the upload is finished.'}
            </Text>
            <Allowed to="beginKnownPeople">
              <Group>
                <FileButton
                  accept=".csv,.txt,.xlsx"
                  resetRef={reset}
                  onChange={(file) => {
                    if (file) void start(file, data);
                    reset.current?.();
                  }}
                >
                  {(props) => (
                    <Button {...props} loading={running}>
                      Upload a file
                    </Button>
                  )}
                </FileButton>
              </Group>
            </Allowed>
            {upload && <UploadState upload={upload} />}
            {own.length === 0 && !running ? (
              <EmptyState
                title="No known people yet"
                {...(mayUpload && {
                  hint: `Upload a CSV or XLSX file with up to ${formatNumber(MAX_KNOWN_PEOPLE)} rows.`,
                })}
              />
            ) : (
              own.map((list) => <ListCard key={list.list_id} list={list} disabled={running} />)
            )}
          </Stack>
        );
      }}
    </QueryResult>
  );
}

function UploadState({ upload: { name, state, total, counts, problem } }: { readonly upload: Upload }) {
  return (
    <Stack gap={6}>
      {(total > 0 || problem === undefined) && (
        <>
          <Progress value={total === 0 ? 0 : (counts.rows / total) * 100} aria-label={`Upload of ${name}`} />
          <Text role="status">
            {name}: {formatNumber(counts.rows)} of {countOf(total, 'row')} read,{' '}
            {formatNumber(counts.invalid)} invalid, {countOf(counts.duplicates, 'duplicate')}
            {state === 'done' && '. Uploaded.'}
          </Text>
        </>
      )}
      {problem !== undefined && (
        <Alert color="orange" title={`The upload of ${name} stopped`} role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  );
}

function ListCard({ list, disabled }: { readonly list: KnownList; readonly disabled: boolean }) {
  const { list_id: listId, name, people, created_at, created_by, finished, deleting } = list;
  const dialogs = useDialogs();
  const refresh = useRefresh();
  const [removing, setRemoving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const remove = async () => {
    setRemoving(true);
    setProblem(undefined);
    try {
      let left = 1;
      while (left > 0) left = (await call('deleteKnownPeople', { params: { listId } })).parts_left;
    } catch (error) {
      setProblem(errorText(error));
    }
    setRemoving(false);
    await refresh(['people', 'audit']);
  };
  const ask = () =>
    dialogs.ask(
      { title: 'Delete known people', text: CONFIRM.deleteKnownPeople(name), action: 'Delete' },
      () => void remove(),
    );
  return (
    <article className={classes.person} aria-label={name}>
      <Group justify="space-between" gap="xs">
        <Text>
          <strong>{name}</strong>: {people === 1 ? '1 person' : `${formatNumber(people)} people`},{' '}
          {formatDateTime(new Date(created_at))} by {created_by}
          {deleting
            ? '. Partly deleted'
            : !finished && !disabled && '. Not finished: choose the same file again to continue'}
        </Text>
        <Allowed to="deleteKnownPeople">
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Delete ${name}`}
            loading={removing}
            disabled={disabled}
            onClick={ask}
          >
            {deleting ? 'Continue deleting' : 'Delete'}
          </Button>
        </Allowed>
      </Group>
      {problem !== undefined && (
        <Text c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </article>
  );
}
