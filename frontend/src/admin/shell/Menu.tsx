import { UnstyledButton } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Link } from 'wouter';
import { formatNumber } from '#shared/rules/formats';
import { useDashboardStats } from '../data/insights';
import { Tag } from '../ui/Tag';
import classes from './Shell.module.css';
import { SCREENS, useScreenPath } from './screens';

interface Props {
  readonly onNavigate?: () => void;
  readonly onLogout: () => void;
}

/** The menu entries with their counts. */
export function Menu({ onNavigate, onLogout }: Props) {
  const { data: stats } = useDashboardStats();
  const current = useScreenPath();
  return (
    <nav className={classes.menu} aria-label="Main menu">
      {SCREENS.map(({ path, title, menu = title, icon: Icon, badge }) => {
        const count = badge && stats ? stats[badge.stat] : 0;
        return (
          <Link
            key={path}
            to={path}
            className={classes.entry}
            {...(path === current && { 'aria-current': 'page' })}
            {...(onNavigate && { onClick: onNavigate })}
          >
            <Icon size={20} />
            <span className={classes.entryText}>{menu}</span>
            {badge && count > 0 && (
              <Tag tone={badge.tone} solid label={`${count} ${badge.what}`}>
                {formatNumber(count)}
              </Tag>
            )}
          </Link>
        );
      })}
      <UnstyledButton className={`${classes.entry} ${classes.logout}`} onClick={onLogout}>
        <IconLogout size={20} />
        <span className={classes.entryText}>Logout</span>
      </UnstyledButton>
    </nav>
  );
}
