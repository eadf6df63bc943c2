import { useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { FAILED } from '../texts';
import { useApiMutation } from './mutation';

export type Verification = Answer<'getVerificationSettings'>;
export type EmailTemplate = Answer<'listEmailTemplates'>[number];
export type PushCredential = Answer<'listPushoverCredentials'>[number];

/** The verification settings as they are stored at this moment. */
export const loadVerification = (signal?: AbortSignal) =>
  call('getVerificationSettings', {}, { fallbackText: FAILED.loadSettings, ...(signal && { signal }) });

export function useVerification() {
  return useQuery({ queryKey: ['verification'], queryFn: ({ signal }) => loadVerification(signal) });
}

export const useSaveVerification = () =>
  useApiMutation('saveVerificationSettings', FAILED.saveSettings, ['verification', 'audit']);

export type RetentionDays = Answer<'getRetention'>['days'];
export type RetentionPreview = Answer<'previewRetention'>['kinds'][number];

/** The retention as it is stored at this moment. */
export const loadRetention = (signal?: AbortSignal) =>
  call('getRetention', {}, { fallbackText: FAILED.loadRetention, ...(signal && { signal }) });

export function useRetention() {
  return useQuery({ queryKey: ['retention'], queryFn: ({ signal }) => loadRetention(signal) });
}

/** What would be erased with these days; undefined asks nothing. */
export function useRetentionPreview(days: RetentionDays | undefined) {
  const { delivered, pending, rejected } = days ?? {};
  const query = {
    ...(delivered && { delivered }),
    ...(pending && { pending }),
    ...(rejected && { rejected }),
  };
  return useQuery({
    queryKey: ['retention-preview', query],
    queryFn: ({ signal }) =>
      call('previewRetention', { query }, { fallbackText: FAILED.previewRetention, signal }),
    enabled: days !== undefined && Object.keys(query).length > 0,
  });
}

export const useSaveRetention = () =>
  useApiMutation('saveRetention', FAILED.saveSettings, ['retention', 'audit']);

export type Alerts = Answer<'getAlertSettings'>;
export type AlertSettings = Alerts['settings'];
export type AlertFound = Answer<'previewAlerts'>['found'][number];
export type AlertThresholds = Sent<'previewAlerts', 'query'>;

/** Who is alerted of what, as it is stored at this moment. */
export const loadAlerts = (signal?: AbortSignal) =>
  call('getAlertSettings', {}, { fallbackText: FAILED.loadAlerts, ...(signal && { signal }) });

export function useAlerts() {
  return useQuery({ queryKey: ['alerts'], queryFn: ({ signal }) => loadAlerts(signal) });
}

/** What would be alerted of now, by the stored numbers or by others. */
export function useAlertsNow(query: AlertThresholds = {}) {
  return useQuery({
    queryKey: ['alerts', 'now', query],
    queryFn: ({ signal }) => call('previewAlerts', { query }, { fallbackText: FAILED.loadAlerts, signal }),
  });
}

export const useSaveAlerts = () =>
  useApiMutation('saveAlertSettings', FAILED.saveSettings, ['alerts', 'audit']);

export const useSendTestAlert = () => useApiMutation('sendTestAlert', FAILED.sendTest);

export function useStatusPage() {
  return useQuery({
    queryKey: ['status-page'],
    queryFn: ({ signal }) => call('getStatusPage', {}, { fallbackText: FAILED.loadSettings, signal }),
  });
}

export const useSaveStatusPage = () =>
  useApiMutation('saveStatusPage', FAILED.saveSettings, ['status-page', 'audit']);

/** The templates as they are stored at this moment. */
export const loadTemplates = (signal?: AbortSignal) =>
  call('listEmailTemplates', {}, { fallbackText: FAILED.loadTemplates, ...(signal && { signal }) });

export function useTemplates() {
  return useQuery({ queryKey: ['templates'], queryFn: ({ signal }) => loadTemplates(signal) });
}

export const useCreateTemplate = () =>
  useApiMutation('createEmailTemplate', FAILED.createTemplate, ['templates', 'audit']);

export const useUpdateTemplate = () =>
  useApiMutation('updateEmailTemplate', FAILED.updateTemplate, ['templates', 'buyers', 'audit']);

export const useDeleteTemplate = () =>
  useApiMutation('deleteEmailTemplate', FAILED.deleteTemplate, ['templates', 'buyers', 'audit']);

export const useTryTemplate = () => useApiMutation('tryEmailTemplate', FAILED.sendTest);

export const useSendTestEmail = () => useApiMutation('sendTestEmail', FAILED.sendTest);

/** The text of push notifications as it is stored at this moment. */
export async function loadPushTemplate(signal?: AbortSignal): Promise<string> {
  const options = { fallbackText: FAILED.loadPushTemplate, ...(signal && { signal }) };
  return (await call('getPushoverTemplate', {}, options)).template;
}

export function usePushTemplate() {
  return useQuery({ queryKey: ['push-template'], queryFn: ({ signal }) => loadPushTemplate(signal) });
}

export const useSavePushTemplate = () =>
  useApiMutation('savePushoverTemplate', FAILED.savePushTemplate, ['push-template', 'audit']);

export function usePushCredentials() {
  return useQuery({
    queryKey: ['push-credentials'],
    queryFn: ({ signal }) =>
      call('listPushoverCredentials', {}, { fallbackText: FAILED.loadPushCredentials, signal }),
  });
}

export const useAddPushCredential = () =>
  useApiMutation('createPushoverCredential', FAILED.addPushCredentials, ['push-credentials', 'audit']);

export const useUpdatePushCredential = () =>
  useApiMutation('updatePushoverCredential', FAILED.updatePushCredentials, ['push-credentials', 'audit']);

export const useDeletePushCredential = () =>
  useApiMutation('deletePushoverCredential', FAILED.deletePushCredentials, ['push-credentials', 'audit']);

export const useSendTestPush = () => useApiMutation('sendTestPush', FAILED.sendTest);
