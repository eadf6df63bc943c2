import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CompanyRow } from '#shared/contract/rows/company';
import { COMPANY_LIMITS } from '#shared/rules/company';
import { WEB_ADDRESS_OR_NONE } from '#shared/rules/validation';
import { useApiMutation } from '../data/mutation';
import { loadCompany } from '../data/settings';
import type { DialogInput } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { EditModal } from '../ui/EditModal';
import { COMPANY_FIELDS } from './company-texts';

const LABELS = Object.fromEntries(COMPANY_FIELDS.map(({ name, label }) => [name, label]));
const problemOf = (url: string) => (WEB_ADDRESS_OR_NONE.test(url.trim()) ? null : INVALID.webAddress);

export function CompanyDialog({ stored, close }: DialogInput<'company'>) {
  const form = useForm({
    initialValues: stored,
    validateInputOnBlur: true,
    validate: { imprint_url: problemOf, privacy_url: problemOf },
  });
  const field = (name: keyof CompanyRow) => ({
    label: LABELS[name],
    ...form.getInputProps(name),
  });
  return (
    <EditModal
      title="Edit Company"
      action="Save Company"
      size="md"
      form={form}
      load={loadCompany}
      labels={LABELS}
      requestOf={(values) => values}
      inputOf={(body) => ({ body })}
      write={useApiMutation('saveCompany')}
      close={close}
    >
      <TextInput data-autofocus maxLength={COMPANY_LIMITS.name} {...field('name')} />
      <Textarea autosize minRows={3} maxRows={6} maxLength={COMPANY_LIMITS.address} {...field('address')} />
      <TextInput type="url" placeholder="https://" {...field('imprint_url')} />
      <TextInput type="url" placeholder="https://" {...field('privacy_url')} />
      <TextInput
        description="An e-mail address or a text."
        maxLength={COMPANY_LIMITS.privacy_contact}
        {...field('privacy_contact')}
      />
    </EditModal>
  );
}
