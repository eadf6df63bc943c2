import { type ModalProps, Stack, type StackProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { AppModal } from './AppModal';
import { type Edit, EditButtons } from './edit';
import type { FormButtonsProps } from './FormButtons';
import { focusFirstError } from './form';

export interface FormModalProps<Values> extends Pick<FormButtonsProps, 'action' | 'blocked' | 'sticky'> {
  readonly title: string;
  readonly size?: NonNullable<ModalProps['size']>;
  readonly close: () => void;
  readonly form: UseFormReturnType<Values>;
  readonly submit: (values: Values) => void;
  /** The call that `submit` makes. */
  readonly write: { readonly isPending: boolean; readonly isSuccess: boolean };
  /** For edits of stored data that another admin may change at the same time. */
  readonly edit?: Edit<Values> | undefined;
  /** Only the button saves, not Enter in a field. */
  readonly byButton?: boolean;
  /** A part with its own button to save is not saved yet. */
  readonly typing?: boolean;
  readonly gap?: NonNullable<StackProps['gap']>;
  readonly children: ReactNode;
}

/** A dialog with a form. Asks before typed values are lost, and shows errors. */
export function FormModal<Values>(props: FormModalProps<Values>) {
  const { title, size = 'lg', close, form, submit, write, edit, byButton = false, gap = 'md' } = props;
  const { action, blocked = false, typing = false, sticky = false, children } = props;
  const onSubmit = form.onSubmit(submit, focusFirstError);
  const content = (
    <Stack gap={gap}>
      {children}
      <EditButtons
        edit={edit}
        cancel={close}
        action={action}
        saving={write.isPending}
        blocked={blocked || typing}
        sticky={sticky}
        {...(byButton && { onAction: () => onSubmit() })}
      />
    </Stack>
  );
  return (
    <AppModal title={title} close={close} size={size} dirty={typing || (form.isDirty() && !write.isSuccess)}>
      {byButton ? (
        content
      ) : (
        <form noValidate onSubmit={onSubmit}>
          {content}
        </form>
      )}
    </AppModal>
  );
}
