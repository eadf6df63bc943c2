import { useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { FAILED } from '../texts';
import { useAction } from './action';

export type Verification = Answer<'getVerificationSettings'>;
export type EmailTemplate = Answer<'listEmailTemplates'>[number];
export type NewTemplate = Sent<'createEmailTemplate', 'body'>;
export type PushCredential = Answer<'listPushoverCredentials'>[number];

export function useVerification() {
  return useQuery({
    queryKey: ['verification'],
    queryFn: ({ signal }) => call('getVerificationSettings', {}, { orElse: FAILED.loadSettings, signal }),
  });
}

export function useSaveVerification() {
  return useAction(
    (body: Verification) => call('saveVerificationSettings', { body }, { orElse: FAILED.saveSettings }),
    { refreshes: ['verification', 'audit'] },
  );
}

export function useTemplates() {
  return useQuery({
    queryKey: ['templates'],
    queryFn: ({ signal }) => call('listEmailTemplates', {}, { orElse: FAILED.loadTemplates, signal }),
  });
}

export function useCreateTemplate() {
  return useAction(
    (body: NewTemplate) => call('createEmailTemplate', { body }, { orElse: FAILED.createTemplate }),
    { refreshes: ['templates', 'audit'] },
  );
}

export function useUpdateTemplate() {
  return useAction(
    ({ id, body }: { id: string; body: Sent<'updateEmailTemplate', 'body'> }) =>
      call('updateEmailTemplate', { params: { id }, body }, { orElse: FAILED.updateTemplate }),
    { refreshes: ['templates', 'audit'] },
  );
}

export function useDeleteTemplate() {
  return useAction(
    (id: string) => call('deleteEmailTemplate', { params: { id } }, { orElse: FAILED.deleteTemplate }),
    { refreshes: ['templates', 'buyers', 'audit'] },
  );
}

export function useSendTestEmail() {
  return useAction(
    ({ id, to }: { id: string; to: string }) =>
      call('sendTestEmail', { params: { id }, body: { to } }, { orElse: FAILED.sendTest }),
    { refreshes: [] },
  );
}

export function usePushTemplate() {
  return useQuery({
    queryKey: ['push-template'],
    queryFn: async ({ signal }) => {
      const { template } = await call('getPushoverTemplate', {}, { orElse: FAILED.loadPushTemplate, signal });
      return template;
    },
  });
}

export function useSavePushTemplate() {
  return useAction(
    (template: string) =>
      call('savePushoverTemplate', { body: { template } }, { orElse: FAILED.savePushTemplate }),
    { refreshes: ['push-template', 'audit'] },
  );
}

export function usePushCredentials() {
  return useQuery({
    queryKey: ['push-credentials'],
    queryFn: ({ signal }) =>
      call('listPushoverCredentials', {}, { orElse: FAILED.loadPushCredentials, signal }),
  });
}

export function useAddPushCredential() {
  return useAction(
    (body: Sent<'createPushoverCredential', 'body'>) =>
      call('createPushoverCredential', { body }, { orElse: FAILED.addPushCredentials }),
    { refreshes: ['push-credentials', 'audit'] },
  );
}

export function useTogglePushCredential() {
  return useAction(
    ({ id, body }: { id: string; body: Sent<'updatePushoverCredential', 'body'> }) =>
      call('updatePushoverCredential', { params: { id }, body }, { orElse: FAILED.updatePushCredentials }),
    { refreshes: ['push-credentials', 'audit'] },
  );
}

export function useDeletePushCredential() {
  return useAction(
    (id: string) =>
      call('deletePushoverCredential', { params: { id } }, { orElse: FAILED.deletePushCredentials }),
    { refreshes: ['push-credentials', 'audit'] },
  );
}

export function useSendTestPush() {
  return useAction((id: string) => call('sendTestPush', { params: { id } }, { orElse: FAILED.sendTest }), {
    refreshes: [],
  });
}
