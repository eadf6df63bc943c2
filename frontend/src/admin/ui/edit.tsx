/** Forms for stored data that another admin may change at the same time. */
import { Alert, Group, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../app/api';
import { useNotifications } from '../notifications';
import { TROUBLE } from '../texts';
import { DescriptionList } from './DescriptionList';
import classes from './edit.module.css';
import { FormButtons, type FormButtonsProps } from './FormButtons';
import { showFieldErrors } from './form';
import { ToolButton } from './ToolButton';

export interface EditOptions<Values> {
  /** Its initial values are those stored at opening. */
  readonly form: UseFormReturnType<Values>;
  /** Fetches what is stored now. */
  readonly load: () => Promise<Values>;
  readonly labels: Readonly<Record<string, string>>;
  /** Fields with hidden stored values, which cannot be compared. */
  readonly secrets?: readonly string[];
  /** The display text of a field's value; undefined to show the value. */
  readonly textOf?: (name: string, values: Values) => string | undefined;
}

interface Conflict {
  readonly name: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Edit<Values> {
  /**
   * The changed fields of the request with their values from when the form was opened, by which the server notices changes
   * by others.
   */
  readonly changes: <Request extends object>(
    requestOf: (values: Values) => Request,
  ) => Partial<Request> & { expected: Partial<Request> };
  /** Shows why the server refused to save: as field errors, or as a choice between two values. */
  readonly refused: (error: unknown) => void;
  /** The stored values, for a form that stays open after saving. */
  readonly saved: (values: Values) => void;
  /** Undecided fields that both admins changed. The form cannot be saved yet. */
  readonly conflicts: readonly Conflict[];
  readonly keepMine: (name: string) => void;
  readonly takeTheirs: (name: string) => void;
  readonly labelOf: (name: string) => string;
}

export function useEdit<Values extends object>(options: EditOptions<Values>): Edit<Values> {
  const { form, load, labels, secrets = [], textOf } = options;
  const [base, setBase] = useState(() => form.getInitialValues());
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const notifications = useNotifications();

  const showConflicts = async (names: readonly string[]) => {
    try {
      const stored = await load();
      const [mine, theirs] = [new Map(Object.entries(form.getValues())), new Map(Object.entries(stored))];
      setBase({ ...base, ...only(stored, names) });
      setConflicts(
        names.map((name) => ({
          name,
          mine: textOf?.(name, form.getValues()) ?? mine.get(name),
          theirs: textOf?.(name, stored) ?? theirs.get(name),
        })),
      );
    } catch (error) {
      notifications.error(error);
    }
  };
  const decided = (name: string) => setConflicts((open) => open.filter((conflict) => conflict.name !== name));

  return {
    changes: (requestOf) => {
      const [before, now] = [requestOf(base), requestOf(form.getValues())];
      const stored = new Map(Object.entries(before));
      const changed = Object.entries(now).flatMap(([name, value]) =>
        JSON.stringify(value) === JSON.stringify(stored.get(name)) ? [] : [name],
      );
      const comparable = changed.filter((name) => !secrets.includes(name));
      return { ...only(now, changed), expected: only(before, comparable) };
    },
    refused: (error) => {
      if (error instanceof ApiError && error.code === 'edited_meanwhile')
        void showConflicts(Object.keys(error.fields));
      else showFieldErrors(form, error);
    },
    saved: (values) => {
      setBase(values);
      setConflicts([]);
    },
    conflicts,
    keepMine: decided,
    takeTheirs: (name) => {
      form.setValues((values) => ({ ...values, ...only(base, [name]) }));
      decided(name);
    },
    labelOf: (name) => labels[name] ?? name,
  };
}

function only<T extends object>(values: T, names: readonly string[]): Partial<T> {
  const some: Partial<T> = { ...values };
  for (const name in some) if (!names.includes(name)) delete some[name];
  return some;
}

/** Asks for each field that both admins changed which value stays. */
function EditConflicts<Values>({ edit }: { readonly edit: Edit<Values> }) {
  // At the end of a long form the question would be out of view.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector('button')?.focus();
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Alert ref={place} color="orange" title={TROUBLE.changedMeanwhile} role="alert" aria-live="assertive">
      <Stack gap="md">
        {edit.conflicts.map(({ name, mine, theirs }) => (
          <div key={name} role="group" aria-label={edit.labelOf(name)}>
            <Text fw={600}>{edit.labelOf(name)}</Text>
            <div className={classes.values}>
              <DescriptionList
                facts={[
                  ['Yours', shown(mine)],
                  ['Theirs', shown(theirs)],
                ]}
              />
            </div>
            <Group gap="xs">
              <ToolButton onClick={() => edit.keepMine(name)}>Keep mine</ToolButton>
              <ToolButton onClick={() => edit.takeTheirs(name)}>Take theirs</ToolButton>
            </Group>
          </div>
        ))}
        <Text>Nothing is saved yet. Choose, then save again.</Text>
      </Stack>
    </Alert>
  );
}

interface ButtonsProps<Values> extends FormButtonsProps {
  /** Undefined for a new object. */
  readonly edit: Edit<Values> | undefined;
}

/** The end of an edit form: open conflicts and buttons. */
export function EditButtons<Values>({ edit, blocked = false, ...buttons }: ButtonsProps<Values>) {
  const undecided = edit !== undefined && edit.conflicts.length > 0;
  return (
    <>
      {undecided && <EditConflicts edit={edit} />}
      <FormButtons {...buttons} blocked={blocked || undecided} />
    </>
  );
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  const text =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .flatMap(([name, part]) =>
            part === '' ? [] : [`${name}: ${typeof part === 'object' ? JSON.stringify(part) : part}`],
          )
          .join(', ')
      : String(value);
  return value === null || text === '' ? '(empty)' : text;
}
