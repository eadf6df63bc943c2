import { useQuery } from '@tanstack/react-query';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { FAILED } from '../texts';
import { useApiMutation } from './mutation';

export type Verification = Answer<'getVerificationSettings'>;
export type EmailTemplate = Answer<'listEmailTemplates'>[number];
export type NewTemplate = Sent<'createEmailTemplate', 'body'>;
export type PushCredential = Answer<'listPushoverCredentials'>[number];

export function useVerification() {
  return useQuery({
    queryKey: ['verification'],
    queryFn: ({ signal }) =>
      call('getVerificationSettings', {}, { fallbackText: FAILED.loadSettings, signal }),
  });
}

export function useSaveVerification() {
  return useApiMutation(
    (body: Verification) => call('saveVerificationSettings', { body }, { fallbackText: FAILED.saveSettings }),
    { invalidates: ['verification', 'audit'] },
  );
}

export function useTemplates() {
  return useQuery({
    queryKey: ['templates'],
    queryFn: ({ signal }) => call('listEmailTemplates', {}, { fallbackText: FAILED.loadTemplates, signal }),
  });
}

export function useCreateTemplate() {
  return useApiMutation(
    (body: NewTemplate) => call('createEmailTemplate', { body }, { fallbackText: FAILED.createTemplate }),
    { invalidates: ['templates', 'audit'] },
  );
}

export function useUpdateTemplate() {
  return useApiMutation(
    ({ id, body }: { id: string; body: Sent<'updateEmailTemplate', 'body'> }) =>
      call('updateEmailTemplate', { params: { id }, body }, { fallbackText: FAILED.updateTemplate }),
    { invalidates: ['templates', 'audit'] },
  );
}

export function useDeleteTemplate() {
  return useApiMutation(
    (id: string) => call('deleteEmailTemplate', { params: { id } }, { fallbackText: FAILED.deleteTemplate }),
    { invalidates: ['templates', 'buyers', 'audit'] },
  );
}

export function useSendTestEmail() {
  return useApiMutation(
    ({ id, to }: { id: string; to: string }) =>
      call('sendTestEmail', { params: { id }, body: { to } }, { fallbackText: FAILED.sendTest }),
    { invalidates: [] },
  );
}

export function usePushTemplate() {
  return useQuery({
    queryKey: ['push-template'],
    queryFn: async ({ signal }) => {
      const { template } = await call(
        'getPushoverTemplate',
        {},
        { fallbackText: FAILED.loadPushTemplate, signal },
      );
      return template;
    },
  });
}

export function useSavePushTemplate() {
  return useApiMutation(
    (template: string) =>
      call('savePushoverTemplate', { body: { template } }, { fallbackText: FAILED.savePushTemplate }),
    { invalidates: ['push-template', 'audit'] },
  );
}

export function usePushCredentials() {
  return useQuery({
    queryKey: ['push-credentials'],
    queryFn: ({ signal }) =>
      call('listPushoverCredentials', {}, { fallbackText: FAILED.loadPushCredentials, signal }),
  });
}

export function useAddPushCredential() {
  return useApiMutation(
    (body: Sent<'createPushoverCredential', 'body'>) =>
      call('createPushoverCredential', { body }, { fallbackText: FAILED.addPushCredentials }),
    { invalidates: ['push-credentials', 'audit'] },
  );
}

export function useTogglePushCredential() {
  return useApiMutation(
    ({ id, body }: { id: string; body: Sent<'updatePushoverCredential', 'body'> }) =>
      call(
        'updatePushoverCredential',
        { params: { id }, body },
        { fallbackText: FAILED.updatePushCredentials },
      ),
    { invalidates: ['push-credentials', 'audit'] },
  );
}

export function useDeletePushCredential() {
  return useApiMutation(
    (id: string) =>
      call('deletePushoverCredential', { params: { id } }, { fallbackText: FAILED.deletePushCredentials }),
    { invalidates: ['push-credentials', 'audit'] },
  );
}

export function useSendTestPush() {
  return useApiMutation(
    (id: string) => call('sendTestPush', { params: { id } }, { fallbackText: FAILED.sendTest }),
    {
      invalidates: [],
    },
  );
}
