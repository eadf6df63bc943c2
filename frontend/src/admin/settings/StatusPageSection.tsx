import { Anchor, Group, Switch } from '@mantine/core';
import { STATUS_PATH } from '#shared/contract/web-headers';
import { useApiMutation } from '../data/mutation';
import { useStatusPage } from '../data/settings';
import { SettingsSection } from './SettingsSection';

export function StatusPageSection() {
  const stored = useStatusPage();
  const save = useApiMutation('saveStatusPage');
  return (
    <SettingsSection
      query={stored}
      what="The setting"
      title="Public Status Page"
      about="Shows delivery times to everyone, without lead, buyer or personal data."
      actions={
        <Anchor href={STATUS_PATH} target="_blank" rel="noreferrer">
          Open the page
        </Anchor>
      }
    >
      {(expected) => (
        <Group>
          <Switch
            label="The status page is public"
            checked={expected.public}
            disabled={save.isPending}
            onChange={(event) => save.mutate({ body: { public: event.currentTarget.checked, expected } })}
          />
        </Group>
      )}
    </SettingsSection>
  );
}
