import { useQuery } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import { call, type Input, type JsonEndpoint } from '../../app/api';
import { FAILED } from '../texts';
import { type Said, useSaid, useWrite } from './mutation';
import { apiQuery } from './query';

export type Admins = Answer<'listAdmins'>;
export type Admin = Admins['admins'][number];
export type Invitation = Admins['invitations'][number];
export type AdminSession = Answer<'listSessions'>['sessions'][number];
export type OwnPasskey = Answer<'listPasskeys'>['passkeys'][number];
export type MadeLink = Answer<'inviteAdmin'>;

/** Makes a call that is refused until the admin confirms who it is, and asks for that. */
export type WithProof = <T>(act: () => Promise<T>) => Promise<T>;

export const useAdmins = () => useQuery(apiQuery(['admins'], 'listAdmins', {}, FAILED.loadAdmins));

export const useSessions = (username: string) =>
  useQuery(
    apiQuery(['admins', 'sessions', username], 'listSessions', { params: { username } }, FAILED.loadSessions),
  );

/** The own ones, and the recovery codes that are left. */
export const usePasskeys = () =>
  useQuery(apiQuery(['admins', 'passkeys'], 'listPasskeys', {}, FAILED.loadPasskeys));

/** A call that changes who may log in, or how. */
export function useAdminWrite<Id extends JsonEndpoint>(
  id: Id,
  fallbackText: string,
  { withProof = (act) => act(), said }: { readonly withProof?: WithProof; readonly said?: Said<Id> } = {},
) {
  return useWrite(
    (input: Input<Id>) => withProof(() => call(id, input, { fallbackText })),
    ['admins', 'audit'],
    useSaid(said),
  );
}
