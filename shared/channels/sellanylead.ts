import type { ChannelDescriptor } from '#shared/channels/descriptor';

export const sellanylead = {
  id: 'sellanylead',
  flag: 'use_sellanylead_api',
  label: 'SellAnyLead',
  badge: 'SAL',
  form: { legend: 'Delivery to SellAnyLead (SAL)', toggle: 'Use the SellAnyLead API' },
  requiredFor: 'SellAnyLead delivery',
  fields: [],
} as const satisfies ChannelDescriptor;
