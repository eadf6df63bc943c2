export const SETTINGS_PATH = '/dashboard/settings';

/** The sections of the settings in order; each has its own address. */
export const SETTINGS_SECTIONS = [
  { path: `${SETTINGS_PATH}/verification`, title: 'API Verification' },
  { path: `${SETTINGS_PATH}/templates`, title: 'Email Templates' },
  { path: `${SETTINGS_PATH}/push`, title: 'Pushover Notifications' },
  { path: `${SETTINGS_PATH}/alerts`, title: 'Alerts' },
  { path: `${SETTINGS_PATH}/webhooks`, title: 'Webhooks' },
  { path: `${SETTINGS_PATH}/retention`, title: 'Retention' },
  { path: `${SETTINGS_PATH}/company`, title: 'Company' },
  { path: `${SETTINGS_PATH}/status-page`, title: 'Public Status Page' },
] as const;
