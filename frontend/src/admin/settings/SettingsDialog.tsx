import type { ModalProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useEdit } from '../ui/edit';
import { FormModal } from '../ui/FormModal';

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
  const submit = () =>
    save.mutate({ body: edit.changes(requestOf) }, { onSuccess: close, onError: edit.refused });
  return (
    <FormModal
      title={`Edit ${what}`}
      size={size}
      close={close}
      form={form}
      submit={submit}
      write={save}
      edit={edit}
      action={`Save ${what}`}
      byButton
    >
      {children}
    </FormModal>
  );
}
