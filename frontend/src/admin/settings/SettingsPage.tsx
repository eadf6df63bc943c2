import type { ComponentType } from 'react';
import { Link, Redirect, useLocation } from 'wouter';
import shell from '../shell/Shell.module.css';
import { SETTINGS_SECTIONS, screenOf } from '../shell/screens';
import { AlertsSection } from './AlertsSection';
import { PushSection } from './PushSection';
import { RetentionSection } from './RetentionSection';
import { StatusPageSection } from './StatusPageSection';
import classes from './settings.module.css';
import { TemplatesSection } from './TemplatesSection';
import { VerificationSection } from './VerificationSection';

const CONTENTS: Readonly<Record<(typeof SETTINGS_SECTIONS)[number]['path'], ComponentType>> = {
  '/dashboard/settings/verification': VerificationSection,
  '/dashboard/settings/templates': TemplatesSection,
  '/dashboard/settings/push': PushSection,
  '/dashboard/settings/alerts': AlertsSection,
  '/dashboard/settings/retention': RetentionSection,
  '/dashboard/settings/status-page': StatusPageSection,
};

/** The sections, one at a time. The address without a section shows the first. */
export function SettingsPage() {
  const [pathname] = useLocation();
  const screen = screenOf(pathname);
  const shown =
    pathname === screen ? SETTINGS_SECTIONS[0] : SETTINGS_SECTIONS.find(({ path }) => path === pathname);
  if (shown === undefined) return <Redirect to={screen} replace />;
  const Content = CONTENTS[shown.path];
  return (
    <div className={classes.settings}>
      <nav className={classes.sections} aria-label="Sections of the settings">
        {SETTINGS_SECTIONS.map(({ path, title }) => (
          <Link
            key={path}
            to={path}
            className={`${shell.entry} ${path === shown.path ? shell.active : ''}`}
            {...(path === shown.path && { 'aria-current': 'page' })}
          >
            {title}
          </Link>
        ))}
      </nav>
      <Content />
    </div>
  );
}
