import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import type { Feedback, LeadType } from '#shared/rules/constants';
import { berlinDay } from '#shared/rules/working-days';
import { ApiError, call } from '../app/api';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { lazyComponent } from '../ui/lazy-component';
import { whenUsed } from '../ui/when-used';
import { AccountPanels } from './AccountPanels';
import type { LeadAction } from './ClaimAction';
import { CHIPS, chipsOf, countsOf, isChosen, NO_CHIPS, passes, tapped } from './chips';
import { ExportMenu } from './ExportMenu';
import { FilterChips } from './FilterChips';
import { failureText } from './failure-text';
import { LeadCards } from './LeadCards';
import classes from './LeadList.module.css';
import { LeadTable } from './LeadTable';
import { isComplete } from './load-view';
import { de } from './messages';
import { InvestmentAnalysis, OrderHeader } from './OrderHeader';
import { PrintedList } from './PrintedList';
import page from './page.module.css';
import { Tabs, tabId } from './Tabs';
import { useServerNow, useViewUpdates } from './use-leads-view';
import { CARD_LAYOUT, useMediaQuery, usePrinting } from './use-media-query';
import { useSeenBefore } from './use-seen-before';
import { hasReplacements, type LeadsView, leadsOf, newestFirst, searchFor, withFeedback } from './view';

// Dialogs load as soon as the list is drawn.
const loadLeadDialog = () => import('./LeadDialog');
const LeadDialog = lazyComponent(async () => (await loadLeadDialog()).LeadDialog);

const Reorder = lazyComponent(async () => (await import('./Reorder')).Reorder);

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
  const [filtering, setFiltering] = useState(false);
  // Only after the render in which the other leads arrive.
  const keepsPlace = useDeferredValue(isComplete(view));
  const cards = useMediaQuery(CARD_LAYOUT);
  // The dialog shows a failure.
  useEffect(() => whenUsed(() => loadLeadDialog().catch(() => {})), []);
  const printing = usePrinting();

  const tabs = hasReplacements(view) ? (['original', 'reimbursement'] as const) : (['original'] as const);
  const tab = tabs.find((type) => type === wanted) ?? 'original';
  const leads = leadsOf(view, tab);
  const sorted = useMemo(() => newestFirst(leads), [leads]);
  const onAction = useCallback((action: LeadAction, leadId: string) => setOpen({ action, leadId }), []);
  const close = useCallback(() => setOpen(undefined), []);
  const notLoaded = () => {
    close();
    notify(de.notLoaded);
  };
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
  const counts = useMemo(() => countsOf(chips.values()), [chips]);
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
      {view.reorder !== null && !view.admin && (
        <ErrorBoundary>
          <Suspense fallback={null}>
            <Reorder token={token} reorder={view.reorder} />
          </Suspense>
        </ErrorBoundary>
      )}
      <div data-screen className={classes.tools}>
        <Tabs
          label={de.tabs.label}
          panel="leads"
          tabs={tabs}
          tab={tab}
          titleOf={(type) => de.tabs[type]}
          countOf={(type) => countOf(view, type)}
          onTab={setTab}
        />
        {leads.length > 0 && (
          <input
            type="search"
            value={query}
            aria-label={de.search.label}
            placeholder={de.search.placeholder}
            onChange={(event) => setQuery(event.target.value)}
          />
        )}
        {whole && leads.length > 0 && (
          <button
            type="button"
            className={page.tool}
            aria-expanded={filtering}
            aria-controls="filter"
            onClick={() => setFiltering(!filtering)}
          >
            {[
              de.chips.title,
              ...CHIPS.filter((chip) => isChosen(chosen, chip)).map((chip) => de.chips[chip]),
            ].join(' · ')}
          </button>
        )}
        <ExportMenu token={token} view={view} />
      </div>
      <section id="leads" role="tabpanel" aria-labelledby={tabId(tab)} className={classes.list}>
        <h2 className={classes.printedTitle}>{de.tabs[tab]}</h2>
        {filtering && whole && leads.length > 0 && (
          <FilterChips
            counts={counts}
            chosen={chosen}
            onTap={(chip) => setChosen((before) => tapped(before, chip))}
          />
        )}
        {leads.length > 0 && (search.trim() !== '' || isNarrowed) && (
          <output data-screen className={page.note}>
            {de.search.found(found.length, leads.length)}
          </output>
        )}
        {found.length === 0 && (
          <p className={classes.empty}>{emptyText(view, tab, leads.length, isNarrowed)}</p>
        )}
        {found.length > 0 && printing && <PrintedList leads={found} />}
        {found.length > 0 && !printing && (cards ? <LeadCards {...list} /> : <LeadTable {...list} />)}
      </section>
      {view.admin && whole && <InvestmentAnalysis view={view} />}
      <AccountPanels token={token} buyerId={view.order.buyer_id} settled={whole} />
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
      <ErrorBoundary key={open?.leadId} onFailed={notLoaded}>
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
      </ErrorBoundary>
    </main>
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
    async (lead: ViewedLead, feedback: Feedback | null): Promise<void> => {
      const { lead_id: leadId, feedback: before = null } = lead;
      const params = { token, leadId };
      const options = { fallbackText: de.feedback.failed };
      const noted = async (from: Feedback | null, to: Feedback | null, work: () => Promise<void>) => {
        await show(leadId, (shown) => withFeedback(shown, to));
        try {
          await work();
        } catch (error) {
          await show(leadId, (shown) => withFeedback(shown, from));
          notify(error instanceof ApiError && error.status > 0 ? failureText(error) : de.feedback.failed);
        }
        await refresh();
      };
      await noted(before, feedback, async () => {
        const { entry } = await call('saveFeedback', { params, body: { feedback } }, options);
        const undo = () =>
          void noted(feedback, before, async () => {
            await call('takeBackFeedback', { params: { ...params, entry } }, options);
            notify(de.feedback.takenBack);
          });
        notify(feedback === null ? de.feedback.takenBack : de.feedback.saved(de.feedback[feedback]), undo);
      });
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
