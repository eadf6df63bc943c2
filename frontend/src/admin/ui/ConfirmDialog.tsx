import { Button, Group, Modal, Text } from '@mantine/core';
import { type Confirmation, useIsTopmost } from '../dialogs/dialogs';
import { NO_BANNER } from './modal-styles';

interface Props extends Confirmation {
  readonly answer: (agreed: boolean) => void;
}

/** Confirms an action that cannot be undone. Enter does nothing, so that an early key press is harmless. */
export function ConfirmDialog({ title, text, action, answer }: Props) {
  const isTop = useIsTopmost();
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      title={title}
      centered
      size="md"
      zIndex={300}
      closeOnEscape={isTop}
      trapFocus={isTop}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={NO_BANNER}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>{text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button data-autofocus variant="default" onClick={() => answer(false)}>
          Cancel
        </Button>
        <Button color="red.9" onClick={() => answer(true)}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
