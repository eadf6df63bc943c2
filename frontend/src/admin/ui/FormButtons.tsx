import { Button, Group } from '@mantine/core';
import classes from './FormButtons.module.css';

export interface FormButtonsProps {
  readonly cancel: () => void;
  /** What the form does, on its button. */
  readonly action: string;
  /** Of a dialog without a form element; without it the button submits the form around it. */
  readonly onAction?: () => void;
  readonly saving?: boolean;
  /** Something must be decided before. */
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
