import type { Scope } from '#shared/contract/scopes';

export const SCOPE_TEXTS: Readonly<Record<Scope, { readonly label: string; readonly about: string }>> = {
  read: {
    label: 'Read',
    about: 'Leads, orders, buyers, claims and figures. Includes personal data of leads.',
  },
  leads: { label: 'Leads', about: 'Create leads; assign, distribute and discard pending ones; claims.' },
  orders: { label: 'Orders', about: 'Create, change and renew orders.' },
};
