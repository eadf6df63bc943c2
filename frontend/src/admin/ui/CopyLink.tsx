import { ActionIcon, Anchor, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useNotifications } from '../notifications';

interface Props {
  readonly href: string;
  /** What the link belongs to, for screen readers. */
  readonly of: string;
  readonly text?: string;
}

/** A link that opens in a new tab and can be copied with one click. */
export function CopyLink({ href, of, text = 'Open' }: Props) {
  return (
    <Group gap={4} wrap="nowrap">
      <Anchor href={href} target="_blank" rel="noreferrer" truncate="end" aria-label={`${text} (${of})`}>
        {text}
      </Anchor>
      <CopyButton value={href} label={`Copy link of ${of}`} />
    </Group>
  );
}

interface CopyButtonProps {
  readonly value: string;
  readonly label: string;
  /** The name of the copied thing, if it is not a link. */
  readonly what?: string;
}

export function CopyButton({ value, label, what }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = useCopy(what);

  useEffect(() => {
    if (!copied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), 1500);
    return () => window.clearTimeout(timer);
  }, [copied]);

  return (
    <ActionIcon
      variant="subtle"
      size="sm"
      color={copied ? 'teal' : 'gray'}
      c={copied ? 'var(--mantine-color-anchor)' : 'dimmed'}
      aria-label={copied ? 'Copied' : label}
      title={copied ? 'Copied' : label}
      onClick={async () => setCopied(await copy(value))}
    >
      {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
    </ActionIcon>
  );
}

/** Copies a value. Returns false where the browser does not allow it, which a message says. */
export function useCopy(what = 'link'): (value: string) => Promise<boolean> {
  const notifications = useNotifications();
  return async (value) => {
    try {
      await navigator.clipboard.writeText(value);
      return true;
    } catch {
      notifications.error(`The browser does not allow copying. The ${what} is ${value}`);
      return false;
    }
  };
}
