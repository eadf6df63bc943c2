/** One-click unsubscription: https://www.rfc-editor.org/rfc/rfc8058 */
export function unsubscribeHeaders({
  unsubscribe,
}: {
  readonly unsubscribe?: string;
}): Record<string, string> {
  return unsubscribe === undefined
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
