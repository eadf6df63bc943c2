import type { ChannelDescriptor } from '#shared/channels/descriptor';
import { CHANNEL_NAMES } from '#shared/channels/names';
import { presetFields } from '#shared/channels/preset-fields';

/**
 * This API is not documented publicly. The fields are those of Leadnodes, which has the same `lead_type_id` and `custom_data`:
 * https://support.leadnodes.com/de/articles/11645235-standard-lead-parameter
 */
export const HEROLEADS_REQUEST = `POST https://api.heroleads.de/api/leads
Authorization: Bearer $$secret$$

{
  "lead_type_id": $$lead_type_id$$,
  "gender": "$$anrede:gender$$",
  "first_name": "$$vorname$$",
  "last_name": "$$nachname$$",
  "email": "$$email$$",
  "phone": "$$telefon:e164$$",
  "country_code": "DE",
  "uuid": "$$lead_id$$",
  "campaignid": "$$src$$",
  "custom_data": $$custom_data$$
}`;

export const heroleads = {
  ...CHANNEL_NAMES.heroleads,
  form: { legend: 'Delivery to the lead broker (HL)', toggle: 'Use the lead-broker API' },
  requiredFor: 'lead broker delivery',
  console: true,
  fields: [
    {
      name: 'heroleads_api_key',
      kind: 'secret',
      label: 'API key',
      sentTo: ['heroleads_request'],
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
      alsoFor: 'use_sellanylead_api',
    },
    ...presetFields('heroleads', HEROLEADS_REQUEST),
  ],
} as const satisfies ChannelDescriptor;
