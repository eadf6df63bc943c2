import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { isAllowed, RESTRICTED, type RestrictedId, type Role } from '#shared/contract/roles';
import { RIGHTS_KEY } from '../../app/auth';
import { apiQuery } from './query';

/** Whether the admin's role allows a call; `isOwn` if it is about the own account. */
export type May = (id: RestrictedId, isOwn?: boolean) => boolean;

interface Rights {
  readonly may: May;
  readonly username?: string | undefined;
  readonly role?: Role | undefined;
}

// Until the role is known the server decides.
const RightsContext = createContext<Rights>({ may: () => true });

export function RightsProvider({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery(apiQuery(RIGHTS_KEY, 'checkAuth', {}));
  const rights = useMemo((): Rights => {
    const { role, exports_personal_data = false, username } = data ?? {};
    const may: May = (id, isOwn) =>
      role === undefined || isAllowed({ role, exports_personal_data }, RESTRICTED[id], isOwn);
    return { may, role, username };
  }, [data]);
  return <RightsContext value={rights}>{children}</RightsContext>;
}

export const useRights = (): Rights => useContext(RightsContext);

export const useMay = (): May => useRights().may;

export const ROLE_NAMES = {
  admin: 'Admin',
  operations: 'Operations',
  viewer: 'Viewer',
} as const satisfies Record<Role, string>;

interface AllowedProps {
  /** The call that the children make. */
  readonly to: RestrictedId;
  readonly isOwn?: boolean;
  readonly children: ReactNode;
}

/** Hides what the admin's role does not allow. */
export const Allowed = ({ to, isOwn, children }: AllowedProps) => (useMay()(to, isOwn) ? children : null);
