import { UnstyledButton } from '@mantine/core';
import { IconApi, IconChevronDown, IconKeyboard } from '@tabler/icons-react';
import { Link } from 'wouter';
import { API_DOCS_PATH } from '#shared/contract/web-headers';
import { useDialogs } from '../dialogs/dialogs';
import classes from './AdminMenu.module.css';
import { RARE_SCREENS } from './screens';

const ID = 'admin-menu';

/** Rarely used screens, behind the name in the header. The browser closes it on Escape or a click elsewhere. */
export function AdminMenu() {
  const dialogs = useDialogs();
  const close = () => document.getElementById(ID)?.hidePopover();
  return (
    <div className={classes.who}>
      <UnstyledButton className={classes.name} popoverTarget={ID}>
        Admin
        <IconChevronDown size={14} aria-hidden="true" />
      </UnstyledButton>
      <div id={ID} popover="auto" className={classes.menu}>
        {RARE_SCREENS.map(({ path, title, icon: Icon }) => (
          <Link key={path} className={classes.entry} to={path} onClick={close}>
            <Icon size={16} />
            {title}
          </Link>
        ))}
        <UnstyledButton
          className={classes.entry}
          onClick={() => {
            close();
            dialogs.open('shortcuts', {});
          }}
        >
          <IconKeyboard size={16} />
          Keyboard shortcuts
          <kbd>?</kbd>
        </UnstyledButton>
        <Link className={classes.entry} to={API_DOCS_PATH} onClick={close}>
          <IconApi size={16} />
          API documentation
        </Link>
      </div>
    </div>
  );
}
