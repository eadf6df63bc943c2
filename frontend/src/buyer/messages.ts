import type { ClaimQuota } from '#shared/rules/claim-windows';
import type { ClaimStatus, Feedback, LeadType, OrderStatus } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import { orderNumberText } from '#shared/rules/order-texts';
import type { Chip } from './chips';

const WEEKDAYS = ['So', 'Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa'] as const;

const FEEDBACK = {
  reached: 'Erreicht',
  not_reached: 'Nicht erreicht',
  closed: 'Abschluss',
} satisfies Record<Feedback, string>;

export const count = (value: number, one: string, other: string) =>
  `${formatNumber(value)} ${value === 1 ? one : other}`;

/** Every text of the buyer's page. */
export const de = {
  locale: 'de-DE',
  loading: 'Wird geladen …',
  title: (orderNumber: number) => `Lead Liste für Bestellung ${orderNumberText(orderNumber)}`,
  documentTitle: (orderNumber: number) => `Lead Liste ${orderNumberText(orderNumber)}`,

  unknownLink: {
    title: 'Dieser Link ist nicht gültig',
    hint: 'Vielleicht wurde er erneuert oder nicht vollständig kopiert. Bitte öffnen Sie den Link aus der neuesten Nachricht oder wenden Sie sich an uns.',
  },
  loadFailed: { title: 'Die Lead Liste konnte nicht geladen werden', retry: 'Erneut versuchen' },
  serverFailed: 'Es ist ein Fehler aufgetreten. Bitte versuchen Sie es später noch einmal.',
  noAnswer: 'Der Server ist nicht erreichbar.',
  tooManyCalls: 'Zu viele Anfragen. Bitte versuchen Sie es in einer Minute erneut.',
  notLoaded:
    'Das konnte ohne Verbindung nicht geladen werden. Bitte laden Sie die Seite neu, sobald die Verbindung wieder da ist.',
  stale: (time: string) => `Keine Verbindung zum Server. Stand: ${time} Uhr.`,
  /** From the error catalogue, if the server gives no text. */
  failed: {
    submitClaim: 'Failed to submit claim',
    claimDetails: 'Fehler beim Abrufen der Reklamationsdetails',
    updateLead: 'Failed to update lead',
    deleteLead: 'Failed to delete lead',
  },

  progress: {
    label: 'Gelieferte Leads',
    unit: (limit: number) => (limit === 1 ? 'Lead geliefert' : 'Leads geliefert'),
  },
  orderStatus: {
    Active: 'Aktiv',
    Completed: 'Abgeschlossen',
    Deleted: 'Beendet',
    Inactive: 'Inaktiv',
  } satisfies Record<OrderStatus, string>,
  lastLead: { label: 'Letzter Lead', never: 'noch keiner', now: 'gerade eben' },
  replacements: (delivered: number, pending: number) =>
    `${formatNumber(delivered)} geliefert, ${formatNumber(pending)} ausstehend`,
  comments: { title: 'Kommentare', none: 'Keine Kommentare' },
  account: {
    title: 'Konto',
    share: 'Mein Anteil',
    statement: 'Abrechnung',
    notifications: 'Benachrichtigungen',
  },
  legend: 'Status der Reklamation',
  claimStatus: { pending: 'In Prüfung', approved: 'Genehmigt', rejected: 'Abgelehnt' } satisfies Record<
    ClaimStatus,
    string
  >,
  tabs: { label: 'Listen', original: 'Original Leads', reimbursement: 'Ersatzleads' } satisfies Record<
    LeadType | 'label',
    string
  >,
  exports: {
    title: 'Exportieren',
    all: 'Alle Leads',
    as: (part: string, format: string) => `${format}: ${part} herunterladen`,
    print: 'Drucken',
    consents: 'Einwilligungen',
  },
  search: {
    label: 'Leads durchsuchen',
    placeholder: 'Name, E-Mail, Telefon oder Nummer',
    found: (found: number, of: number) => `${formatNumber(found)} von ${count(of, 'Lead', 'Leads')}`,
  },
  empty: {
    original: 'Noch keine Leads. Neue Leads erscheinen hier automatisch.',
    reimbursement: (pending: number) =>
      pending === 1
        ? 'Ein Ersatzlead steht aus und erscheint hier automatisch.'
        : `${formatNumber(pending)} Ersatzleads stehen aus und erscheinen hier automatisch.`,
    search: 'Kein Lead passt zu dieser Suche.',
    chips: 'Kein Lead passt zu dieser Auswahl.',
  },
  chips: {
    title: 'Filter',
    label: 'Liste eingrenzen',
    claimable: 'Reklamierbar',
    ending: 'Läuft bald ab',
    pending: 'In Prüfung',
    new: 'Neu seit dem letzten Besuch',
  } satisfies Record<Chip | 'title' | 'label', string>,
  feedback: {
    ...FEEDBACK,
    label: 'Rückmeldung',
    none: 'offen',
    of: (name: string) => `Rückmeldung: ${name}`,
    saved: (feedback: string) => `Notiert: ${feedback}.`,
    takenBack: 'Rückmeldung entfernt.',
    diary: (entries: number) => `Verlauf (${formatNumber(entries)})`,
    undo: 'Rückgängig',
    failed: 'Die Rückmeldung konnte nicht gespeichert werden. Bitte versuchen Sie es noch einmal.',
  },
  arrived: (value: number) => `${count(value, 'neuer Lead', 'neue Leads')} eingetroffen.`,
  newLead: 'Neu',

  lead: {
    list: 'Leads',
    number: 'Nr.',
    delivered: 'Geliefert am',
    name: 'Name',
    contact: 'Kontakt',
    amount: 'Anlagebetrag',
    term: 'Laufzeit',
    months: (value: number) => count(value, 'Monat', 'Monate'),
    claim: 'Reklamation',
    actions: 'Aktionen',
    systemId: 'System-ID',
    buyerId: 'Käufer-ID',
    consent: 'Einwilligung',
    withdrawn: 'Einwilligung widerrufen',
  },

  claim: {
    file: 'Reklamieren',
    fileFor: (name: string) => `Reklamieren: ${name}`,
    until: (day: string) => `Reklamation möglich bis ${day}`,
    /** In one line. @param day `2027-05-24` */
    shortUntil: (day: string) =>
      `reklamierbar bis ${WEEKDAYS[new Date(day).getUTCDay()]} ${day.slice(8)}.${day.slice(5, 7)}.`,
    remaining: (workingDays: number) => `noch ${count(workingDays, 'Werktag', 'Werktage')}`,
    lastDay: 'heute letzter Tag',
    details: (status: string, name: string) => `${status}: Reklamation zu ${name} ansehen`,
    /** @param day `2027-05-24` */
    shortDecideBy: (day: string) => `Entscheidung bis ${day.slice(8)}.${day.slice(5, 7)}.`,
  },
  claimQuota: {
    label: 'Reklamationen',
    left: ({ allowed, used }: ClaimQuota) =>
      allowed === 0
        ? 'nicht vereinbart'
        : used < allowed
          ? `Noch ${formatNumber(allowed - used)} von ${count(allowed, 'Reklamation', 'Reklamationen')}`
          : 'ausgeschöpft, bis eine abgelehnt wird',
  },
  dialog: { close: 'Schließen', cancel: 'Abbrechen' },

  admin: {
    badge: 'Admin',
    edit: 'Bearbeiten',
    editLead: (displayId: string) => `Lead ${displayId} bearbeiten`,
    remove: 'Löschen',
    removeLead: (displayId: string) => `Lead ${displayId} löschen`,
    removeQuestion: (displayId: string, name: string, isCompensated: boolean) =>
      `Soll der Lead ${displayId} (${name}) wirklich gelöscht werden? ${
        isCompensated
          ? 'Seine Reklamation wurde genehmigt: Sein Platz in der Bestellung bleibt belegt.'
          : 'Sein Platz in der Bestellung wird wieder frei.'
      }`,
    removed: 'Der Lead wurde gelöscht.',
    save: 'Speichern',
    saved: 'Der Lead wurde gespeichert.',
    amountChoices: 'Häufige Beträge',
  },
  analysis: {
    title: 'Investitionsanalyse',
    under: (split: string) => `Unter ${split}`,
    over: (split: string) => `Ab ${split}`,
    leads: (value: number) => count(value, 'Lead', 'Leads'),
    share: (percent: number) => `${formatNumber(percent)} %`,
    sum: (amount: string) => `Summe ${amount}`,
    average: (amount: string) => `Ø ${amount}`,
  },
};
