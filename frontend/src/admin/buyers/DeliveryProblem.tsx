/** A warning that a buyer's leads are not delivered, and a link to the dialog that fixes it. */

import { Alert, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { type RestrictedId } from '#shared/contract/roles';
import type { Buyer } from '../data/buyers';
import { useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { Tag } from '../ui/Tag';
import { ToolButton } from '../ui/ToolButton';

interface Props {
  readonly buyer: Buyer;
}

/** Opens the form that fixes the buyer's problem. */
export function useFixDelivery(): (buyer: Buyer) => void {
  const dialogs = useDialogs();
  return (buyer) => {
    const templateId = buyer.delivery_problem?.template_id ?? null;
    if (templateId === null) dialogs.open('edit-buyer', { buyer });
    else dialogs.open('edit-template', { templateId });
  };
}

/** The call behind the form that fixes the buyer's problem. */
export const deliveryFixNeeds = ({ delivery_problem: problem }: Buyer): RestrictedId =>
  (problem?.template_id ?? null) === null ? 'updateBuyer' : 'updateEmailTemplate';

/** For a table row: a short link to the form. */
export function DeliveryProblemTag({ buyer }: Props) {
  const fix = useFixDelivery();
  const may = useMay();
  const { buyer_id, delivery_problem: problem } = buyer;
  if (problem === null) return null;
  const word = problem.kind === 'no_channel' ? 'No channel' : 'E-mail fails';
  const tag = <Tag tone={problem.blocks ? 'bad' : 'wait'}>{word}</Tag>;
  if (!may(deliveryFixNeeds(buyer))) return <span title={problem.text}>{tag}</span>;
  return (
    <UnstyledButton
      display="flex"
      title={problem.text}
      aria-label={`${word}: fix ${buyer_id}`}
      onClick={() => fix(buyer)}
    >
      {tag}
    </UnstyledButton>
  );
}

/** For a dialog or page: the problem and the next step. */
export function DeliveryProblemAlert({ buyer }: Props) {
  const fix = useFixDelivery();
  const problem = buyer.delivery_problem;
  if (problem === null) return null;
  return (
    <Alert
      color={problem.blocks ? 'red' : 'yellow'}
      title={problem.blocks ? `Leads are not delivered to ${buyer.buyer_id}` : 'Some e-mails fail'}
    >
      <Stack gap="xs" align="flex-start">
        <Text style={{ overflowWrap: 'anywhere' }}>{problem.text}</Text>
        <ToolButton needs={deliveryFixNeeds(buyer)} onClick={() => fix(buyer)}>
          {problem.template_id === null ? 'Edit buyer' : 'Edit template'}
        </ToolButton>
      </Stack>
    </Alert>
  );
}

/** After a failure: the forms of the settings that were used. @param props.templateId null where no e-mail failed */
export function SettingsButtons({ buyer, templateId }: Props & { readonly templateId: string | null }) {
  const dialogs = useDialogs();
  return (
    <Group gap="xs" mt="xs">
      {templateId !== null && (
        <ToolButton needs="updateEmailTemplate" onClick={() => dialogs.open('edit-template', { templateId })}>
          Edit template
        </ToolButton>
      )}
      <ToolButton needs="updateBuyer" onClick={() => dialogs.open('edit-buyer', { buyer })}>
        Edit buyer
      </ToolButton>
    </Group>
  );
}
