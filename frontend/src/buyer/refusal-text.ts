import { type Failure, failureText } from './failure-text';
import { de } from './messages';

/** API Gateway's own answers, which have no code. */
const GATEWAY_TEXTS: ReadonlyMap<string, string> = new Map([
  ['Forbidden', de.serverFailed],
  ['Internal Server Error', de.serverFailed],
  ['Limit Exceeded', de.tooManyCalls],
  ['Not Found', de.serverFailed],
  ['Request Too Long', de.serverFailed],
  ['Service Unavailable', de.serverFailed],
  ['Too Many Requests', de.tooManyCalls],
]);

const NO_ANSWER = `${de.noAnswer} Ihre Angaben bleiben erhalten, bitte versuchen Sie es noch einmal.`;
const RELOAD = 'Bitte laden Sie die Seite neu und versuchen Sie es noch einmal.';

/** By the server's codes. Here, because only the dialogs need them. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['changed_meanwhile', 'Diese Daten wurden gleichzeitig geändert. Bitte versuchen Sie es noch einmal.'],
  ['claim_pending', 'Ein Lead mit offener Reklamation kann nicht gelöscht werden.'],
  ['edited_meanwhile', 'Dieser Lead wurde inzwischen von jemand anderem geändert.'],
  ['foreign_origin', RELOAD],
  ['forbidden', RELOAD],
  ['invalid_input', 'Bitte prüfen Sie Ihre Angaben.'],
  ['invalid_json', 'Bitte prüfen Sie Ihre Angaben.'],
  ['lead_not_editable', 'Dieser Lead kann nicht mehr bearbeitet werden.'],
  ['lead_not_found', 'Lead nicht gefunden.'],
  ['method_not_allowed', RELOAD],
  ['not_logged_in', 'Ihre Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.'],
  ['origin_closed', RELOAD],
  ['payload_too_large', 'Diese Angaben sind zu lang.'],
  ['person_erased', 'Die Daten dieser Person wurden gelöscht. Der Lead ist nicht mehr änderbar.'],
  ['route_not_found', RELOAD],
  ['unsupported_media_type', RELOAD],
]);

/** The server refuses claims in German and everything else in English. Texts with unknown codes stay. */
export function refusalText(failure: Failure): string {
  const { code, fields, isDefault, status, message } = failure;
  if (status === 0) return NO_ANSWER;
  if (code === undefined && !isDefault) return GATEWAY_TEXTS.get(message) ?? message;
  if (code === undefined || isDefault || status === 429 || status >= 500) return failureText(failure);
  // Only the reason of a claim is refused in German.
  if (code === 'invalid_input' && Object.keys(fields).join() === 'claim_reason') return message;
  return REFUSED.get(code) ?? message;
}
