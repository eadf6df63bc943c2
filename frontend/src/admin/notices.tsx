import { Alert, CloseButton, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ApiError } from '../app/api';
import classes from './notices.module.css';
import { FAILED } from './texts';

const ERROR_MS = 5000;
const SUCCESS_MS = 3000;

interface Notice {
  readonly id: number;
  readonly kind: 'error' | 'success';
  readonly text: string;
}

interface Notices {
  /** Shows a banner for five seconds: the error's own text, or the text itself. */
  readonly error: (error: unknown) => void;
  /** Shows a message for three seconds. */
  readonly success: (text: string) => void;
}

const NoticesContext = createContext<Notices | undefined>(undefined);

/**
 * The text to show for something that was thrown.
 * @param orElse what this place says when the server says nothing, in place of what the call would say
 */
export function errorText(error: unknown, orElse?: string): string {
  if (typeof error === 'string') return error;
  if (error instanceof ApiError && !(error.isDefault && orElse !== undefined)) return error.message;
  return orElse ?? FAILED.loadData;
}

export function NoticesProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const nextId = useRef(1);
  const queries = useQueryClient();

  const dismiss = useCallback((id: number) => {
    setNotices((shown) => shown.filter((notice) => notice.id !== id));
  }, []);

  const show = useCallback(
    (kind: Notice['kind'], text: string) => {
      const id = nextId.current++;
      // The same text twice is one banner whose time starts again.
      setNotices((shown) => [
        ...shown.filter((notice) => notice.text !== text).slice(-3),
        { id, kind, text },
      ]);
      window.setTimeout(() => dismiss(id), kind === 'error' ? ERROR_MS : SUCCESS_MS);
    },
    [dismiss],
  );

  const value = useMemo<Notices>(
    () => ({
      // A lost session leads to the login page; a banner on top would only confuse.
      error: (error) => {
        if (!(error instanceof ApiError && error.status === 401)) show('error', errorText(error));
      },
      success: (text) => show('success', text),
    }),
    [show],
  );

  // A list that cannot be refreshed stays in sight, so a banner says that it may be old.
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { state, meta } = event.query;
        if (state.data !== undefined && meta?.ownPanel !== true) value.error(event.action.error);
      }),
    [queries, value],
  );

  return (
    <NoticesContext value={value}>
      {children}
      <div className={classes.stack}>
        <div role="alert" aria-label="Errors">
          <NoticeList notices={notices} kind="error" dismiss={dismiss} />
        </div>
        <output aria-label="Messages">
          <NoticeList notices={notices} kind="success" dismiss={dismiss} />
        </output>
      </div>
    </NoticesContext>
  );
}

interface ListProps {
  readonly notices: readonly Notice[];
  readonly kind: Notice['kind'];
  readonly dismiss: (id: number) => void;
}

function NoticeList({ notices, kind, dismiss }: ListProps) {
  return notices
    .filter((notice) => notice.kind === kind)
    .map((notice) => (
      <Alert
        key={notice.id}
        className={classes.notice}
        role="presentation"
        variant="filled"
        color={kind === 'error' ? 'red.9' : 'teal.9'}
        p="sm"
      >
        <Group justify="space-between" wrap="nowrap" gap="sm">
          <Text size="sm" fw={500} c="white">
            {notice.text}
          </Text>
          <CloseButton
            size="sm"
            variant="transparent"
            c="white"
            aria-label="Dismiss"
            onClick={() => dismiss(notice.id)}
          />
        </Group>
      </Alert>
    ));
}

/** Banners and messages. Only inside NoticesProvider. */
export function useNotices(): Notices {
  const notices = useContext(NoticesContext);
  if (!notices) throw new Error('useNotices needs a NoticesProvider around it');
  return notices;
}
