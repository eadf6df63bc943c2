import type { ChannelDescriptor } from '#shared/channels/descriptor';
import { CHANNEL_NAMES } from '#shared/channels/names';
import { presetFields } from '#shared/channels/preset-fields';

/** This API is not documented publicly, so the request is assumed. */
export const SELLANYLEAD_REQUEST = `POST https://api.sellanylead.com/api/leads
Authorization: Bearer $$secret$$

{
  "external_id": "$$lead_id$$",
  "salutation": "$$anrede$$",
  "first_name": "$$vorname$$",
  "last_name": "$$nachname$$",
  "email": "$$email$$",
  "phone": "$$telefon:e164$$",
  "amount": "$$anlagebetrag$$",
  "term_months": "$$laufzeit$$",
  "click_id": "$$clickId$$",
  "source": "$$src$$",
  "custom_data": $$custom_data$$
}`;

export const sellanylead = {
  ...CHANNEL_NAMES.sellanylead,
  form: { legend: 'Delivery to SellAnyLead (SAL)', toggle: 'Use the SellAnyLead API' },
  requiredFor: 'SellAnyLead delivery',
  console: true,
  fields: [
    {
      name: 'sellanylead_api_key',
      kind: 'secret',
      label: 'SellAnyLead API key',
      description: 'Without a key, headers with $$secret$$ are omitted.',
      sentTo: ['sellanylead_request'],
    },
    ...presetFields('sellanylead', SELLANYLEAD_REQUEST),
  ],
} as const satisfies ChannelDescriptor;
