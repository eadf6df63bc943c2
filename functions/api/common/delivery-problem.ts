import { type DeliveryProblem, isBlocking } from '#functions/data/buyers/delivery-problem';
import type { Order } from '#functions/data/orders/order';
import type { BuyerRow } from '#shared/contract/schemas/buyers';

export function deliveryProblemRow(
  problem: DeliveryProblem | undefined,
  order: Order | undefined,
): BuyerRow['delivery_problem'] {
  if (problem === undefined) return null;
  return {
    kind: problem.kind,
    blocks: isBlocking(problem),
    text: deliveryProblemText(problem, order),
    template_id: problem.template?.id ?? null,
  };
}

export function deliveryProblemText(problem: DeliveryProblem, order: Order | undefined): string {
  const onlyOnTheLink =
    order?.token === '' ? 'the link is off, so nobody can see the leads' : 'leads appear only on the link';
  if (problem.kind === 'no_channel') return `No channel is on: ${onlyOnTheLink}.`;
  const failing = `E-mails with ${problem.leads === 'all' ? 'leads' : 'replacement leads'} fail`;
  const instead = problem.otherChannels
    ? '; the other channels deliver'
    : problem.leads === 'all'
      ? `; ${onlyOnTheLink}`
      : '';
  return `${causeOf(problem)}. ${failing}${instead}.`;
}

function causeOf({ kind, template }: DeliveryProblem): string {
  const named = `Template “${template?.name ?? ''}”`;
  switch (kind) {
    case 'no_channel':
      return 'No channel is on';
    case 'no_template':
      return 'No e-mail template is selected';
    case 'template_deleted':
      return 'The e-mail template was deleted';
    case 'relay_port':
      return `${named} uses port 25, which cannot send`;
    case 'no_sender':
      return `${named} has no sender address`;
  }
}
