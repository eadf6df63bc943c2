import type { Company } from '#functions/data/administration/company';
import type { Endpoints } from '#functions/data/sources/endpoints';
import type { Source } from '#functions/data/sources/source';
import { settingsOf } from '#functions/domain/sources/sources';
import { INTAKE_ERRORS } from '#shared/contract/intake-errors';
import {
  CLAIMS,
  EVENTS,
  intakeFields,
  OUTCOMES,
  PREDICTED_OUTCOME_MEANINGS,
  REASONS,
  STATES,
} from '#shared/contract/intake-specification';
import { routes } from '#shared/contract/routes';
import type { Answer } from '#shared/contract/schemas';
import { MAX_BODY_BYTES, MAX_LEADS_PER_INTAKE, SAME_ANSWER_DAYS } from '#shared/rules/constants';

interface Around extends Pick<Endpoints, 'webhook'>, Pick<Company, 'privacy_url'> {
  readonly texts: Answer<'listConsentTexts'>;
}

/** Without the source's name, which is for admins. */
export function specificationAnswer(
  baseUrl: string,
  token: string,
  source: Source,
  { webhook, texts, privacy_url }: Around,
): Answer<'viewSpecification'> {
  const settings = settingsOf(source);
  const { src, state, per_minute, per_day, in_total, window_days, on_duplicate } = settings;
  const { origins, sees_buyers, consent, double_opt_in } = settings;
  return {
    src,
    state,
    address: `${baseUrl}${routes.postIntake.path}`,
    openapi_url: `${baseUrl}${routes.getIntakeOpenApi.path.replace('{token}', token)}`,
    fields: intakeFields(source).map((field) => ({ ...field, choices: [...field.choices] })),
    consent,
    consent_texts: texts.map(({ text_id, text }) => ({ text_id, text })),
    double_opt_in,
    privacy_url: privacy_url || null,
    outcomes: [...OUTCOMES],
    predicted_outcome: [...PREDICTED_OUTCOME_MEANINGS],
    states: [...STATES],
    reasons: REASONS,
    claims: [...CLAIMS],
    webhook_events: EVENTS.filter(({ value }) => webhook?.events.some((event) => event === value)),
    errors: [...INTAKE_ERRORS],
    leads_per_call: MAX_LEADS_PER_INTAKE,
    body_kilobytes: MAX_BODY_BYTES / 1024,
    per_minute,
    per_day,
    in_total,
    window_days,
    on_duplicate,
    same_answer_days: SAME_ANSWER_DAYS,
    origins,
    by_address: source.addresses.length > 0,
    sees_buyers,
  };
}
