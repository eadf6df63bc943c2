import { UnstyledButton } from '@mantine/core';
import { IconApi, IconChevronRight, IconKeyboard, IconLogout } from '@tabler/icons-react';
import { Link } from 'wouter';
import { API_DOCS_PATH } from '#shared/contract/web-headers';
import { formatNumber } from '#shared/rules/formats';
import { useDashboardStats } from '../data/insights';
import { ROLE_NAMES, useRights } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { NameText } from '../ui/NameText';
import { SmallText } from '../ui/SmallText';
import { Tag } from '../ui/Tag';
import classes from './Shell.module.css';
import { DAILY_SCREENS, MORE_SCREENS, type Screen, useMayOpen, useScreenPath } from './screens';

interface Props {
  readonly onNavigate?: () => void;
  readonly onLogout: () => void;
}

const NOTHING = () => {};

/** The daily work with its counts, and a group of everything else, which is open on its own screens. */
export function Menu({ onNavigate = NOTHING, onLogout }: Props) {
  const current = useScreenPath();
  const dialogs = useDialogs();
  const mayOpen = useMayOpen();
  const { username, role } = useRights();
  const entries = (screens: readonly Screen[]) =>
    screens
      .filter(({ path }) => mayOpen(path))
      .map(({ path, title, menu = title, icon: Icon, badge }) => (
        <Link
          key={path}
          to={path}
          className={classes.entry}
          onClick={onNavigate}
          {...(path === current && { 'aria-current': 'page' })}
        >
          <Icon size={20} />
          <span className={classes.entryText}>{menu}</span>
          {badge && <Count badge={badge} />}
        </Link>
      ));
  return (
    <nav className={classes.menu} aria-label="Main menu">
      {entries(DAILY_SCREENS)}
      <details className={classes.more} open={MORE_SCREENS.some(({ path }) => path === current)}>
        <summary className={classes.entry}>
          <IconChevronRight size={20} />
          <span className={classes.entryText}>More</span>
          {MORE_SCREENS.map(({ path, badge }) => badge && <Count key={path} badge={badge} />)}
        </summary>
        {entries(MORE_SCREENS)}
        <Link className={classes.entry} to={API_DOCS_PATH} onClick={onNavigate}>
          <IconApi size={20} />
          API documentation
        </Link>
        <UnstyledButton
          className={classes.entry}
          onClick={() => {
            onNavigate();
            dialogs.open('shortcuts', {});
          }}
        >
          <IconKeyboard size={20} />
          <span className={classes.entryText}>Keyboard shortcuts</span>
          <kbd>?</kbd>
        </UnstyledButton>
      </details>
      {role !== undefined && (
        <div className={classes.account}>
          <NameText text={username ?? ''} />
          <SmallText>{ROLE_NAMES[role]}</SmallText>
        </div>
      )}
      <UnstyledButton className={`${classes.entry} ${classes.logout}`} onClick={onLogout}>
        <IconLogout size={20} />
        <span className={classes.entryText}>Logout</span>
      </UnstyledButton>
    </nav>
  );
}

function Count({ badge: { stat, tone, what } }: { readonly badge: NonNullable<Screen['badge']> }) {
  const { data: stats } = useDashboardStats();
  const count = stats?.[stat] ?? 0;
  if (count === 0) return null;
  return (
    <Tag tone={tone} solid label={`${count} ${what}`}>
      {formatNumber(count)}
    </Tag>
  );
}
