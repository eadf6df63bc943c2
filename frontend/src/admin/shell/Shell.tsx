import {
  ActionIcon,
  Burger,
  Button,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { IconMoon, IconPlus, IconSearch, IconShoppingCartPlus, IconSun } from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useAuth } from '../../app/auth';
import { lazyComponent } from '../../ui/lazy-component';
import { whenUsed } from '../../ui/when-used';
import { ROLE_NAMES, useRights } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { useLostFocus } from '../ui/lost-focus';
import { ToolButton } from '../ui/ToolButton';
import { confirmLeave } from '../ui/unsaved-changes';
import { Brand } from './Brand';
import { CommandPalette, loadCommandResults } from './CommandPalette';
import { Menu } from './Menu';
import classes from './Shell.module.css';
import { titleOf, useScreenPath } from './screens';
import { useShortcuts } from './shortcuts';

const MobileMenu = lazyComponent(async () => (await import('./MobileMenu')).MobileMenu);

/** The frame of every screen: menu, header, search and shortcuts. */
export function Shell({ children }: { children: ReactNode }) {
  const [menuOpen, setMenuOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const screen = useScreenPath();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme();
  const dialogs = useDialogs();
  const auth = useAuth();
  const { may, role } = useRights();

  const title = titleOf(screen);
  const toggleScheme = () => setColorScheme(scheme === 'dark' ? 'light' : 'dark');
  const openPalette = () => setPaletteOpen(true);
  useShortcuts({ openPalette, toggleScheme });
  useLostFocus();
  useEffect(
    () =>
      whenUsed(() => {
        // If one fails, its first use shows the error.
        loadCommandResults().catch(() => {});
        import('../ui/AppModal').catch(() => {});
        import('../dialogs/dialog-code').catch(() => {});
        import('../../login/SessionDialog').catch(() => {});
      }),
    [],
  );

  const logout = async () => {
    if (confirmLeave()) await auth.logout();
  };

  return (
    <div className={classes.shell}>
      <title>{`${title} · Lead Distribution`}</title>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <aside className={classes.sidebar}>
        <Brand />
        <Menu onLogout={logout} />
      </aside>
      {menuOpen && (
        <Suspense fallback={null}>
          <MobileMenu close={() => setMenuOpen(false)} onLogout={logout} />
        </Suspense>
      )}
      <header className={classes.header}>
        <Burger
          className={classes.burger}
          opened={menuOpen}
          onClick={() => setMenuOpen(true)}
          aria-label="Open menu"
          size="sm"
        />
        <h1 className={classes.title}>{title}</h1>
        <span className={classes.who}>{ROLE_NAMES[role ?? 'admin']}</span>
        <div className={classes.tools}>
          <UnstyledButton className={classes.search} onClick={openPalette} aria-label="Search Ctrl K">
            <IconSearch size={16} />
            <span className={classes.searchText}>Search</span>{' '}
            <kbd className={classes.searchText}>Ctrl K</kbd>
          </UnstyledButton>
          {may('createOrder') && (
            <>
              <Button
                className={classes.wide}
                size="xs"
                leftSection={<IconPlus size={16} />}
                onClick={() => dialogs.open('add-buyer', {})}
              >
                Add Buyer
              </Button>
              <ToolButton
                className={classes.wide}
                icon={IconShoppingCartPlus}
                onClick={() => dialogs.open('create-order', {})}
              >
                Create Order
              </ToolButton>
            </>
          )}
          <ActionIcon
            variant="default"
            size={30}
            aria-label={scheme === 'dark' ? 'Light mode' : 'Dark mode'}
            title={scheme === 'dark' ? 'Light mode' : 'Dark mode'}
            onClick={toggleScheme}
          >
            {scheme === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />}
          </ActionIcon>
        </div>
      </header>
      <main id="content" tabIndex={-1} className={classes.content}>
        {children}
      </main>
      {paletteOpen && <CommandPalette close={() => setPaletteOpen(false)} />}
    </div>
  );
}
