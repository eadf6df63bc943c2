import { useQuery } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import { call, type Input, type JsonEndpoint } from '../../app/api';
import { FAILED } from '../texts';
import { useWrite } from './mutation';

export type Admins = Answer<'listAdmins'>;
export type Admin = Admins['admins'][number];
export type Invitation = Admins['invitations'][number];
export type AdminSession = Answer<'listSessions'>['sessions'][number];
export type OwnPasskey = Answer<'listPasskeys'>['passkeys'][number];
export type MadeLink = Answer<'inviteAdmin'>;

/** Makes a call that is refused until the admin confirms who it is, and asks for that. */
export type WithProof = <T>(act: () => Promise<T>) => Promise<T>;

export function useAdmins() {
  return useQuery({
    queryKey: ['admins'],
    queryFn: ({ signal }) => call('listAdmins', {}, { fallbackText: FAILED.loadAdmins, signal }),
  });
}

export function useSessions(username: string) {
  return useQuery({
    queryKey: ['admins', 'sessions', username],
    queryFn: ({ signal }) =>
      call('listSessions', { params: { username } }, { fallbackText: FAILED.loadSessions, signal }),
  });
}

/** The own ones, and the recovery codes that are left. */
export function usePasskeys() {
  return useQuery({
    queryKey: ['admins', 'passkeys'],
    queryFn: ({ signal }) => call('listPasskeys', {}, { fallbackText: FAILED.loadPasskeys, signal }),
  });
}

/** A call that changes who may log in, or how. */
export function useAdminWrite<Id extends JsonEndpoint>(
  id: Id,
  fallbackText: string,
  withProof: WithProof = (act) => act(),
) {
  return useWrite(
    (input: Input<Id>) => withProof(() => call(id, input, { fallbackText })),
    ['admins', 'audit'],
  );
}
