/** One-click unsubscription: https://www.rfc-editor.org/rfc/rfc8058 */
export function unsubscribeHeaders({ unsubscribe: url }: { readonly unsubscribe?: string }) {
  return url && { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
