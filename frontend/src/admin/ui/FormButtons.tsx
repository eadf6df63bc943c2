import { Button, Group } from '@mantine/core';
import classes from './FormButtons.module.css';

export interface FormButtonsProps {
  readonly cancel: () => void;
  /** The label of the submit button. */
  readonly action: string;
  /** For dialogs without a form element. By default the button submits its form. */
  readonly onAction?: () => void;
  readonly saving?: boolean;
  /** Disabled until a decision is made. */
  readonly blocked?: boolean;
  /** For a form longer than the screen. */
  readonly sticky?: boolean;
}

/** The buttons at the end of a dialog's form. */
export function FormButtons({
  cancel,
  action,
  onAction,
  saving = false,
  blocked = false,
  sticky = false,
}: FormButtonsProps) {
  return (
    <Group justify="flex-end" className={sticky ? classes.sticky : undefined}>
      <Button variant="default" onClick={cancel}>
        Cancel
      </Button>
      <Button type={onAction ? 'button' : 'submit'} loading={saving} disabled={blocked} onClick={onAction}>
        {action}
      </Button>
    </Group>
  );
}
