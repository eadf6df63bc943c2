import { Button, Group } from '@mantine/core';
import classes from './FormButtons.module.css';

interface Props {
  readonly cancel: () => void;
  /** What the form does, on its button. */
  readonly action: string;
  readonly saving?: boolean;
  /** For a form longer than the screen. */
  readonly sticky?: boolean;
}

/** How every form of a dialog ends. */
export function FormButtons({ cancel, action, saving = false, sticky = false }: Props) {
  return (
    <Group justify="flex-end" className={sticky ? classes.sticky : undefined}>
      <Button variant="default" onClick={cancel}>
        Cancel
      </Button>
      <Button type="submit" loading={saving}>
        {action}
      </Button>
    </Group>
  );
}
