import { Button, Group, Text } from '@mantine/core';
import { useApiMutation } from '../data/mutation';
import { type Source, useSource } from '../data/sources';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { CopyField } from '../ui/CopyField';
import { Fold } from '../ui/Fold';
import { ToolButton } from '../ui/ToolButton';
import classes from './sources.module.css';

/** The link to a source's specification page: copy, regenerate, turn off. */
export function SpecificationLink({ source: opened }: { readonly source: Source }) {
  const source = useSource(opened);
  const { name, specification_link: link } = source;
  const params = { sourceId: source.source_id };
  const dialogs = useDialogs();
  const regenerate = useApiMutation('regenerateSpecification');
  const switchOff = useApiMutation('switchOffSpecification');

  const makeLink = () => regenerate.mutate({ params });
  const confirmRegeneration = () =>
    dialogs.ask(
      { title: 'Regenerate link', text: CONFIRM.regenerateSpecification(name), action: 'Regenerate' },
      makeLink,
    );
  const confirmSwitchOff = () =>
    dialogs.ask(
      { title: 'Turn off link', text: CONFIRM.switchOffSpecification(name), action: 'Turn off' },
      () => switchOff.mutate({ params }),
    );

  return (
    <Fold title="Specification page" summary={link === null ? 'Off' : 'On'}>
      <Text c="dimmed" mb="xs">
        Tells developers how to post leads for this source. No login needed. It shows no key and no buyer.
      </Text>
      {link === null ? (
        <Group gap="sm">
          <Text>The page is off.</Text>
          <ToolButton loading={regenerate.isPending} onClick={makeLink}>
            Turn on
          </ToolButton>
        </Group>
      ) : (
        <>
          <CopyField
            label="Link"
            value={link}
            copy="Copy link of the specification page"
            className={classes.mono}
          />
          <Group gap="sm" mt="xs">
            <Button size="xs" variant="default" component="a" href={link} target="_blank" rel="noreferrer">
              Open page
            </Button>
            <ToolButton loading={regenerate.isPending} onClick={confirmRegeneration}>
              Regenerate link
            </ToolButton>
            <ToolButton loading={switchOff.isPending} onClick={confirmSwitchOff}>
              Turn off link
            </ToolButton>
          </Group>
        </>
      )}
    </Fold>
  );
}
