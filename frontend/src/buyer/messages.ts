import type { ClaimQuota } from '#shared/rules/claims';
import type { ClaimStatus, Feedback, LeadType, OrderStatus } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import type { Chip } from './chips';

/**
 * Every text of the buyer's page in one language. A catalogue that misses a text, a status or a plural form does not
 * compile. Numbers arrive as numbers and are written the way of the language.
 */
export interface Messages {
  readonly locale: string;
  readonly loading: string;
  readonly title: (orderNumber: number) => string;
  readonly documentTitle: (orderNumber: number) => string;

  readonly unknownLink: { readonly title: string; readonly hint: string };
  readonly loadFailed: { readonly title: string; readonly retry: string };
  /** In place of the server's English text about a failure of its own, and about too many calls. */
  readonly serverFailed: string;
  readonly tooManyCalls: string;
  /** Shown above the list while the server cannot be reached; with the time of what is on the screen. */
  readonly stale: (time: string) => string;
  /** The defaults of the error catalogue, shown when the server says nothing. */
  readonly failed: {
    readonly submitClaim: string;
    readonly claimDetails: string;
    readonly updateLead: string;
    readonly deleteLead: string;
  };

  readonly progress: { readonly label: string; readonly unit: (limit: number) => string };
  readonly orderStatus: Readonly<Record<OrderStatus, string>>;
  readonly lastLead: { readonly label: string; readonly never: string; readonly now: string };
  readonly replacements: (delivered: number, pending: number) => string;
  readonly comments: { readonly title: string; readonly none: string };
  readonly account: { readonly share: string; readonly statement: string; readonly news: string };
  readonly legend: string;
  readonly claimStatus: Readonly<Record<ClaimStatus, string>>;
  readonly tabs: { readonly label: string } & Readonly<Record<LeadType, string>>;
  readonly exports: {
    readonly title: string;
    readonly all: string;
    readonly as: (part: string, format: string) => string;
    readonly print: string;
  };
  readonly search: {
    readonly label: string;
    readonly placeholder: string;
    readonly found: (found: number, of: number) => string;
  };
  readonly empty: {
    readonly original: string;
    readonly reimbursement: (pending: number) => string;
    readonly search: string;
    readonly chips: string;
  };
  readonly chips: { readonly label: string } & Readonly<Record<Chip, string>>;
  readonly feedback: Readonly<Record<Feedback, string>> & {
    readonly of: (name: string) => string;
    readonly saved: (feedback: string) => string;
    readonly takenBack: string;
    readonly undo: string;
    readonly failed: string;
  };
  readonly arrived: (count: number) => string;
  readonly newLead: string;

  readonly lead: {
    readonly list: string;
    readonly number: string;
    readonly delivered: string;
    readonly name: string;
    readonly contact: string;
    readonly email: string;
    readonly phone: string;
    readonly amount: string;
    readonly term: string;
    readonly months: (count: number) => string;
    readonly claim: string;
    readonly actions: string;
    readonly systemId: string;
    readonly buyerId: string;
  };

  readonly claim: {
    readonly file: string;
    readonly fileFor: (name: string) => string;
    readonly until: (day: string) => string;
    /** The same in one line of a list. @param day `2027-05-24` */
    readonly shortUntil: (day: string) => string;
    readonly remaining: (workingDays: number) => string;
    readonly lastDay: string;
    readonly details: (status: string, name: string) => string;
    /** @param day `2027-05-24` */
    readonly shortDecideBy: (day: string) => string;
  };
  /** How many more claims of the order may be filed. */
  readonly claimQuota: { readonly label: string; readonly left: (quota: ClaimQuota) => string };
  readonly claimForm: {
    readonly title: string;
    readonly reason: string;
    readonly choose: string;
    readonly neFrom: (label: string, day: string) => string;
    readonly neHint: (day: string) => string;
    readonly text: string;
    readonly textHint: (min: number, max: number) => string;
    readonly submit: string;
    readonly submitting: string;
    readonly done: string;
  };
  readonly claimDetails: {
    readonly title: string;
    readonly number: string;
    readonly lead: string;
    readonly status: string;
    readonly reason: string;
    readonly filed: string;
    readonly decideBy: string;
    readonly decided: string;
    readonly notes: string;
    readonly basis: string;
  };
  readonly dialog: { readonly close: string; readonly cancel: string };

  readonly admin: {
    readonly badge: string;
    readonly edit: string;
    readonly editLead: (displayId: string) => string;
    readonly remove: string;
    readonly removeLead: (displayId: string) => string;
    readonly removeQuestion: (displayId: string, name: string, isCompensated: boolean) => string;
    readonly removed: string;
    readonly save: string;
    readonly saved: string;
    readonly salutation: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly amount: string;
    readonly amountChoices: string;
    readonly term: string;
    readonly invalid: {
      readonly required: string;
      readonly email: string;
      readonly amount: string;
      readonly term: string;
      readonly text: string;
    };
  };
  readonly analysis: {
    readonly title: string;
    readonly under: (split: string) => string;
    readonly over: (split: string) => string;
    readonly leads: (count: number) => string;
    readonly share: (percent: number) => string;
    readonly sum: (amount: string) => string;
    readonly average: (amount: string) => string;
  };
}

const WEEKDAYS = ['So', 'Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa'] as const;

/** `1 Lead`, `1.234 Leads`. */
export const count = (value: number, one: string, other: string) =>
  `${formatNumber(value)} ${value === 1 ? one : other}`;

export const de: Messages = {
  locale: 'de-DE',
  loading: 'Wird geladen …',
  title: (orderNumber) => `Lead Liste für Bestellung #${orderNumber}`,
  documentTitle: (orderNumber) => `Lead Liste #${orderNumber}`,

  unknownLink: {
    title: 'Dieser Link ist nicht gültig',
    hint: 'Vielleicht wurde er erneuert oder nicht vollständig kopiert. Bitte öffnen Sie den Link aus der neuesten Nachricht oder fragen Sie Ihren Ansprechpartner.',
  },
  loadFailed: { title: 'Die Lead Liste konnte nicht geladen werden', retry: 'Erneut versuchen' },
  serverFailed: 'Es ist ein Fehler aufgetreten. Bitte versuchen Sie es später noch einmal.',
  tooManyCalls: 'Zu viele Anfragen. Bitte versuchen Sie es in einer Minute noch einmal.',
  stale: (time) => `Keine Verbindung zum Server. Stand: ${time} Uhr.`,
  failed: {
    submitClaim: 'Failed to submit claim',
    claimDetails: 'Fehler beim Abrufen der Reklamationsdetails',
    updateLead: 'Failed to update lead',
    deleteLead: 'Failed to delete lead',
  },

  progress: {
    label: 'Gelieferte Leads',
    unit: (limit) => (limit === 1 ? 'Lead geliefert' : 'Leads geliefert'),
  },
  orderStatus: {
    Active: 'Aktiv',
    Completed: 'Abgeschlossen',
    Deleted: 'Beendet',
    Inactive: 'Inaktiv',
  },
  lastLead: { label: 'Letzter Lead', never: 'noch keiner', now: 'gerade eben' },
  replacements: (delivered, pending) =>
    `${formatNumber(delivered)} geliefert, ${formatNumber(pending)} ausstehend`,
  comments: { title: 'Kommentare', none: 'Keine Kommentare' },
  account: { share: 'Mein Anteil', statement: 'Kontoauszug', news: 'Benachrichtigungen' },
  legend: 'Status der Reklamation',
  claimStatus: { pending: 'In Prüfung', approved: 'Genehmigt', rejected: 'Abgelehnt' },
  tabs: { label: 'Listen', original: 'Original Leads', reimbursement: 'Ersatzleads' },
  exports: {
    title: 'Exportieren',
    all: 'Alle Leads',
    as: (part, format) => `${part} als ${format} herunterladen`,
    print: 'Drucken',
  },
  search: {
    label: 'Leads durchsuchen',
    placeholder: 'Name, E-Mail, Telefon oder Nummer',
    found: (found, of) => `${formatNumber(found)} von ${count(of, 'Lead', 'Leads')}`,
  },
  empty: {
    original: 'Noch keine Leads. Neue Leads erscheinen hier von selbst.',
    reimbursement: (pending) =>
      pending === 1
        ? 'Ein Ersatzlead steht aus und erscheint hier von selbst.'
        : `${formatNumber(pending)} Ersatzleads stehen aus und erscheinen hier von selbst.`,
    search: 'Kein Lead passt zu dieser Suche.',
    chips: 'Kein Lead passt zu dieser Auswahl.',
  },
  chips: {
    label: 'Liste eingrenzen',
    claimable: 'Reklamierbar',
    ending: 'Läuft bald ab',
    pending: 'In Prüfung',
    replacement: 'Ersatz',
    new: 'Neu seit dem letzten Besuch',
  },
  feedback: {
    reached: 'Erreicht',
    not_reached: 'Nicht erreicht',
    closed: 'Abschluss',
    of: (name) => `Rückmeldung zu ${name}`,
    saved: (feedback) => `Notiert: ${feedback}.`,
    takenBack: 'Rückmeldung entfernt.',
    undo: 'Rückgängig',
    failed: 'Die Rückmeldung konnte nicht gespeichert werden. Bitte versuchen Sie es noch einmal.',
  },
  arrived: (value) => `${count(value, 'neuer Lead', 'neue Leads')} eingetroffen.`,
  newLead: 'Neu',

  lead: {
    list: 'Leads',
    number: 'Nr.',
    delivered: 'Geliefert am',
    name: 'Name',
    contact: 'Kontakt',
    email: 'E-Mail',
    phone: 'Telefon',
    amount: 'Anlagebetrag',
    term: 'Laufzeit',
    months: (value) => count(value, 'Monat', 'Monate'),
    claim: 'Reklamation',
    actions: 'Aktionen',
    systemId: 'System-ID',
    buyerId: 'Käufer-ID',
  },

  claim: {
    file: 'Reklamieren',
    fileFor: (name) => `${name} reklamieren`,
    until: (day) => `Reklamation möglich bis ${day}`,
    shortUntil: (day) =>
      `reklamierbar bis ${WEEKDAYS[new Date(day).getUTCDay()]} ${day.slice(8)}.${day.slice(5, 7)}.`,
    remaining: (workingDays) => `noch ${count(workingDays, 'Werktag', 'Werktage')}`,
    lastDay: 'heute letzter Tag',
    details: (status, name) => `${status}: Reklamation zu ${name} ansehen`,
    shortDecideBy: (day) => `Entscheidung bis ${day.slice(8)}.${day.slice(5, 7)}.`,
  },
  claimQuota: {
    label: 'Reklamationen',
    left: ({ allowed, used }) =>
      allowed === 0
        ? 'nicht vereinbart'
        : `Noch ${formatNumber(Math.max(0, allowed - used))} von ${count(allowed, 'Reklamation', 'Reklamationen')}${
            used < allowed ? '' : ', bis eine abgelehnt wird'
          }`,
  },
  claimForm: {
    title: 'Reklamation einreichen',
    reason: 'Grund',
    choose: 'Bitte wählen Sie einen Grund...',
    neFrom: (label, day) => `${label}, möglich ab ${day}`,
    neHint: (day) => `„Nicht erreichbar“ ist ab dem ${day} möglich.`,
    text: 'Beschreibung',
    textHint: (min, max) => `${min} bis ${formatNumber(max)} Zeichen`,
    submit: 'Reklamation einreichen',
    submitting: 'Wird eingereicht …',
    done: 'Ihre Reklamation wurde eingereicht.',
  },
  claimDetails: {
    title: 'Reklamation Details',
    number: 'Reklamation',
    lead: 'Lead',
    status: 'Status',
    reason: 'Grund',
    filed: 'Eingereicht am',
    decideBy: 'Entscheidung bis',
    decided: 'Entschieden am',
    notes: 'Anmerkung',
    basis: 'Grundlage',
  },
  dialog: { close: 'Schließen', cancel: 'Abbrechen' },

  admin: {
    badge: 'Admin',
    edit: 'Bearbeiten',
    editLead: (displayId) => `Lead ${displayId} bearbeiten`,
    remove: 'Löschen',
    removeLead: (displayId) => `Lead ${displayId} löschen`,
    removeQuestion: (displayId, name, isCompensated) =>
      `Soll der Lead ${displayId} (${name}) wirklich gelöscht werden? ${
        isCompensated
          ? 'Seine Reklamation wurde genehmigt: Sein Platz in der Bestellung bleibt belegt.'
          : 'Sein Platz in der Bestellung wird wieder frei.'
      }`,
    removed: 'Der Lead wurde gelöscht.',
    save: 'Speichern',
    saved: 'Der Lead wurde gespeichert.',
    salutation: 'Anrede',
    firstName: 'Vorname',
    lastName: 'Nachname',
    amount: 'Anlagebetrag (€)',
    amountChoices: 'Häufige Beträge',
    term: 'Laufzeit (Monate)',
    invalid: {
      required: 'Bitte ausfüllen',
      email: 'Bitte eine gültige E-Mail-Adresse eingeben',
      amount: 'Bitte einen Betrag eingeben, zum Beispiel 25.000,00',
      term: 'Bitte eine ganze Zahl von Monaten eingeben',
      text: 'Bitte diese Angabe kürzen oder berichtigen',
    },
  },
  analysis: {
    title: 'Investitionsanalyse',
    under: (split) => `Unter ${split}`,
    over: (split) => `Ab ${split}`,
    leads: (value) => count(value, 'Lead', 'Leads'),
    share: (percent) => `${formatNumber(percent)} %`,
    sum: (amount) => `Summe ${amount}`,
    average: (amount) => `Ø ${amount}`,
  },
};
