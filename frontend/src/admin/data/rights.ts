import { useQuery } from '@tanstack/react-query';
import { isAllowed, RESTRICTED, type RestrictedId } from '#shared/contract/roles';
import { RIGHTS_KEY } from '../../app/auth';
import { apiQuery } from './query';

/** Asks for a call; `isOwn` if it is about the admin's own account. */
export type May = (id: RestrictedId, isOwn?: boolean) => boolean;

/** @returns whether the admin's role allows a call; true until the role is known, as the server decides */
export function useMay(): May {
  const { data: { role, exports_personal_data = false } = {} } = useQuery(
    apiQuery(RIGHTS_KEY, 'checkAuth', {}),
  );
  return (id, isOwn) =>
    role === undefined || isAllowed({ role, exports_personal_data }, RESTRICTED[id], isOwn);
}
