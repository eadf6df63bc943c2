/** What prevents the delivery of a buyer's leads, as far as its settings and templates show. */
import type { Template } from '#functions/data/administration/template';
import { type Buyer, channelsOf } from '#functions/data/buyers/buyer';
import type { DeliveryProblemKind } from '#shared/rules/constants';
import { senderProblem } from '#shared/rules/sender';

export interface DeliveryProblem {
  readonly kind: DeliveryProblemKind;
  readonly template: Template | undefined;
  /** E-mails with replacements have their own template. */
  readonly leads: 'all' | 'replacements';
  readonly otherChannels: boolean;
}

export const isBlocking = ({ leads, otherChannels }: DeliveryProblem): boolean =>
  leads === 'all' && !otherChannels;

type Settings = Pick<
  Buyer,
  'send_email' | 'buyer_type' | 'email_template_id' | 'reimbursement_email_template_id'
>;

export function templateIdsOf(buyer: Settings): string[] {
  if (!buyer.send_email) return [];
  return [buyer.email_template_id, replacementTemplateOf(buyer)].filter((id) => id !== null);
}

/** Postpaid buyers get no replacements. */
const replacementTemplateOf = ({ buyer_type, reimbursement_email_template_id }: Settings) =>
  buyer_type === 'prepay' ? reimbursement_email_template_id : null;

/** @param templates those of `templateIdsOf` that exist */
export function deliveryProblemOf(
  buyer: Buyer,
  templates: ReadonlyMap<string, Template>,
): DeliveryProblem | undefined {
  const channels = channelsOf(buyer);
  if (channels.length === 0)
    return { kind: 'no_channel', template: undefined, leads: 'all', otherChannels: false };
  if (!buyer.send_email) return undefined;
  const otherChannels = channels.length > 1;
  const problem = templateProblem(buyer.email_template_id, templates);
  if (problem !== undefined) return { ...problem, leads: 'all', otherChannels };
  const replacements = replacementTemplateOf(buyer);
  const second = replacements === null ? undefined : templateProblem(replacements, templates);
  return second && { ...second, leads: 'replacements', otherChannels };
}

function templateProblem(
  id: string | null,
  templates: ReadonlyMap<string, Template>,
): Pick<DeliveryProblem, 'kind' | 'template'> | undefined {
  if (id === null) return { kind: 'no_template', template: undefined };
  const template = templates.get(id);
  if (template === undefined) return { kind: 'template_deleted', template };
  const kind = senderProblem(template);
  return kind && { kind, template };
}
