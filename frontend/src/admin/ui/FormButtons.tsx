import { Button, Group } from '@mantine/core';

interface Props {
  readonly cancel: () => void;
  /** What the form does, on its button. */
  readonly action: string;
  readonly saving?: boolean;
  /** Where they stand, in a form longer than the screen. */
  readonly className?: string | undefined;
}

/** How every form of a dialog ends. */
export function FormButtons({ cancel, action, saving = false, className }: Props) {
  return (
    <Group justify="flex-end" className={className}>
      <Button variant="default" onClick={cancel}>
        Cancel
      </Button>
      <Button type="submit" loading={saving}>
        {action}
      </Button>
    </Group>
  );
}
