import { Button, Group, Stack, Text } from '@mantine/core';
import { formatDateTime } from '#shared/rules/formats';
import { type AdminSession, useSessions } from '../data/admins';
import { useApiMutation } from '../data/mutation';
import type { DialogInput } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import rowClasses from '../ui/rows.module.css';
import { ListSkeleton, QueryResult } from '../ui/states';
import { Tag } from '../ui/Tag';
import { ToolButton } from '../ui/ToolButton';

export function SessionsDialog({ username, close }: DialogInput<'sessions'>) {
  const sessions = useSessions(username);
  const endOthers = useApiMutation('endOtherSessions');
  return (
    <AppModal title={`Sessions of ${username}`} close={close} size="lg">
      <QueryResult query={sessions} skeleton={<ListSkeleton rows={2} />} what="The sessions">
        {({ sessions: rows }) =>
          rows.length === 0 ? (
            <Text>{username} has no open session.</Text>
          ) : (
            <Stack gap="md">
              <Stack gap="xs" component="ul" className={rowClasses.list}>
                {rows.map((session) => (
                  <SessionRow key={session.session_id} username={username} session={session} />
                ))}
              </Stack>
              {rows.some(({ own }) => !own) && (
                <Group justify="flex-end">
                  <Button
                    variant="default"
                    loading={endOthers.isPending}
                    onClick={() => endOthers.mutate({ params: { username } })}
                  >
                    {rows.some(({ own }) => own) ? 'End All Others' : 'End All'}
                  </Button>
                </Group>
              )}
            </Stack>
          )
        }
      </QueryResult>
    </AppModal>
  );
}

function SessionRow({ username, session }: { readonly username: string; readonly session: AdminSession }) {
  const end = useApiMutation('endSession');
  const { session_id: sessionId, device, own } = session;
  return (
    <li className={rowClasses.row}>
      <div className={rowClasses.text}>
        <Group gap="xs">
          <Text fw={500}>{device}</Text>
          {own && <Tag tone="good">This session</Tag>}
        </Group>
        <Text c="dimmed">
          {locationText(session)} · last used {formatDateTime(new Date(session.used_at))} · logged in{' '}
          {formatDateTime(new Date(session.opened_at))}
        </Text>
      </div>
      {!own && (
        <ToolButton
          aria-label={`End session of ${device} since ${formatDateTime(new Date(session.opened_at))}`}
          loading={end.isPending}
          onClick={() => end.mutate({ params: { username, sessionId } })}
        >
          End session
        </ToolButton>
      )}
    </li>
  );
}

/** `203.0.113.7 (Berlin, Germany)` */
function locationText({ address, country, city }: AdminSession): string {
  if (country === null) return address;
  const name = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' }).of(country) ?? country;
  return `${address} (${city === null ? name : `${city}, ${name}`})`;
}
