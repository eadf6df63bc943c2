/** What the roles of admins allow. `routes.ts` says what each call needs. */

export const ROLES = ['admin', 'operations', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** `personal-export` is a file with data of people; `own-account` is of the caller, or of anybody for an `admin`. */
export type Needs = 'viewer' | 'personal-export' | 'operations' | 'own-account' | 'admin';

export interface Rights {
  readonly role: Role;
  /** Viewers need it granted; the other roles have it. */
  readonly exports_personal_data: boolean;
}

/** @param isOwn whether the call is about the caller's own account */
export function isAllowed({ role, exports_personal_data }: Rights, needs: Needs, isOwn = false): boolean {
  switch (needs) {
    case 'viewer':
      return true;
    case 'personal-export':
      return exports_personal_data;
    case 'operations':
      return role !== 'viewer';
    case 'own-account':
      return isOwn || role === 'admin';
    case 'admin':
      return role === 'admin';
  }
}
