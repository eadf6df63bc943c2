import { useQuery } from '@tanstack/react-query';
import { isAllowed, type Needs } from '#shared/contract/roles';
import { apiQuery } from './query';

/** @returns whether the admin's role allows what needs these rights; true until the role is known, as the server decides */
export function useMay(): (needs: Needs, isOwn?: boolean) => boolean {
  const { data: { role, exports_personal_data = false } = {} } = useQuery(
    apiQuery(['admins', 'rights'], 'checkAuth', {}),
  );
  return (needs, isOwn) => role === undefined || isAllowed({ role, exports_personal_data }, needs, isOwn);
}
