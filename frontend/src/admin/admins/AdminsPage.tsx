import { Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { IconDevices, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { formatDateTime } from '#shared/rules/formats';
import { type Admin, type Admins, type Invitation, useAdmins } from '../data/admins';
import { useApiMutation } from '../data/mutation';
import { Allowed, useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { CONFIRM } from '../texts';
import { actionsColumn, type Column, column, DataTable } from '../ui/DataTable';
import { IconButton } from '../ui/IconButton';
import { countOf } from '../ui/labels';
import { NameText } from '../ui/NameText';
import { nameColumn } from '../ui/name-column';
import classes from '../ui/rows.module.css';
import { ListSkeleton, QueryResult } from '../ui/states';
import { Tag } from '../ui/Tag';
import { ToolButton } from '../ui/ToolButton';
import { ApiKeysSection } from './ApiKeysSection';
import { RoleSelect, roleText } from './RoleSelect';
import { useReauthentication } from './use-reauthentication';

export function AdminsPage() {
  const admins = useAdmins();
  const may = useMay();
  const requirement = useApiMutation('requirePasskeys', { around: useReauthentication() });
  const dialogs = useDialogs();

  const changeRequirement = async ({ passkeys_required: before, admins: all }: Admins) => {
    const text = CONFIRM.requirePasskeys(all.filter(({ passkeys }) => passkeys === 0).length);
    if (before || (await dialogs.confirm({ title: 'Require passkeys', text, action: 'Require' })))
      requirement.mutate({ body: { demanded: !before } });
  };

  return (
    <Stack gap="sm">
      <QueryResult query={admins} skeleton={<ListSkeleton rows={3} cards />} what="The admins">
        {(data) => (
          <>
            <Group justify="space-between" gap="sm">
              <Text c="dimmed" role="status">
                {countOf(data.admins.length, 'admin')}
              </Text>
              <Group gap="xs">
                <ToolButton
                  onClick={() => {
                    const own = data.admins.find((admin) => admin.own);
                    if (own !== undefined) dialogs.open('password', { username: own.username });
                  }}
                >
                  Change Password
                </ToolButton>
                <ToolButton onClick={() => dialogs.open('passkeys', {})}>Your Passkeys</ToolButton>
                <Allowed to="inviteAdmin">
                  <Button size="xs" onClick={() => dialogs.open('admin-link', {})}>
                    Invite Admin
                  </Button>
                </Allowed>
              </Group>
            </Group>
            <DataTable
              label="Admins"
              columns={COLUMNS}
              rows={data.admins}
              rowKey={({ username }) => username}
              cards
            />
            {may('requirePasskeys') && (
              <Switch
                label="Require a passkey for every admin"
                description="An admin without a passkey must register one after logging in with the password."
                checked={data.passkeys_required}
                disabled={requirement.isPending}
                onChange={() => void changeRequirement(data)}
              />
            )}
            {data.invitations.length > 0 && (
              <>
                <Title order={2} size="h4" mt="md">
                  Unused links
                </Title>
                <DataTable
                  label="Unused links"
                  columns={INVITATION_COLUMNS}
                  rows={data.invitations}
                  rowKey={({ invitation_id }) => invitation_id}
                  cards
                />
              </>
            )}
          </>
        )}
      </QueryResult>
      {/* Not before the list above it has its height. */}
      {!admins.isPending && may('listApiKeys') && <ApiKeysSection />}
    </Stack>
  );
}

function AdminActions({ admin: { username, own } }: { readonly admin: Admin }) {
  const dialogs = useDialogs();
  const remove = useApiMutation('removeAdmin', { around: useReauthentication() });
  const confirmRemoval = () =>
    dialogs.ask(
      {
        title: 'Remove admin',
        text: own ? CONFIRM.removeOneself : CONFIRM.removeAdmin(username),
        action: 'Remove',
      },
      () => remove.mutate({ params: { username } }),
    );
  return (
    <Group gap={4} wrap="nowrap">
      <Allowed to="listSessions" isOwn={own}>
        <IconButton
          label={`Sessions of ${username}`}
          icon={IconDevices}
          onClick={() => dialogs.open('sessions', { username })}
        />
      </Allowed>
      {!own && (
        <IconButton
          needs="resetAdmin"
          label={`Reset access of ${username}`}
          icon={IconLockOpen}
          onClick={() => dialogs.open('admin-link', { username })}
        />
      )}
      <IconButton
        needs="removeAdmin"
        label={`Remove ${username}`}
        icon={IconTrash}
        onClick={confirmRemoval}
      />
    </Group>
  );
}

function RoleCell({ admin }: { readonly admin: Admin }) {
  const { username } = admin;
  const may = useMay();
  const change = useApiMutation('changeRole', { around: useReauthentication() });
  if (!may('changeRole')) return roleText(admin);
  return (
    <RoleSelect
      aria-label={`Role of ${username}`}
      size="xs"
      rights={admin}
      disabled={change.isPending}
      choose={(body) => change.mutate({ params: { username }, body })}
    />
  );
}

function WithdrawButton({ invitation }: { readonly invitation: Invitation }) {
  const { invitation_id: invitationId, username } = invitation;
  const withdraw = useApiMutation('withdrawInvitation');
  return (
    <IconButton
      needs="withdrawInvitation"
      label={`Withdraw link of ${username}`}
      icon={IconTrash}
      onClick={() => withdraw.mutate({ params: { invitationId } })}
    />
  );
}

const instantText = (instant: string | null) =>
  instant === null ? 'Never' : formatDateTime(new Date(instant));

const COLUMNS: readonly Column<Admin>[] = [
  column(
    'Name',
    180,
    ({ username, own, reset }) => (
      <div className={classes.inline}>
        <NameText text={username} fw={500} />
        {own && <Tag tone="info">You</Tag>}
        {reset && <Tag tone="wait">Reset: no new password yet</Tag>}
      </div>
    ),
    { grows: true },
  ),
  column('Role', 230, (admin) => <RoleCell admin={admin} />),
  column('Since', 150, ({ created_at }) => instantText(created_at)),
  column('Last log-in', 150, ({ last_login_at }) => instantText(last_login_at)),
  column(
    'Second factor',
    190,
    ({ passkeys, recovery_codes: codes }) =>
      passkeys === 0 ? 'None' : `${countOf(passkeys, 'passkey')}, ${countOf(codes, 'code')}`,
    { grows: true },
  ),
  actionsColumn(130, (admin) => <AdminActions admin={admin} />),
];

const INVITATION_COLUMNS: readonly Column<Invitation>[] = [
  nameColumn('Name', 180, ({ username }) => username),
  column('For', 120, ({ kind, role }) => (kind === 'invite' ? `New: ${role}` : 'Reset')),
  column('Created by', 120, ({ created_by }) => <NameText text={created_by} />, { grows: true }),
  column('Valid until', 150, ({ expires_at }) => instantText(expires_at)),
  actionsColumn(130, (invitation) => <WithdrawButton invitation={invitation} />, 'withdrawInvitation'),
];
