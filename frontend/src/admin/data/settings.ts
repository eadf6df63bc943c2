import { useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { apiQuery } from './query';

export type Verification = Answer<'getVerificationSettings'>;
export type EmailTemplate = Answer<'listEmailTemplates'>[number];
export type PushCredential = Answer<'listPushoverCredentials'>[number];

// A `use…` hook shows what is stored; a `load…` function fetches the current data.

const verification = apiQuery(['verification'], 'getVerificationSettings', {});
export const useVerification = () => useQuery(verification);
export const loadVerification = () => verification.queryFn();

export type RetentionDays = Answer<'getRetention'>['days'];
export type RetentionSettings = RetentionDays & Pick<Answer<'getRetention'>, 'consent_years'>;

export type RetentionPreview = Answer<'previewRetention'>['kinds'][number];

const retention = apiQuery(['retention'], 'getRetention', {});
export const useRetention = () => useQuery(retention);
export const loadRetention = () => retention.queryFn();

/** What these retention days would erase; undefined makes no call. */
export function useRetentionPreview(days: RetentionDays | undefined) {
  const { delivered, pending, rejected } = days ?? {};
  const query = {
    ...(delivered && { delivered }),
    ...(pending && { pending }),
    ...(rejected && { rejected }),
  };
  return useQuery({
    ...apiQuery(['retention-preview', query], 'previewRetention', { query }),
    enabled: days !== undefined && Object.keys(query).length > 0,
  });
}

export type Alerts = Answer<'getAlertSettings'>;
export type AlertSettings = Alerts['settings'];
export type ActiveAlert = Answer<'previewAlerts'>['active_alerts'][number];
export type AlertThresholds = Sent<'previewAlerts', 'query'>;

const alerts = apiQuery(['alerts'], 'getAlertSettings', {});
export const useAlerts = () => useQuery(alerts);
export const loadAlerts = () => alerts.queryFn();

/** Current alerts, by the stored thresholds or by others. */
export const useAlertsNow = (query: AlertThresholds = {}) =>
  useQuery(apiQuery(['alerts', 'now', query], 'previewAlerts', { query }));

const company = apiQuery(['company'], 'getCompany', {});
export const useCompany = () => useQuery(company);
export const loadCompany = () => company.queryFn();

export const useStatusPage = () => useQuery(apiQuery(['status-page'], 'getStatusPage', {}));

export const templatesQuery = apiQuery(['templates'], 'listEmailTemplates', {});
export const useTemplates = () => useQuery(templatesQuery);
export const loadTemplates = () => templatesQuery.queryFn();

/** The text of push notifications. */
const pushTemplate = apiQuery(['push-template'], 'getPushoverTemplate', {});
export const usePushTemplate = () => useQuery(pushTemplate);
export const loadPushTemplate = () => pushTemplate.queryFn();
export const credentialsQuery = apiQuery(['push-credentials'], 'listPushoverCredentials', {});
export const usePushCredentials = () => useQuery(credentialsQuery);
