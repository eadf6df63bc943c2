import { type EditOptions, useEdit } from './edit';
import { FormModal, type FormModalProps } from './FormModal';

interface Props<Values, Request extends object, Sent>
  extends Omit<FormModalProps<Values>, 'edit' | 'submit'>,
    Omit<EditOptions<Values>, 'form'> {
  readonly requestOf: (values: Values) => Request;
  /** The call's input, with the changed fields and their values at opening. */
  readonly inputOf: (changes: Partial<Request> & { readonly expected: Partial<Request> }) => Sent;
  readonly write: FormModalProps<Values>['write'] & {
    readonly mutate: (
      input: Sent,
      handlers: { readonly onSuccess: () => void; readonly onError: (error: Error) => void },
    ) => void;
  };
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
