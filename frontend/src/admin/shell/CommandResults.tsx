import { Text, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import type { RestrictedId } from '#shared/contract/roles';
import { formatNumber } from '#shared/rules/formats';
import { usePauseBuyer } from '../buyers/pausing';
import { type Buyer, useBuyers } from '../data/buyers';
import { type SearchResult, useSearch } from '../data/insights';
import { useApiMutation } from '../data/mutation';
import { useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { errorText } from '../notifications';
import { SETTINGS_SECTIONS } from '../settings/sections';
import { STATISTICS_TABS } from '../statistics/tabs';
import { whyNoLeads } from '../texts';
import { buyerPath } from '../ui/BuyerLink';
import { confirmLeave } from '../ui/unsaved-changes';
import classes from './CommandPalette.module.css';
import { addressees, type Intent, intentOf, VERBS } from './intents';
import { SCREENS, type Screen, useMayOpen } from './screens';

interface Command {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly subtitle: string;
  readonly go: () => void;
  /** Only fills the field, so the box stays open. */
  readonly stays?: boolean;
}

type Action = readonly [needs: RestrictedId, title: string, go: () => void];

interface Props {
  readonly listId: string;
  readonly text: string;
  /** Replaces the typed text. */
  readonly type: (text: string) => void;
  /** The selected command; wraps around. */
  readonly selected: number;
  readonly select: (index: number) => void;
  /** Enter was pressed, perhaps before the results arrived. */
  readonly entered: boolean;
  readonly onActive: (id: string | undefined) => void;
  readonly close: () => void;
}

/** Search results and commands for the typed text, best first. */
export function CommandResults({ listId, text, type, selected, select, entered, onActive, close }: Props) {
  const [asked] = useDebouncedValue(text.trim(), 120);
  const buyers = useBuyers();
  const may = useMay();
  const mayOpen = useMayOpen();
  const verbs = VERBS.filter(({ needs }) => needs === undefined || may(needs));
  const typed = intentOf(text);
  const intent = verbs.some(({ kind }) => kind === typed?.kind) ? typed : undefined;
  const meant = intent === undefined ? [] : addressees(intent, buyers.data ?? []);
  // A command is not a name.
  const search = useSearch(meant.length === 0 ? asked : '');
  const act = useActing();
  const [, navigate] = useLocation();
  const dialogs = useDialogs();

  const leadTo = (path: string) => {
    if (confirmLeave()) navigate(path);
  };
  // The dashboard shows only the last order of a buyer.
  const open = ({ kind, id, buyer_id }: SearchResult) =>
    leadTo(
      buyer_id === null ? `/dashboard/leads/${id}` : buyerPath(buyer_id, kind === 'order' ? 'orders' : ''),
    );

  const wanted = text.trim().toLowerCase();
  const acting = meant.flatMap((buyer): Command[] => {
    if (intent === undefined) return [];
    const command = { ...act(intent, buyer), kind: 'Do' };
    // Without a buyer's name, choosing a command only completes the text.
    if (intent.buyer !== '') return [command];
    return [{ ...command, stays: true, go: () => type(`${text.trim()} ${buyer.buyer_id}`) }];
  });
  const sections: readonly Pick<Screen, 'path' | 'title' | 'menu'>[] = [
    ...(may('approveClaim') ? [{ path: '/dashboard/claimed-leads?view=inbox', title: 'Claims inbox' }] : []),
    ...STATISTICS_TABS.map(({ path, title }) => ({ path, title: `Statistics: ${title}` })),
    ...SETTINGS_SECTIONS.map(({ path, title }) => ({ path, title: `Settings: ${title}` })),
  ];
  const screens = [...SCREENS, ...(wanted === '' ? [] : sections)]
    .filter(({ path }) => mayOpen(path))
    .filter(({ title, menu = '' }) => `${title} ${menu}`.toLowerCase().includes(wanted))
    .map(
      ({ path, title }): Command => ({
        // The first tab has the address of its screen.
        id: `${title} ${path}`,
        kind: 'Screen',
        title,
        subtitle: 'Open this screen',
        go: () => leadTo(path),
      }),
    );
  const offered: readonly Action[] = [
    ['createBuyer', 'Add Buyer', () => dialogs.open('add-buyer', {})],
    ['changeWeights', 'Edit probabilities', () => dialogs.open('weights', {})],
    ['createOrder', 'Create Order', () => dialogs.open('create-order', {})],
  ];
  const actions = offered
    .filter(([needs, title]) => may(needs) && title.toLowerCase().includes(wanted))
    .map(([id, title, go]): Command => ({ id, title, go, kind: 'Action', subtitle: 'Run this command' }));
  const suggested = verbs
    .filter(({ title, start }) => intent === undefined && `${title} ${start}`.toLowerCase().includes(wanted))
    .map(
      ({ title, start, example }): Command => ({
        id: start,
        kind: 'Action',
        title,
        subtitle: `Example: “${example}”`,
        go: () => type(`${start} `),
        stays: true,
      }),
    );
  const found =
    wanted === '' || acting.length > 0
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
  const commands = [...acting, ...found, ...screens, ...actions, ...suggested];
  const current = commands.length === 0 ? -1 : (selected + commands.length * 1000) % commands.length;
  // Until the answer arrives the list belongs to the previous text.
  const searched = asked === text.trim() && !search.isPlaceholderData && !search.isLoading;
  const isAnswered = wanted === '' || acting.length > 0 || (searched && !(intent && buyers.isLoading));

  const activeId = current < 0 ? undefined : `${listId}-${current}`;
  const notifyActive = useEffectEvent(onActive);
  useEffect(() => {
    notifyActive(activeId);
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const choose = (target: Command | undefined) => {
    if (!target) return;
    if (target.stays !== true) close();
    target.go();
  };
  const enter = useEffectEvent(() => choose(commands[current]));
  useEffect(() => {
    if (entered && isAnswered) enter();
  }, [entered, isAnswered]);

  return (
    <>
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
            onMouseMove={() => select(index)}
          >
            <span className={classes.kind}>{target.kind}</span>
            <span className={classes.title}>{target.title}</span>
            <span className={classes.subtitle}>{target.subtitle}</span>
          </UnstyledButton>
        ))}
      </div>
      <Text c="dimmed" px="md" py="sm" role="status">
        {search.error ? errorText(search.error) : statusOf(wanted, search.isFetching, commands.length)}
      </Text>
    </>
  );
}

/** What a command does with a buyer. Confirmations are the same as elsewhere. */
function useActing() {
  const dialogs = useDialogs();
  const [, navigate] = useLocation();
  const pause = usePauseBuyer();
  const resend = useApiMutation('resendFailedDeliveries');
  return (intent: Intent, buyer: Buyer): Omit<Command, 'kind'> => {
    const id = buyer.buyer_id;
    switch (intent.kind) {
      case 'limit':
        return {
          id: `limit-${id}`,
          title: `Lead limit of ${id}${intent.limit === '' ? '' : ` to ${intent.limit}`}`,
          subtitle: `${formatNumber(buyer.leads_received)} of ${formatNumber(buyer.lead_limit)} now`,
          go: () =>
            dialogs.open('order-limit', {
              buyerId: id,
              order: buyer,
              ...(intent.limit !== '' && { proposed: intent.limit }),
            }),
        };
      case 'pause':
      case 'resume':
        return {
          id: `${intent.kind}-${id}`,
          title: `${intent.kind === 'pause' ? 'Pause' : 'Resume'} ${id}`,
          subtitle: buyer.buyer_email,
          go: () => pause.mutate({ buyerId: id, isPaused: intent.kind === 'pause' }),
        };
      case 'resend':
        return {
          id: `resend-${id}`,
          title: `Resend all failed of ${id}`,
          subtitle: buyer.buyer_email,
          go: () => resend.mutate({ params: { buyerId: id } }),
        };
      case 'why':
        return {
          id: `why-${id}`,
          title: whyNoLeads(id),
          subtitle: buyer.buyer_email,
          go: () => confirmLeave() && navigate(buyerPath(id)),
        };
      case 'order':
        return {
          id: `order-${id}`,
          title: `New order for ${id}`,
          subtitle: buyer.order_status === 'Active' ? 'Has an open order' : buyer.buyer_email,
          go: () => dialogs.open('create-order', { buyerId: id }),
        };
    }
  };
}

function statusOf(wanted: string, searching: boolean, count: number): string {
  if (wanted === '') return 'Enter a name, e-mail address, phone number or ID';
  if (searching) return 'Searching…';
  return count === 0 ? 'Nothing found' : `${count} found`;
}
