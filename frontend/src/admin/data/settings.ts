import { useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { DONE, FAILED } from '../texts';
import { useApiMutation } from './mutation';
import { apiQuery } from './query';

export type Verification = Answer<'getVerificationSettings'>;
export type EmailTemplate = Answer<'listEmailTemplates'>[number];
export type PushCredential = Answer<'listPushoverCredentials'>[number];

// A `use…` hook shows what is stored; a `load…` function fetches it at this moment.

const verification = apiQuery(['verification'], 'getVerificationSettings', {}, FAILED.loadSettings);
export const useVerification = () => useQuery(verification);
export const loadVerification = () => verification.queryFn();
export const useSaveVerification = () =>
  useApiMutation(
    'saveVerificationSettings',
    FAILED.saveSettings,
    ['verification', 'audit'],
    DONE.settingsSaved,
  );

export type RetentionDays = Answer<'getRetention'>['days'];
export type RetentionPreview = Answer<'previewRetention'>['kinds'][number];

const retention = apiQuery(['retention'], 'getRetention', {}, FAILED.loadRetention);
export const useRetention = () => useQuery(retention);
export const loadRetention = () => retention.queryFn();
export const useSaveRetention = () =>
  useApiMutation('saveRetention', FAILED.saveSettings, ['retention', 'audit'], DONE.settingsSaved);

/** What would be erased with these days; undefined asks nothing. */
export function useRetentionPreview(days: RetentionDays | undefined) {
  const { delivered, pending, rejected } = days ?? {};
  const query = {
    ...(delivered && { delivered }),
    ...(pending && { pending }),
    ...(rejected && { rejected }),
  };
  return useQuery({
    ...apiQuery(['retention-preview', query], 'previewRetention', { query }, FAILED.previewRetention),
    enabled: days !== undefined && Object.keys(query).length > 0,
  });
}

export type Alerts = Answer<'getAlertSettings'>;
export type AlertSettings = Alerts['settings'];
export type AlertFound = Answer<'previewAlerts'>['found'][number];
export type AlertThresholds = Sent<'previewAlerts', 'query'>;

/** Who is alerted of what. */
const alerts = apiQuery(['alerts'], 'getAlertSettings', {}, FAILED.loadAlerts);
export const useAlerts = () => useQuery(alerts);
export const loadAlerts = () => alerts.queryFn();
export const useSaveAlerts = () =>
  useApiMutation('saveAlertSettings', FAILED.saveSettings, ['alerts', 'audit'], DONE.settingsSaved);

/** What would be alerted of now, by the stored numbers or by others. */
export const useAlertsNow = (query: AlertThresholds = {}) =>
  useQuery(apiQuery(['alerts', 'now', query], 'previewAlerts', { query }, FAILED.loadAlerts));

export const useSendTestAlert = () => useApiMutation('sendTestAlert', FAILED.sendTest);

export const useStatusPage = () =>
  useQuery(apiQuery(['status-page'], 'getStatusPage', {}, FAILED.loadSettings));
export const useSaveStatusPage = () =>
  useApiMutation('saveStatusPage', FAILED.saveSettings, ['status-page', 'audit']);

const templates = apiQuery(['templates'], 'listEmailTemplates', {}, FAILED.loadTemplates);
export const useTemplates = () => useQuery(templates);
export const loadTemplates = () => templates.queryFn();
export const useCreateTemplate = () =>
  useApiMutation('createEmailTemplate', FAILED.createTemplate, ['templates', 'audit'], DONE.templateCreated);

const WITH_TEMPLATES = ['templates', 'buyers', 'audit'] as const;
export const useUpdateTemplate = () =>
  useApiMutation('updateEmailTemplate', FAILED.updateTemplate, WITH_TEMPLATES, DONE.templateUpdated);
export const useDeleteTemplate = () =>
  useApiMutation('deleteEmailTemplate', FAILED.deleteTemplate, WITH_TEMPLATES, DONE.templateDeleted);
export const useTryTemplate = () => useApiMutation('tryEmailTemplate', FAILED.sendTest);
export const useSendTestEmail = () => useApiMutation('sendTestEmail', FAILED.sendTest);

/** The text of push notifications. */
const pushTemplate = apiQuery(['push-template'], 'getPushoverTemplate', {}, FAILED.loadPushTemplate);
export const usePushTemplate = () => useQuery(pushTemplate);
export const loadPushTemplate = () => pushTemplate.queryFn();
export const useSavePushTemplate = () =>
  useApiMutation(
    'savePushoverTemplate',
    FAILED.savePushTemplate,
    ['push-template', 'audit'],
    DONE.pushTemplateSaved,
  );

const CREDENTIALS = ['push-credentials', 'audit'] as const;
export const usePushCredentials = () =>
  useQuery(apiQuery(['push-credentials'], 'listPushoverCredentials', {}, FAILED.loadPushCredentials));
export const useAddPushCredential = () =>
  useApiMutation('createPushoverCredential', FAILED.addPushCredentials, CREDENTIALS, DONE.credentialsAdded);
export const useUpdatePushCredential = () =>
  useApiMutation('updatePushoverCredential', FAILED.updatePushCredentials, CREDENTIALS);
export const useDeletePushCredential = () =>
  useApiMutation(
    'deletePushoverCredential',
    FAILED.deletePushCredentials,
    CREDENTIALS,
    DONE.credentialsDeleted,
  );
export const useSendTestPush = () => useApiMutation('sendTestPush', FAILED.sendTest);
