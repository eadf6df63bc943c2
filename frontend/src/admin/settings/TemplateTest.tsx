import { Button, Fieldset, Group, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { senderOf } from '#shared/rules/sender';
import { isEmailAddress } from '#shared/rules/validation';
import { useApiMutation } from '../data/mutation';
import { type EmailTemplate } from '../data/settings';
import { INVALID } from '../invalid-texts';
import { focusFirstError, showFieldErrors } from '../ui/form';
import { TestResult } from './TestResult';
import { type TemplateValues, templateOf } from './template-form';

interface Props {
  readonly form: UseFormReturnType<TemplateValues>;
  /** The template whose password a masked one refers to. */
  readonly stored: EmailTemplate | undefined;
}

/** Scrolls to the result, which may be hidden behind the dialog's footer. */
function bringIntoView(result: HTMLElement | null) {
  result?.scrollIntoView({ block: 'center' });
}

/** Sends a test lead with the unsaved template. */
export function TemplateTest({ form, stored }: Props) {
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const test = useApiMutation('tryEmailTemplate', { quiet: true });
  const template = templateOf(form.values);
  const sender = senderOf(template);
  // An admin who sets up a mail server can usually read the sender's mailbox.
  const to = typed ?? (isEmailAddress(sender) ? sender : '');

  const send = () => {
    const isAddress = isEmailAddress(to.trim());
    setError(isAddress ? undefined : INVALID.email);
    if (form.validate().hasErrors || !isAddress) return focusFirstError();
    test.mutate(
      { body: { ...template, to: to.trim(), ...(stored && { copy_of: stored.id }) } },
      { onError: (refused) => showFieldErrors(form, refused) },
    );
  };

  return (
    <Fieldset legend="Test before you save">
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <TextInput
            aria-label="Test recipient"
            placeholder="Test recipient"
            type="email"
            flex={1}
            miw={200}
            value={to}
            error={error}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button variant="default" loading={test.isPending} onClick={send}>
            Send test e-mail
          </Button>
        </Group>
        {test.data && (
          <div ref={bringIntoView}>
            <TestResult result={test.data} />
          </div>
        )}
      </Stack>
    </Fieldset>
  );
}
