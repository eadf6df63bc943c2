import type { ChannelDescriptor } from '#shared/channels/descriptor';
import { CHANNEL_NAMES } from '#shared/channels/names';

export const heroleads = {
  ...CHANNEL_NAMES.heroleads,
  form: { legend: 'Delivery to the lead broker (HL)', toggle: 'Use the lead-broker API' },
  requiredFor: 'lead broker delivery',
  fields: [
    {
      name: 'heroleads_api_key',
      kind: 'secret',
      label: 'API key',
      sentTo: [],
      required: true,
    },
    {
      name: 'heroleads_lead_type_id',
      kind: 'text',
      label: 'Lead type ID',
      maxLength: 50,
      required: true,
    },
    {
      name: 'custom_data_mapping',
      kind: 'mapping',
      label: 'Custom Data Mapping',
      keys: /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
      keysText: 'not a field name',
      example: '{ "amount": "anlagebetrag", "months": "laufzeit" }',
      // The SellAnyLead channel uses this mapping as well.
      shownWhenOff: true,
    },
  ],
} as const satisfies ChannelDescriptor;
