import { useCompany } from '../data/settings';
import { useDialogs } from '../dialogs/dialogs';
import { DescriptionList } from '../ui/DescriptionList';
import { COMPANY_FIELDS } from './company-texts';
import { SettingsSection } from './SettingsSection';

export function CompanySection() {
  const company = useCompany();
  const dialogs = useDialogs();
  return (
    <SettingsSection
      query={company}
      what="The company details"
      title="Company"
      about="Shown at the end of every public page and of the e-mails that the product writes, and in proofs of consent. The ready form links to the privacy notice. Empty fields are left out."
      edit={{ label: 'Edit Company', open: (stored) => dialogs.open('company', { stored }) }}
    >
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
    </SettingsSection>
  );
}
