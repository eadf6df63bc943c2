import { Modal, type ModalProps } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useIsTopmost } from '../dialogs/dialogs';
import { useUnsaved } from '../notifications';
import { CONFIRM } from '../texts';
import { ConfirmDialog } from './ConfirmDialog';
import { firstFocus } from './first-focus';
import { NO_BANNER } from './modal-styles';
import { NotSaved } from './NotSaved';
import { useUnsavedChangesWarning } from './unsaved-changes';

interface Props {
  readonly title: string;
  readonly close: () => void;
  readonly size?: NonNullable<ModalProps['size']>;
  /** True while the form has unsaved changes. */
  readonly dirty?: boolean;
  readonly children: ReactNode;
}

/** A dialog, full screen on a phone. Asks before it closes with unsaved changes. */
export function AppModal({ title, close, size = 'lg', dirty = false, children }: Props) {
  const [leaving, setLeaving] = useState(false);
  const isTop = useIsTopmost();
  const unsaved = useUnsaved();
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  useUnsavedChangesWarning(dirty);

  const answer = (leave: boolean) => {
    setLeaving(false);
    if (leave) close();
  };

  return (
    <>
      <Modal
        opened
        onClose={() => (dirty ? setLeaving(true) : close())}
        title={title}
        size={size}
        fullScreen={phone ?? false}
        closeOnEscape={isTop}
        trapFocus={isTop}
        closeOnClickOutside={!dirty}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close' }}
        attributes={NO_BANNER}
      >
        <div ref={firstFocus} tabIndex={-1} className="dialog-content">
          {unsaved !== undefined && <NotSaved text={unsaved} />}
          {children}
        </div>
      </Modal>
      {leaving && dirty && (
        <ConfirmDialog title="Unsaved changes" text={CONFIRM.leave} action="Leave" answer={answer} />
      )}
    </>
  );
}
