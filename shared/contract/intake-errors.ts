/** What the calls of sources answer besides success, for whoever writes the program that posts. */

export interface IntakeError {
  readonly status: number;
  /** Null where something before the API answers, whose body has no code. */
  readonly code: string | null;
  readonly meaning: string;
  readonly remedy: string;
}

/** In the order of their statuses. The code of a refusal is one of these, or it does not compile. */
export const INTAKE_ERRORS = [
  {
    status: 400,
    code: 'invalid_json',
    meaning: 'The body is not JSON: it breaks off, or holds half a character. Nothing was taken in.',
    remedy: 'Mend the body.',
  },
  {
    status: 400,
    code: 'invalid_input',
    meaning:
      'The body is no object, or “leads” is no list of objects, empty or too long. Nothing was taken in.',
    remedy: 'Mend the body; the field “fields” of the answer names what is wrong.',
  },
  {
    status: 400,
    code: 'too_many_leads',
    meaning: 'One call brings more leads than may come in a minute. Nothing was taken in.',
    remedy: 'Send fewer leads a call.',
  },
  {
    status: 401,
    code: 'invalid_key',
    meaning: 'The header “Authorization” is missing, or its key is none, was mistyped or was revoked.',
    remedy: 'Check the key; ask for another one.',
  },
  {
    status: 403,
    code: 'source_paused',
    meaning: 'The source is paused. Nothing was taken in.',
    remedy: 'Ask when it opens again, and keep the leads until then.',
  },
  {
    status: 403,
    code: 'source_full',
    meaning: 'All leads that were agreed have come in.',
    remedy: 'Stop, or agree on more.',
  },
  {
    status: 403,
    code: 'address_refused',
    meaning: 'The call came from an IP address that was not agreed.',
    remedy: 'Send from the agreed addresses, or ask to add yours.',
  },
  {
    status: 403,
    code: 'foreign_origin',
    meaning: 'A browser posted from a web page that was not agreed.',
    remedy: 'Ask to add the origin of the page.',
  },
  {
    status: 404,
    code: 'lead_not_found',
    meaning: 'Asked for a lead: none was taken in under this ID.',
    remedy: 'Post it.',
  },
  {
    status: 409,
    code: 'external_id_reused',
    meaning: 'The ID was used for a lead with other content. Nothing was changed.',
    remedy: 'Give every lead an ID of its own.',
  },
  {
    status: 413,
    code: 'payload_too_large',
    meaning: 'The body is too large. Nothing was taken in.',
    remedy: 'Send fewer leads a call.',
  },
  {
    status: 415,
    code: 'unsupported_media_type',
    meaning: 'The header “Content-Type” names neither JSON nor a form.',
    remedy: 'Set the header.',
  },
  {
    status: 429,
    code: 'too_many_leads',
    meaning: 'The limit of the minute or the day is reached. Nothing of the call was taken in.',
    remedy: 'Send the same again after as many seconds as the header “Retry-After” says.',
  },
  {
    status: 429,
    code: null,
    meaning: 'Too many calls at the same moment.',
    remedy: 'Send the same again a few seconds later.',
  },
  {
    status: 500,
    code: 'internal_error',
    meaning: 'Something went wrong on our side; some of the leads may have been taken in.',
    remedy: 'Send the same again: no lead is taken in twice. If it stays, name the “request_id”.',
  },
  {
    status: 503,
    code: null,
    meaning: 'No answer in time, also as 502 and 504; some of the leads may have been taken in.',
    remedy: 'Send the same again: no lead is taken in twice.',
  },
] as const satisfies readonly IntakeError[];

export type IntakeErrorCode = NonNullable<(typeof INTAKE_ERRORS)[number]['code']>;
