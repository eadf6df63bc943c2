/** Error answers to sources, for the developers of the programs that post leads. */

export interface IntakeError {
  readonly status: number;
  readonly code: string | null;
  readonly meaning: string;
  readonly remedy: string;
}

/** By status. A code that is not listed does not compile. */
export const INTAKE_ERRORS = [
  {
    status: 400,
    code: 'invalid_json',
    meaning: 'The body is not valid JSON. No lead was accepted.',
    remedy: 'Correct the body.',
  },
  {
    status: 400,
    code: 'invalid_input',
    meaning:
      'The body is not an object, or “leads” is not a list of objects, is empty or too long. No lead was accepted.',
    remedy: 'Correct the body. “fields” in the answer names the errors.',
  },
  {
    status: 400,
    code: 'too_many_leads',
    meaning: 'One call contains more leads than the limit per minute. No lead was accepted.',
    remedy: 'Send fewer leads per call.',
  },
  {
    status: 401,
    code: 'invalid_key',
    meaning: 'The header “Authorization” is missing, or its key is invalid or revoked.',
    remedy: 'Check the key or ask for a new one.',
  },
  {
    status: 403,
    code: 'source_paused',
    meaning: 'The source is paused. No lead was accepted.',
    remedy: 'Ask when the source resumes, and keep the leads until then.',
  },
  {
    status: 403,
    code: 'source_full',
    meaning: 'The agreed total of leads is reached.',
    remedy: 'Stop sending, or agree on a higher total.',
  },
  {
    status: 403,
    code: 'address_refused',
    meaning: 'The call came from an IP address that is not allowed.',
    remedy: 'Send from an allowed address, or ask to add yours.',
  },
  {
    status: 403,
    code: 'foreign_origin',
    meaning: 'A browser posted from a web page that is not allowed.',
    remedy: 'Ask to add the page’s origin.',
  },
  {
    status: 404,
    code: 'lead_not_found',
    meaning: 'No lead was accepted with this ID.',
    remedy: 'Post the lead.',
  },
  {
    status: 409,
    code: 'external_id_reused',
    meaning: 'The ID was used for a lead with different content. Nothing was changed.',
    remedy: 'Use a unique ID for every lead.',
  },
  {
    status: 413,
    code: 'payload_too_large',
    meaning: 'The body is too large. No lead was accepted.',
    remedy: 'Send fewer leads per call.',
  },
  {
    status: 415,
    code: 'unsupported_media_type',
    meaning: 'The header “Content-Type” must be JSON or a form.',
    remedy: 'Set the header.',
  },
  {
    status: 429,
    code: 'too_many_leads',
    meaning: 'The limit per minute or per day is reached. No lead of this call was accepted.',
    remedy: 'Repeat the call after the seconds given in “Retry-After”.',
  },
  {
    status: 429,
    code: null,
    meaning: 'Too many calls at once.',
    remedy: 'Repeat the call a few seconds later.',
  },
  {
    status: 500,
    code: 'internal_error',
    meaning: 'An error occurred on our side. Some leads may have been accepted.',
    remedy: 'Repeat the call; no lead is accepted twice. If the error persists, tell us the “request_id”.',
  },
  {
    status: 503,
    code: null,
    meaning: 'No answer in time (also 502 and 504). Some leads may have been accepted.',
    remedy: 'Repeat the call; no lead is accepted twice.',
  },
] as const satisfies readonly IntakeError[];

export type IntakeErrorCode = NonNullable<(typeof INTAKE_ERRORS)[number]['code']>;
