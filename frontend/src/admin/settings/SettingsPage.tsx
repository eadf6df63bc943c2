import type { ComponentType } from 'react';
import { Link, Redirect, useLocation } from 'wouter';
import shell from '../shell/Shell.module.css';
import { AlertsSection } from './AlertsSection';
import { CompanySection } from './CompanySection';
import { PushSection } from './PushSection';
import { RetentionSection } from './RetentionSection';
import { StatusPageSection } from './StatusPageSection';
import { SETTINGS_PATH, SETTINGS_SECTIONS } from './sections';
import { TemplatesSection } from './TemplatesSection';
import { VerificationSection } from './VerificationSection';
import { WebhooksSection } from './webhooks/WebhooksSection';

const CONTENTS: Readonly<Record<(typeof SETTINGS_SECTIONS)[number]['path'], ComponentType>> = {
  '/dashboard/settings/verification': VerificationSection,
  '/dashboard/settings/templates': TemplatesSection,
  '/dashboard/settings/push': PushSection,
  '/dashboard/settings/alerts': AlertsSection,
  '/dashboard/settings/webhooks': WebhooksSection,
  '/dashboard/settings/retention': RetentionSection,
  '/dashboard/settings/company': CompanySection,
  '/dashboard/settings/status-page': StatusPageSection,
};

/** A column next to the section, or rows above it where both do not fit. */
const LIST = { flex: '1 0 180px', display: 'flex', flexWrap: 'wrap', alignContent: 'start', gap: 2 } as const;

/** The sections, one at a time. The address without a section shows the first. */
export function SettingsPage() {
  const [pathname] = useLocation();
  const shown =
    pathname === SETTINGS_PATH
      ? SETTINGS_SECTIONS[0]
      : SETTINGS_SECTIONS.find(({ path }) => path === pathname);
  if (shown === undefined) return <Redirect to={SETTINGS_PATH} replace />;
  const Content = CONTENTS[shown.path];
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 20 }}>
      <nav aria-label="Sections of the settings" style={LIST}>
        {SETTINGS_SECTIONS.map(({ path, title }) => (
          <Link
            key={path}
            to={path}
            style={{ flex: '1 0 100px' }}
            className={shell.entry}
            {...(path === shown.path && { 'aria-current': 'page' })}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div style={{ flex: '999 1 500px', minWidth: 0 }}>
        <Content />
      </div>
    </div>
  );
}
