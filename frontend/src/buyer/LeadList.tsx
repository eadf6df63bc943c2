import {
  type KeyboardEvent,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import type { Feedback, LeadType } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import { berlinDay } from '#shared/rules/working-days';
import { ApiError, call } from '../app/api';
import { lazyComponent } from '../ui/lazy-component';
import { AccountPanels } from './AccountPanels';
import type { LeadAction } from './ClaimAction';
import { type Chip, chipsOf, countsOf, NO_CHIPS, passes, tapped } from './chips';
import { FilterChips } from './FilterChips';
import { failureText } from './failure-text';
import { LeadCards } from './LeadCards';
import classes from './LeadList.module.css';
import { LeadTable } from './LeadTable';
import { ListTools } from './ListTools';
import { isComplete } from './load-view';
import { de } from './messages';
import { InvestmentAnalysis, OrderHeader } from './OrderHeader';
import { PrintedList } from './PrintedList';
import { useServerNow, useViewUpdates } from './use-leads-view';
import { CARD_LAYOUT, useMediaQuery, usePrinting } from './use-media-query';
import { useSeenBefore } from './use-seen-before';
import { hasReplacements, type LeadsView, leadsOf, newestFirst, searchFor, withFeedback } from './view';

// Dialogs load as soon as the list is drawn.
const loadLeadDialog = () => import('./LeadDialog');
const LeadDialog = lazyComponent(async () => (await loadLeadDialog()).LeadDialog);

const Reorder = lazyComponent(async () => (await import('./Reorder')).Reorder);

const DIALOG_PRELOAD_DELAY_MS = 300;
const NOTIFICATION_MS = 5000;
const UNDO_MS = 8000;

interface Props {
  readonly token: string;
  readonly view: LeadsView;
  /** By this device's clock. */
  readonly answeredAt: number;
}

export function LeadList({ token, view, answeredAt }: Props) {
  const now = useServerNow(view, answeredAt);
  const [wanted, setTab] = useState<LeadType>('original');
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState<{ readonly action: LeadAction; readonly leadId: string }>();
  const { notification, notify } = useNotification();
  const onFeedback = useFeedback(token, notify);
  const arrived = useNewLeads(view, notify);
  const whole = isComplete(view);
  const seenBefore = useSeenBefore(
    view.order.order_id,
    whole ? (view.summary.last_lead_at ?? '') : undefined,
    answeredAt,
  );
  const isNew = useCallback(
    (lead: ViewedLead) =>
      arrived(lead.lead_id) || (seenBefore !== undefined && lead.delivered_at > seenBefore),
    [arrived, seenBefore],
  );
  const [chosen, setChosen] = useState(NO_CHIPS);
  // Only after the render in which the other leads arrive.
  const keepsPlace = useDeferredValue(isComplete(view));
  const cards = useMediaQuery(CARD_LAYOUT);
  useEffect(() => {
    const timer = setTimeout(() => {
      // The dialog shows the failure.
      loadLeadDialog().catch(() => {});
    }, DIALOG_PRELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  const printing = usePrinting();

  const tabs = hasReplacements(view) ? (['original', 'reimbursement'] as const) : (['original'] as const);
  const tab = tabs.find((type) => type === wanted) ?? 'original';
  const leads = leadsOf(view, tab);
  const sorted = useMemo(() => newestFirst(leads), [leads]);
  const onAction = useCallback((action: LeadAction, leadId: string) => setOpen({ action, leadId }), []);
  const close = useCallback(() => setOpen(undefined), []);
  const opened = open && findLead(view, open.leadId);

  // Rows count whole days, so noon keeps them until midnight.
  const today = berlinDay(now);
  const noon = useMemo(() => new Date(`${today}T12:00:00Z`), [today]);
  const { max_claim_days: maxClaimDays, min_days_for_ne: minDaysForNe, claim_quota: quota } = view.order;
  // The query keeps unchanged objects.
  const terms = useMemo(
    () => ({ maxClaimDays, minDaysForNe, quota: quota ?? undefined }),
    [maxClaimDays, minDaysForNe, quota],
  );
  const chips = useMemo(() => {
    const of = chipsOf(terms, noon, isNew);
    return new Map(sorted.map((lead) => [lead.lead_id, of(lead)]));
  }, [sorted, terms, noon, isNew]);
  const search = useDeferredValue(query);
  const found = useMemo(() => {
    const searched = search.trim() === '' ? sorted : sorted.filter(searchFor(search));
    return chosen === NO_CHIPS
      ? searched
      : searched.filter(({ lead_id: id }) => passes(chips.get(id) ?? new Set(), chosen));
  }, [sorted, search, chips, chosen]);
  const isNarrowed = chosen.claim !== null || chosen.isNew;
  const counts = useMemo(() => countsOf(chips.values(), view), [chips, view]);
  const tapChip = (chip: Chip) => {
    if (chip === 'replacement') {
      setTab(tab === 'original' ? 'reimbursement' : 'original');
      setChosen(NO_CHIPS);
    } else setChosen((before) => tapped(before, chip));
  };
  const list = {
    leads: found,
    keepsPlace,
    terms,
    now: noon,
    admin: view.admin,
    isNew,
    onAction,
    onFeedback,
  };

  return (
    <main className={classes.main}>
      <OrderHeader view={view} now={now} />
      {view.admin && isComplete(view) && <InvestmentAnalysis view={view} />}
      {view.reorder !== null && !view.admin && (
        <Suspense fallback={null}>
          <Reorder token={token} reorder={view.reorder} />
        </Suspense>
      )}
      <AccountPanels token={token} buyerId={view.order.buyer_id} />
      <ListTools token={token} view={view} collapsed={cards} />
      <Tabs tabs={tabs} tab={tab} view={view} onTab={setTab} />
      <section id="leads" role="tabpanel" aria-labelledby={`tab-${tab}`} className={classes.list}>
        <h2 className={classes.printedTitle}>{de.tabs[tab]}</h2>
        {whole && leads.length > 0 && (
          <FilterChips
            counts={counts}
            isOn={(chip) =>
              chip === 'replacement'
                ? tab === 'reimbursement'
                : chip === 'new'
                  ? chosen.isNew
                  : chosen.claim === chip
            }
            onTap={tapChip}
          />
        )}
        {leads.length > 0 && (
          <div data-screen className={classes.search}>
            <input
              type="search"
              value={query}
              aria-label={de.search.label}
              placeholder={de.search.placeholder}
              onChange={(event) => setQuery(event.target.value)}
            />
            {(search.trim() !== '' || isNarrowed) && (
              <output>{de.search.found(found.length, leads.length)}</output>
            )}
          </div>
        )}
        {found.length === 0 && (
          <p className={classes.empty}>{emptyText(view, tab, leads.length, isNarrowed)}</p>
        )}
        {found.length > 0 && printing && <PrintedList leads={found} />}
        {found.length > 0 && !printing && (cards ? <LeadCards {...list} /> : <LeadTable {...list} />)}
      </section>
      <output data-screen className={classes.notification} aria-live="polite">
        {notification && (
          <>
            {notification.text}
            {notification.undo && (
              <button type="button" className={classes.undo} onClick={notification.undo}>
                {de.feedback.undo}
              </button>
            )}
          </>
        )}
      </output>
      <Suspense>
        {opened && (
          <LeadDialog
            token={token}
            action={open.action}
            lead={opened}
            view={view}
            now={now}
            onClose={close}
            notify={notify}
          />
        )}
      </Suspense>
    </main>
  );
}

interface TabsProps {
  readonly tabs: readonly LeadType[];
  readonly tab: LeadType;
  readonly view: LeadsView;
  readonly onTab: (tab: LeadType) => void;
}

function Tabs({ tabs, tab, view, onTab }: TabsProps) {
  const move = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other = tabs.find((type) => type !== tab);
    if (other === undefined) return;
    onTab(other);
    document.getElementById(`tab-${other}`)?.focus();
  };
  return (
    <div role="tablist" aria-label={de.tabs.label} className={classes.tabs} data-screen>
      {tabs.map((type) => (
        <button
          key={type}
          type="button"
          role="tab"
          id={`tab-${type}`}
          aria-selected={type === tab}
          aria-controls="leads"
          tabIndex={type === tab ? 0 : -1}
          onClick={() => onTab(type)}
          onKeyDown={move}
        >
          {de.tabs[type]} <span className={classes.count}>{formatNumber(countOf(view, type))}</span>
        </button>
      ))}
    </div>
  );
}

/** Until all leads are loaded, the order's figures. */
function countOf(view: LeadsView, type: LeadType): number {
  if (isComplete(view)) return leadsOf(view, type).length;
  return type === 'original' ? view.order.leads_received : view.summary.delivered_reimbursements;
}

function emptyText(view: LeadsView, tab: LeadType, all: number, isNarrowed: boolean): string {
  if (all > 0) return isNarrowed ? de.empty.chips : de.empty.search;
  return tab === 'original' ? de.empty.original : de.empty.reimbursement(view.summary.pending_reimbursements);
}

function findLead(view: LeadsView, leadId: string): ViewedLead | undefined {
  const isIt = (lead: ViewedLead) => lead.lead_id === leadId;
  return view.leads.original.find(isIt) ?? view.leads.reimbursement.find(isIt);
}

interface Notification {
  readonly text: string;
  readonly undo?: () => void;
}

type Notify = (text: string, undo?: () => void) => void;

/** Screen readers announce it. */
function useNotification() {
  const [notification, setNotification] = useState<Notification>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const notify: Notify = useCallback((text, undo) => {
    clearTimeout(timer.current);
    setNotification({ text, ...(undo && { undo }) });
    timer.current = setTimeout(
      () => setNotification(undefined),
      undo === undefined ? NOTIFICATION_MS : UNDO_MS,
    );
  }, []);
  return { notification, notify };
}

/** Optimistic; undone if the server refuses. */
function useFeedback(token: string, notify: Notify) {
  const { show, refresh } = useViewUpdates(token);
  return useCallback(
    async function save(lead: ViewedLead, feedback: Feedback | null, isUndo = false): Promise<void> {
      const { lead_id: leadId, feedback: before = null } = lead;
      await show(leadId, (shown) => withFeedback(shown, feedback));
      try {
        await call(
          'saveFeedback',
          { params: { token, leadId }, body: { feedback } },
          { fallbackText: de.feedback.failed },
        );
        const text = feedback === null ? de.feedback.takenBack : de.feedback.saved(de.feedback[feedback]);
        if (isUndo) notify(text);
        else notify(text, () => void save(withFeedback(lead, feedback), before, true));
      } catch (error) {
        await show(leadId, (shown) => withFeedback(shown, before));
        notify(error instanceof ApiError && error.status > 0 ? failureText(error) : de.feedback.failed);
      }
      await refresh();
    },
    [token, show, refresh, notify],
  );
}

/** Announces leads that arrive while the page is open. */
function useNewLeads(view: LeadsView, notify: Notify): (leadId: string) => boolean {
  const { original, reimbursement } = view.leads;
  const ids = useMemo(
    () => [...original, ...reimbursement].map((lead) => lead.lead_id),
    [original, reimbursement],
  );
  const [atFirst, setAtFirst] = useState<ReadonlySet<string>>();
  if (isComplete(view) && atFirst === undefined) setAtFirst(new Set(ids));
  const seen = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (atFirst === undefined) return;
    const before = seen.current ?? atFirst;
    const arrived = ids.filter((id) => !before.has(id));
    seen.current = arrived.length === 0 ? before : new Set([...before, ...arrived]);
    if (arrived.length > 0) notify(de.arrived(arrived.length));
  }, [ids, atFirst, notify]);
  return useCallback((leadId) => atFirst !== undefined && !atFirst.has(leadId), [atFirst]);
}
