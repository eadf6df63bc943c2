import type { Preset } from '#shared/channels/channels';
import { rule } from '#shared/channels/preset-fields';

const NO_SIGNATURE = { http_signature: 'none' } as const;
const POST = { http_method: 'POST', http_headers: [], ...NO_SIGNATURE } as const;

export const HTTP_PRESETS: readonly Preset[] = [
  {
    id: 'json',
    label: 'JSON',
    values: {
      ...POST,
      http_body_kind: 'json',
      http_body: `{
  "id": "$$lead_id$$",
  "salutation": "$$anrede$$",
  "first_name": "$$vorname$$",
  "last_name": "$$nachname$$",
  "email": "$$email$$",
  "phone": "$$telefon:e164$$",
  "amount": $$anlagebetrag$$,
  "term_months": $$laufzeit$$
}`,
      http_rules: [rule('status', '409', 'duplicate')],
      http_id_path: 'id',
    },
  },
  {
    id: 'form',
    label: 'Form',
    values: {
      ...POST,
      http_body_kind: 'form',
      http_body: `id=$$lead_id$$
first_name=$$vorname$$
last_name=$$nachname$$
email=$$email$$
phone=$$telefon:e164$$
amount=$$anlagebetrag:decimal$$
term_months=$$laufzeit$$`,
      http_rules: [rule('text', 'duplicate', 'duplicate')],
      http_id_path: null,
    },
  },
  {
    id: 'xml',
    label: 'XML',
    values: {
      ...POST,
      http_body_kind: 'xml',
      http_body: `<?xml version="1.0" encoding="UTF-8"?>
<lead id="$$lead_id$$">
  <salutation>$$anrede$$</salutation>
  <firstName>$$vorname$$</firstName>
  <lastName>$$nachname$$</lastName>
  <email>$$email$$</email>
  <phone>$$telefon:e164$$</phone>
  <amount currency="EUR">$$anlagebetrag:decimal$$</amount>
  <received>$$date:iso$$</received>
</lead>`,
      http_rules: [],
      http_id_path: null,
    },
  },
  {
    id: 'crm',
    label: 'CRM with nested contact and custom fields',
    values: {
      ...POST,
      http_auth: 'bearer',
      http_body_kind: 'json',
      http_headers: [{ name: 'Idempotency-Key', value: '$$lead_id$$' }],
      http_body: `{
  "externalId": "$$lead_id$$",
  "source": "$$src$$",
  "contact": {
    "title": "$$anrede:english$$",
    "firstName": "$$vorname$$",
    "lastName": "$$nachname$$",
    "emails": ["$$email$$"],
    "phones": [{ "type": "main", "number": "$$telefon:e164$$" }]
  },
  "customFields": [
    { "key": "amount", "value": $$anlagebetrag:integer$$ },
    { "key": "termMonths", "value": $$laufzeit$$ },
    { "key": "receivedAt", "value": "$$date:iso$$" }
  ],
  "owner": null,
  "tags": []
}`,
      http_rules: [rule('status', '409', 'duplicate'), rule('status', '400, 422', 'refused')],
      http_id_path: 'data.id',
    },
  },
  {
    id: 'lead-platform',
    label: 'Lead platform with the key in the body (like LeadByte)',
    values: {
      ...POST,
      http_auth: 'macro',
      http_body_kind: 'json',
      http_body: `{
  "key": "$$secret$$",
  "leads": [
    {
      "campid": "",
      "sid": "$$src$$",
      "title": "$$anrede:english$$",
      "firstname": "$$vorname$$",
      "lastname": "$$nachname$$",
      "email": "$$email$$",
      "phone1": "$$telefon:e164$$",
      "amount": "$$anlagebetrag:decimal$$",
      "ssid": "$$lead_id$$"
    }
  ]
}`,
      http_rules: [
        rule('path', '1', 'accepted', 'code'),
        rule('path', '-2', 'duplicate', 'code'),
        rule('path', '-4', 'retry', 'code'),
        rule('path', '-5', 'refused', 'code'),
      ],
      http_id_path: 'leadId',
    },
  },
];
