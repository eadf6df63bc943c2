import {
  Alert,
  Fieldset,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { LEAD_MACROS } from '#shared/rules/macros';
import type { Buyer } from '../data/buyers';
import { useTemplates } from '../data/settings';
import { errorText } from '../notifications';
import { INVALID } from '../texts';
import { FormButtons } from '../ui/FormButtons';
import { percentText } from '../ui/labels';
import classes from './BuyerForm.module.css';
import type { BuyerValues } from './buyer-form';
import { TestLeadButton } from './TestLeadButton';
import { percentOfOthers, type Weights } from './weights';

interface Props {
  readonly form: UseFormReturnType<BuyerValues>;
  readonly weights: Weights;
  readonly saving: boolean;
  readonly action: string;
  readonly cancel: () => void;
  /** The stored buyer, when one is edited. */
  readonly buyer?: Buyer;
  readonly unsaved?: boolean;
}

/** All fields of a buyer, by section; only the channels that are switched on show theirs. */
export function BuyerForm({ form, weights, saving, action, cancel, buyer, unsaved = false }: Props) {
  const { values } = form;
  const test = (channel: 'email' | 'heroleads' | 'trackbox' | 'sellanylead', on: boolean) =>
    buyer && on && <TestLeadButton buyerId={buyer.buyer_id} channel={channel} unsaved={unsaved} />;
  return (
    <Stack gap="md">
      <Fieldset legend="Buyer and share">
        <Pair>
          <TextInput label="Buyer ID" required data-autofocus {...form.getInputProps('buyer_id')} />
          <TextInput
            label="Buyer email"
            type="email"
            required
            autoComplete="off"
            {...form.getInputProps('buyer_email')}
          />
          <TextInput
            label="Probability (%)"
            required
            inputMode="decimal"
            description={`0–100. The other active buyers have ${percentText(percentOfOthers(weights))} together.`}
            {...form.getInputProps('probability')}
          />
          <NativeSelect
            label="Buyer type"
            required
            description="Prepay buyers get replacements for approved claims."
            data={[
              { value: 'prepay', label: 'Prepay' },
              { value: 'postpay', label: 'Postpay' },
            ]}
            {...form.getInputProps('buyer_type')}
          />
          <TextInput
            label="Min investment (€)"
            inputMode="decimal"
            placeholder="No minimum"
            {...form.getInputProps('min_investment')}
          />
          <TextInput
            label="Price per lead (€)"
            inputMode="decimal"
            placeholder="No price"
            description={buyer ? 'For the orders that are created from now on.' : undefined}
            {...form.getInputProps('price_per_lead')}
          />
        </Pair>
        <Switch
          mt="md"
          label="Manual review"
          description="Leads for this buyer wait among the pending leads until an admin assigns them."
          {...form.getInputProps('manual_review', { type: 'checkbox' })}
        />
      </Fieldset>

      <Fieldset legend="Claims">
        <Pair>
          <TextInput
            label="Maximum claim days"
            required
            inputMode="numeric"
            description="Working days after delivery, 1–30"
            {...form.getInputProps('max_claim_days')}
          />
          <TextInput
            label="Minimum days for NE"
            required
            inputMode="numeric"
            description="“Not reachable” may be claimed from this working day on, 1–30"
            {...form.getInputProps('min_days_for_ne')}
          />
        </Pair>
      </Fieldset>

      <Fieldset legend="Delivery by e-mail">
        <Switch label="Send e-mails" {...form.getInputProps('send_email', { type: 'checkbox' })} />
        {values.send_email && <Templates form={form} />}
        {test('email', buyer?.send_email ?? false)}
      </Fieldset>

      <Fieldset legend="Delivery to the lead broker (HL)">
        <Switch
          label="Use the lead-broker API"
          {...form.getInputProps('use_heroleads_api', { type: 'checkbox' })}
        />
        {values.use_heroleads_api && (
          <Pair>
            <PasswordInput
              label="API key"
              required
              autoComplete="off"
              {...VISIBILITY}
              {...form.getInputProps('heroleads_api_key')}
            />
            <TextInput label="Lead type ID" required {...form.getInputProps('heroleads_lead_type_id')} />
          </Pair>
        )}
        <Mapping
          label="Custom Data Mapping"
          example={'{ "amount": "anlagebetrag", "months": "laufzeit" }'}
          {...form.getInputProps('custom_data_mapping')}
        />
        {test('heroleads', buyer?.use_heroleads_api ?? false)}
      </Fieldset>

      <Fieldset legend="Delivery to the tracking platform (TB)">
        <Switch
          label="Use the tracking-platform API"
          {...form.getInputProps('use_trackbox_api', { type: 'checkbox' })}
        />
        {values.use_trackbox_api && (
          <>
            <Pair>
              <TextInput
                label="Username"
                required
                autoComplete="off"
                {...form.getInputProps('trackbox_username')}
              />
              <PasswordInput
                label="Password"
                required
                autoComplete="new-password"
                {...VISIBILITY}
                {...form.getInputProps('trackbox_password')}
              />
              <PasswordInput
                label="Platform API key"
                required
                autoComplete="off"
                {...VISIBILITY}
                {...form.getInputProps('trackbox_api_key')}
              />
              <TextInput
                label="Domain"
                required
                placeholder="box.example.com"
                description="Without protocol"
                {...form.getInputProps('trackbox_domain')}
              />
            </Pair>
            <SimpleGrid cols={3} mt="sm">
              <TextInput label="AI" required {...form.getInputProps('trackbox_ai')} />
              <TextInput label="GI" required {...form.getInputProps('trackbox_gi')} />
              <TextInput label="CI" {...form.getInputProps('trackbox_ci')} />
            </SimpleGrid>
            <Mapping
              label="Tracking platform mapping"
              example={'{ "MPC_1": "clickId", "sub": "src" }'}
              {...form.getInputProps('trackbox_custom_mapping')}
            />
          </>
        )}
        {test('trackbox', buyer?.use_trackbox_api ?? false)}
      </Fieldset>

      <Fieldset legend="Delivery to SellAnyLead (SAL)">
        <Switch
          label="Use the SellAnyLead API"
          {...form.getInputProps('use_sellanylead_api', { type: 'checkbox' })}
        />
        {test('sellanylead', buyer?.use_sellanylead_api ?? false)}
      </Fieldset>

      <FormButtons cancel={cancel} action={action} saving={saving} sticky />
    </Stack>
  );
}

const VISIBILITY = { visibilityToggleButtonProps: { 'aria-label': 'Show or hide' } } as const;

function Pair({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} className={classes.pair} spacing="sm">
      {children}
    </SimpleGrid>
  );
}

function Templates({ form }: { form: UseFormReturnType<BuyerValues> }) {
  const templates = useTemplates();
  const options = (templates.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Pair>
        <NativeSelect
          label="E-mail template"
          required
          data={[{ value: '', label: '-- Select a template --' }, ...options]}
          {...form.getInputProps('email_template_id')}
        />
        {form.values.buyer_type === 'prepay' && (
          <NativeSelect
            label="E-mail template for replacement leads"
            data={[{ value: '', label: 'The same template' }, ...options]}
            {...form.getInputProps('reimbursement_email_template_id')}
          />
        )}
      </Pair>
      {templates.error && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs">
          {errorText(templates.error)}
        </Text>
      )}
      {form.values.email_template_id === '' && (
        <Alert color="yellow" variant="outline" mt="sm" title={INVALID.template}>
          Without a template no e-mail can be sent. Templates are made in Settings.
        </Alert>
      )}
    </>
  );
}

interface MappingProps {
  readonly label: string;
  readonly example: string;
}

function Mapping({ label, example, ...input }: MappingProps) {
  return (
    <Textarea
      mt="sm"
      label={label}
      description={`JSON: the partner's field → ours (${LEAD_MACROS.join(', ')})`}
      placeholder={example}
      autosize
      minRows={2}
      maxRows={8}
      classNames={{ input: classes.code }}
      {...input}
    />
  );
}
