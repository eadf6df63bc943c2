/**
 * What a delivery channel is, apart from its adapter (`functions/channels`). The buyer's schemas, rows, request checks,
 * masked secrets and form fields are derived from it. Plain data: the browser loads it, so it knows no validation library.
 */

export interface ChannelDescriptor {
  /** Stored with every delivery; part of paths and queue messages. */
  readonly id: string;
  /** The buyer's field that switches the channel on. */
  readonly flag: string;
  /** As admins call it, in lists and as the title of its badge. */
  readonly label: string;
  /** Shown in the list of buyers where the channel is on; the colour is one of the component library. */
  readonly badge: { readonly text: string; readonly color: string };
  /** Texts of its section in the buyer form. */
  readonly form: { readonly legend: string; readonly toggle: string };
  /** Ends "Required for …" where a required field is missing. */
  readonly requiredFor: string;
  /** The buyer's further fields, in the order of the form. */
  readonly fields: readonly ChannelField[];
}

interface Common {
  readonly name: string;
  readonly label: string;
  /**
   * When the channel is on: `always` is refused by form and API; `in-form` by the form alone, so that a lead without it
   * fails visibly at the delivery.
   */
  readonly required?: 'always' | 'in-form';
  /** What the form says where it is missing; otherwise the label with "is required". */
  readonly requiredText?: string;
  /** The form shows and sends it while the channel is off, because another channel uses it, too. */
  readonly shownWhenOff?: true;
}

interface InputHints {
  readonly autoComplete?: 'off' | 'new-password';
  readonly placeholder?: string;
  readonly description?: string;
}

/** One line. */
export interface TextField extends Common, InputHints {
  readonly kind: 'text';
  readonly maxLength: number;
  /** Of a new buyer; such a field cannot be cleared. */
  readonly defaultValue?: string;
  /** A third of the form's width instead of half. */
  readonly narrow?: true;
}

/** A host name with an optional port. */
export interface HostField extends Common, InputHints {
  readonly kind: 'host';
}

/** Stored encrypted, answered masked, never in the audit trail. */
export interface SecretField extends Common, InputHints {
  readonly kind: 'secret';
}

/** From the partner's fields to ours. */
export interface MappingField extends Common {
  readonly kind: 'mapping';
  readonly required?: never;
  /** The partner's fields that exist, and what is said of others. */
  readonly keys: RegExp;
  readonly keysText: string;
  readonly example: string;
}

/** The id of an e-mail template. */
export interface TemplateField extends Common {
  readonly kind: 'template';
  /** What the form offers for none. */
  readonly noneText: string;
  /** Replacements exist for prepay buyers only. */
  readonly prepayOnly?: true;
}

export type ChannelField = TextField | HostField | SecretField | MappingField | TemplateField;
