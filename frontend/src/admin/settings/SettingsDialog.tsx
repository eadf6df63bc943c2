import { type ModalProps, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { AppModal } from '../ui/AppModal';
import { EditButtons, useEdit } from '../ui/edit';

type Body<Request> = { readonly body: Partial<Request> & { readonly seen: Partial<Request> } };
type Handlers = { readonly onSuccess: () => void; readonly onError: (error: Error) => void };

interface Props<Values, Request extends object> {
  /** What is edited, as the title and the button say it. */
  readonly what: string;
  readonly size: NonNullable<ModalProps['size']>;
  readonly form: UseFormReturnType<Values>;
  /** Fetches what is stored now. */
  readonly load: () => Promise<Values>;
  readonly labels: Readonly<Record<string, string>>;
  readonly requestOf: (values: Values) => Request;
  readonly save: {
    readonly mutate: (input: Body<Request>, handlers: Handlers) => void;
    readonly isPending: boolean;
    readonly isSuccess: boolean;
  };
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Edits one part of the settings, which another admin may change at the same time. */
export function SettingsDialog<Values extends object, Request extends object>(props: Props<Values, Request>) {
  const { what, size, form, requestOf, save, close, children } = props;
  const edit = useEdit(props);
  const submit = form.onSubmit(() =>
    save.mutate({ body: edit.changes(requestOf) }, { onSuccess: close, onError: edit.refused }),
  );
  return (
    <AppModal title={`Edit ${what}`} close={close} size={size} dirty={form.isDirty() && !save.isSuccess}>
      <Stack>
        {children}
        <EditButtons
          edit={edit}
          cancel={close}
          action={`Save ${what}`}
          saving={save.isPending}
          onAction={() => submit()}
        />
      </Stack>
    </AppModal>
  );
}
