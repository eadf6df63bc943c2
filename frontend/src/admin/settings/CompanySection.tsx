import { Button } from '@mantine/core';
import { useCompany } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { DescriptionList } from '../ui/DescriptionList';
import { ListSkeleton, QueryResult } from '../ui/states';
import { COMPANY_FIELDS } from './company-texts';
import { SettingsSection } from './SettingsSection';

export function CompanySection() {
  const company = useCompany();
  const dialogs = useDialogs();
  return (
    <SettingsSection
      title="Company"
      about="Shown at the end of every public page and of the e-mails that the product writes. Empty fields are left out."
      actions={
        <Button
          size="xs"
          disabled={!company.data}
          onClick={() => company.data && dialogs.open('company', { stored: company.data })}
        >
          Edit Company
        </Button>
      }
    >
      <QueryResult query={company} skeleton={<ListSkeleton rows={1} />} what="The company details">
        {(stored) => (
          <DescriptionList
            facts={COMPANY_FIELDS.map(({ name, label }) => [
              label,
              <span key={name} style={{ whiteSpace: 'pre-line' }}>
                {stored[name] || 'Not set'}
              </span>,
            ])}
          />
        )}
      </QueryResult>
    </SettingsSection>
  );
}
