import { Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import '../ui/modal-styles';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { type SearchResult, useSearch } from '../data/insights';
import { useDialogs, useIsTopmost } from '../dialogs/dialogs';
import { errorText } from '../notifications';
import { confirmLeave } from '../ui/unsaved-changes';
import classes from './CommandPalette.module.css';
import { SCREENS } from './screens';

interface Command {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly subtitle: string;
  readonly go: () => void;
}

/** Jumps to any buyer, order, lead or screen by typing a part of its name. */
export function CommandPalette({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), 120);
  const [selected, setSelected] = useState(0);
  const [entered, setEntered] = useState(false);
  const isTop = useIsTopmost();
  const search = useSearch(asked);
  const navigate = useNavigate();
  const dialogs = useDialogs();
  const listId = useId();

  const leadTo = (path: string) => {
    if (confirmLeave()) void navigate(path);
  };
  const open = (result: SearchResult) => {
    switch (result.kind) {
      case 'lead':
        return leadTo(`/dashboard/leads/${result.id}`);
      case 'buyer':
        return leadTo(`/dashboard?q=${encodeURIComponent(result.id)}&inactive=1`);
      case 'order':
        return leadTo(`/dashboard?q=${encodeURIComponent(`#${result.id}`)}&inactive=1`);
    }
  };

  const wanted = text.trim().toLowerCase();
  const screens = SCREENS.filter(({ title, menu }) => `${title} ${menu}`.toLowerCase().includes(wanted)).map(
    ({ path, title }): Command => ({
      id: path,
      kind: 'Screen',
      title,
      subtitle: 'Go to this screen',
      go: () => leadTo(path),
    }),
  );
  const actions = [
    { id: 'add-buyer', title: 'Add Buyer', go: () => dialogs.open('add-buyer', {}) },
    { id: 'create-order', title: 'Create Order', go: () => dialogs.open('create-order', {}) },
  ]
    .filter(({ title }) => title.toLowerCase().includes(wanted))
    .map((action): Command => ({ ...action, kind: 'Action', subtitle: 'Do this' }));
  const found =
    wanted === ''
      ? []
      : (search.data ?? []).map(
          (result): Command => ({
            id: `${result.kind}-${result.id}`,
            kind: result.kind,
            title: result.title,
            subtitle: result.subtitle,
            go: () => open(result),
          }),
        );
  const commands = [...found, ...screens, ...actions];
  const current = Math.min(selected, commands.length - 1);
  // What is listed until the answer comes belongs to the text before.
  const answered = wanted === '' || (asked === text.trim() && !search.isPlaceholderData && !search.isLoading);

  useEffect(() => {
    document.getElementById(`${listId}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, current]);

  const choose = (target: Command | undefined) => {
    if (!target) return;
    close();
    target.go();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setSelected((current + 1) % Math.max(1, commands.length));
    else if (event.key === 'ArrowUp')
      setSelected((current - 1 + commands.length) % Math.max(1, commands.length));
    else if (event.key === 'Enter') setEntered(true);
    else return;
    event.preventDefault();
  };

  const enter = useEffectEvent(() => choose(commands[current]));
  useEffect(() => {
    if (entered && answered) enter();
  }, [entered, answered]);

  return (
    <Modal.Root
      opened
      onClose={close}
      trapFocus={isTop}
      size="lg"
      yOffset="10vh"
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <TextInput
          data-autofocus
          size="lg"
          variant="unstyled"
          px="md"
          role="combobox"
          aria-label="Search buyers, orders, leads and screens"
          aria-expanded="true"
          aria-controls={listId}
          {...(current >= 0 && { 'aria-activedescendant': `${listId}-${current}` })}
          placeholder="Search buyers, orders, leads, screens…"
          maxLength={100}
          leftSection={<IconSearch size={20} />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setSelected(0);
            setEntered(false);
          }}
          onKeyDown={onKey}
        />
        <div id={listId} role="listbox" aria-label="Results" className={classes.results}>
          {commands.map((target, index) => (
            <UnstyledButton
              key={target.id}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              className={classes.result}
              onClick={() => choose(target)}
              onMouseMove={() => setSelected(index)}
            >
              <span className={classes.kind}>{target.kind}</span>
              <span className={classes.title}>{target.title}</span>
              <span className={classes.subtitle}>{target.subtitle}</span>
            </UnstyledButton>
          ))}
        </div>
        <Text size="sm" c="dimmed" px="md" py="sm" role="status">
          {search.error ? errorText(search.error) : statusOf(wanted, search.isFetching, commands.length)}
        </Text>
      </Modal.Content>
    </Modal.Root>
  );
}

function statusOf(wanted: string, searching: boolean, count: number): string {
  if (wanted === '') return 'Type a name, an e-mail address, a phone number or an id';
  if (searching) return 'Searching…';
  return count === 0 ? 'Nothing found' : `${count} found`;
}
