/** The headers by which mail programs offer to unsubscribe with one click; https://www.rfc-editor.org/rfc/rfc8058 */
export function unsubscribeHeaders({
  unsubscribe,
}: {
  readonly unsubscribe?: string;
}): Record<string, string> {
  return unsubscribe === undefined
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
