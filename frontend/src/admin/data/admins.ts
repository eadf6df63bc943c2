import { useQuery } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';

import { apiQuery } from './query';

export type Admins = Answer<'listAdmins'>;
export type Admin = Admins['admins'][number];
export type Invitation = Admins['invitations'][number];
export type AdminSession = Answer<'listSessions'>['sessions'][number];
export type OwnPasskey = Answer<'listPasskeys'>['passkeys'][number];
export type ApiKey = Answer<'listApiKeys'>['keys'][number];
export type MadeLink = Answer<'inviteAdmin'>;

/** Makes a call that needs reauthentication, and asks for it. */
export type WithReauthentication = <T>(act: () => Promise<T>) => Promise<T>;

export const useAdmins = () => useQuery(apiQuery(['admins'], 'listAdmins', {}));

/** Below the admins, so that a change of them loads the keys again. */
export const useApiKeys = () => useQuery(apiQuery(['admins', 'keys'], 'listApiKeys', {}));

export const useSessions = (username: string) =>
  useQuery(apiQuery(['admins', 'sessions', username], 'listSessions', { params: { username } }));

/** The admin's own passkeys, and the remaining recovery codes. */
export const usePasskeys = () => useQuery(apiQuery(['admins', 'passkeys'], 'listPasskeys', {}));
