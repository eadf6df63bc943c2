import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { CONSENT_LIMITS } from '#shared/rules/consent';
import { formatDateTime } from '#shared/rules/formats';
import { useApiMutation } from '../data/mutation';
import { type Source, useConsentTexts, useSource } from '../data/sources';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { Fold } from '../ui/Fold';
import { QueryResult } from '../ui/states';
import { ToolButton } from '../ui/ToolButton';

interface Typing {
  /** The new wording, while it is typed. */
  readonly typed: string | undefined;
  readonly setTyped: (text: string | undefined) => void;
}

const focusOn = (field: HTMLTextAreaElement | null) => field?.focus();

/** The wordings of consent that leads of a source may name. A change is a new version. */
export function ConsentTexts({ source: opened, typed, setTyped }: Typing & { readonly source: Source }) {
  const source = useSource(opened);
  const texts = useConsentTexts(source);
  return (
    <Stack gap="xs" mt="sm">
      <Text fw={500}>Wording</Text>
      <Text c="dimmed">
        The ready form asks for consent to phone calls and e-mails, so the wording has to name both.
      </Text>
      <QueryResult query={texts} what="The wordings">
        {(rows) => <Wordings source={source} rows={rows.toReversed()} typed={typed} setTyped={setTyped} />}
      </QueryResult>
    </Stack>
  );
}

type Rows = NonNullable<ReturnType<typeof useConsentTexts>['data']>;

interface WordingsProps extends Typing {
  readonly source: Source;
  readonly rows: Rows;
}

function Wordings({ source, rows, typed, setTyped }: WordingsProps) {
  const params = { sourceId: source.source_id };
  const [current, ...earlier] = rows;
  const add = useApiMutation('addConsentText');
  if (typed !== undefined)
    return (
      <>
        <Textarea
          aria-label="New wording"
          ref={focusOn}
          description="Saved on its own, before the other changes. Leads that were sent before keep the wording that they were given with."
          autosize
          minRows={3}
          maxRows={12}
          maxLength={CONSENT_LIMITS.text}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group gap="sm">
          <Button
            size="xs"
            loading={add.isPending}
            disabled={typed.trim() === ''}
            onClick={() =>
              add.mutate({ params, body: { text: typed } }, { onSuccess: () => setTyped(undefined) })
            }
          >
            Save as new version
          </Button>
          <ToolButton onClick={() => setTyped(undefined)}>Cancel</ToolButton>
        </Group>
      </>
    );
  return (
    <>
      {current === undefined ? (
        <Text c="dimmed">
          No wording yet. With one, the ready form and leads can name it, and each lead keeps the version that
          it was given with.
        </Text>
      ) : (
        <Wording params={params} row={current} />
      )}
      <Group gap="sm">
        <ToolButton onClick={() => setTyped(current?.text ?? '')}>
          {current === undefined ? 'Add wording' : 'Change wording'}
        </ToolButton>
      </Group>
      {earlier.length > 0 && (
        <Fold title="Earlier wordings" summary="Leads may still name them">
          <Stack gap="xs">
            {earlier.map((row) => (
              <Wording key={row.text_id} params={params} row={row} />
            ))}
          </Stack>
        </Fold>
      )}
    </>
  );
}

interface WordingProps {
  readonly params: { readonly sourceId: number };
  readonly row: Rows[number];
}

function Wording({ params, row: { text_id: id, text, created_at } }: WordingProps) {
  const dialogs = useDialogs();
  const retire = useApiMutation('retireConsentText');
  return (
    <div>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
      <Group gap="sm">
        <Text c="dimmed">
          {id} · {formatDateTime(new Date(created_at))}
        </Text>
        <ToolButton
          aria-label={`Retire ${id}`}
          loading={retire.isPending}
          onClick={() =>
            dialogs.ask({ title: 'Retire wording', text: CONFIRM.retireWording(id), action: 'Retire' }, () =>
              retire.mutate({ params: { ...params, textId: id } }),
            )
          }
        >
          Retire
        </ToolButton>
      </Group>
    </div>
  );
}
