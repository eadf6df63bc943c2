import { Drawer } from '@mantine/core';
import { useIsTopmost } from '../dialogs/dialogs';
import { NO_BANNER } from '../ui/modal-styles';
import '@mantine/core/styles/Drawer.css';
import { Brand } from './Brand';
import { Menu } from './Menu';

interface Props {
  readonly close: () => void;
  readonly onLogout: () => void;
}

/** The menu of narrow screens; slides in from the left. */
export function MobileMenu({ close, onLogout }: Props) {
  const isTop = useIsTopmost();
  return (
    <Drawer
      opened
      trapFocus={isTop}
      onClose={close}
      title={<Brand />}
      size={280}
      transitionProps={{ duration: 150 }}
      closeButtonProps={{ 'aria-label': 'Close menu' }}
      attributes={NO_BANNER}
    >
      <Menu onNavigate={close} onLogout={onLogout} />
    </Drawer>
  );
}
