import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import type { Rights } from '#shared/contract/roles';
import { ROLE_NAMES } from '../data/rights';

/** A viewer with the right to export is a choice of its own. */
const CHOICES = {
  admin: { label: 'Admin: everything', rights: { role: 'admin', exports_personal_data: true } },
  operations: {
    label: 'Operations: no settings, keys, admins or erasure',
    rights: { role: 'operations', exports_personal_data: true },
  },
  viewer: { label: 'Viewer: reads only', rights: { role: 'viewer', exports_personal_data: false } },
  exporter: {
    label: 'Viewer, with exports of personal data',
    rights: { role: 'viewer', exports_personal_data: true },
  },
} as const satisfies Record<string, { readonly label: string; readonly rights: Rights }>;

const choiceOf = (rights: Rights) =>
  Object.entries(CHOICES).find(
    ([, choice]) =>
      choice.rights.role === rights.role &&
      choice.rights.exports_personal_data === rights.exports_personal_data,
  );

export const roleText = (rights: Rights): string => choiceOf(rights)?.[1].label ?? ROLE_NAMES[rights.role];

const OPTIONS = Object.entries(CHOICES).map(([value, { label }]) => ({ value, label }));

interface Props extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  readonly rights: Rights;
  readonly choose: (rights: Rights) => void;
}

export function RoleSelect({ rights, choose, ...props }: Props) {
  return (
    <NativeSelect
      data={OPTIONS}
      value={choiceOf(rights)?.[0]}
      onChange={({ currentTarget: { value } }) => {
        const next = Object.entries(CHOICES).find(([name]) => name === value);
        if (next !== undefined) choose(next[1].rights);
      }}
      {...props}
    />
  );
}
