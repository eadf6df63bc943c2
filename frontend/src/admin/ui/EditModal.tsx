import type { ModalProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useEdit } from './edit';
import { FormModal } from './FormModal';

interface Props<Values, Request extends object, Sent> {
  readonly title: string;
  readonly action: string;
  readonly size?: NonNullable<ModalProps['size']>;
  readonly gap?: 'lg';
  /** Only the button saves, not Enter in a field. */
  readonly byButton?: boolean;
  readonly form: UseFormReturnType<Values>;
  /** Fetches what is stored now. */
  readonly load: () => Promise<Values>;
  readonly labels: Readonly<Record<string, string>>;
  readonly requestOf: (values: Values) => Request;
  /** The call's input, with the changed fields and their values at opening. */
  readonly inputOf: (changes: Partial<Request> & { readonly expected: Partial<Request> }) => Sent;
  readonly write: {
    readonly mutate: (
      input: Sent,
      handlers: { readonly onSuccess: () => void; readonly onError: (error: Error) => void },
    ) => void;
    readonly isPending: boolean;
    readonly isSuccess: boolean;
  };
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A dialog for stored data that another admin may change at the same time. Closes when saved. */
export function EditModal<Values extends object, Request extends object, Sent>(
  props: Props<Values, Request, Sent>,
) {
  const { load: _load, labels: _labels, requestOf, inputOf, ...modal } = props;
  const edit = useEdit(props);
  const submit = () =>
    props.write.mutate(inputOf(edit.changes(requestOf)), { onSuccess: props.close, onError: edit.refused });
  return <FormModal {...modal} submit={submit} edit={edit} />;
}
