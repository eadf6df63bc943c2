import type { ChannelDescriptor } from '#shared/channels/descriptor';
import { CHANNEL_NAMES } from '#shared/channels/names';

export const sellanylead = {
  ...CHANNEL_NAMES.sellanylead,
  form: { legend: 'Delivery to SellAnyLead (SAL)', toggle: 'Use the SellAnyLead API' },
  requiredFor: 'SellAnyLead delivery',
  fields: [],
} as const satisfies ChannelDescriptor;
