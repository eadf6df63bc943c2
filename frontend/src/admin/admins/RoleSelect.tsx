import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import type { Rights } from '#shared/contract/roles';

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

const OPTIONS = Object.entries(CHOICES).map(([value, { label }]) => ({ value, label }));

interface Props extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  readonly rights: Rights;
  readonly choose: (rights: Rights) => void;
}

export function RoleSelect({ rights, choose, ...props }: Props) {
  const isChosen = ({ role, exports_personal_data }: Rights) =>
    role === rights.role && exports_personal_data === rights.exports_personal_data;
  const chosen = Object.entries(CHOICES).find(([, choice]) => isChosen(choice.rights));
  return (
    <NativeSelect
      data={OPTIONS}
      value={chosen?.[0]}
      onChange={({ currentTarget: { value } }) => {
        const next = Object.entries(CHOICES).find(([name]) => name === value);
        if (next !== undefined) choose(next[1].rights);
      }}
      {...props}
    />
  );
}
