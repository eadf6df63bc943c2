/** An HTML form that posts leads from the visitor's browser. */
import { CONSENT_LIMITS, type ConsentChannel } from '#shared/rules/consent';
import {
  type Field,
  type IntakeField,
  inputAttributes,
  isOptional,
  labelOf,
  PERSON,
  PERSON_FIELDS,
  type PersonField,
} from '#shared/rules/lead-fields';

/** Hidden from people. Only a program fills it, and its lead is not accepted although the answer says so. */
export const TRAP_FIELD = 'form_check';
/** Milliseconds since the form was shown. */
export const SHOWN_FIELD = 'form_ms';
/** A faster visitor is asked to send again: with autofill, a person can be that fast too. */
export const MIN_SHOWN_MS = 2000;

/** What the form says next to the box for the consent. */
export interface FormConsent {
  readonly text_id: string;
  readonly text: string;
  readonly privacy_url?: string | null | undefined;
}

/** Our names to the source's names, and to defaults. */
export interface FormSource {
  readonly mapping: { readonly [Field in IntakeField]?: string | undefined };
  /** Fields with a default are not in the form. */
  readonly defaults: { readonly [Field in IntakeField]?: string | undefined };
}

export const KEY_PLACEHOLDER = 'YOUR_KEY';

const AUTOCOMPLETE: { readonly [Name in PersonField]?: string } = {
  vorname: 'given-name',
  nachname: 'family-name',
  email: 'email',
  telefon: 'tel',
};

/** In German. @param name the source's own */
function question(field: PersonField, name: string): string {
  const of: Field = PERSON[field];
  const start = `  <p><label>${labelOf(field, 'de')}<br>`;
  if (of.kind === 'choice') {
    const options = of.options.map((one) => `<option>${one}</option>`).join('');
    return `${start}<select name="${escaped(name)}" required>${options}</select></label></p>`;
  }
  const { type, maxLength, inputMode } = inputAttributes(of);
  const values = { type, autocomplete: AUTOCOMPLETE[field], maxlength: maxLength, inputmode: inputMode };
  const attributes = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${value}"`],
  );
  const required = isOptional(of) ? '' : ' required';
  return `${start}<input name="${escaped(name)}"${required}${attributes.join('')}></label></p>`;
}

/** Never checked beforehand: the visitor has to agree. */
function consentBox({ text, privacy_url: privacy }: FormConsent): string {
  const wording = escaped(text).replaceAll('\n', '<br>');
  const link = privacy
    ? `\n  <p><a href="${escaped(privacy)}" target="_blank">Datenschutzhinweise</a></p>`
    : '';
  return `  <p><label><input type="checkbox" required> ${wording}</label></p>${link}\n`;
}

/** The channels of the consent that a form asks for. */
export const FORM_CHANNELS = ['phone', 'email'] as const satisfies readonly ConsentChannel[];

const givenConsent = ({ text_id }: FormConsent) => `
      if (form.querySelector('[type=checkbox]').checked)
        lead.consent = {
          given_at: sentAt,
          method: 'form',
          channels: ${JSON.stringify(FORM_CHANNELS)},
          text_id: ${inScript(text_id)},
          page_url: location.origin + location.pathname,
          user_agent: navigator.userAgent.slice(0, ${CONSENT_LIMITS.user_agent}),
        };`;

/** A visitor who sends again without an answer repeats `external_id` and the time, so the lead is accepted once. */
export function readyForm(
  { mapping, defaults }: FormSource,
  address: string,
  key: string,
  consent?: FormConsent,
): string {
  const nameOf = (field: IntakeField) => mapping[field] ?? field;
  const asked = PERSON_FIELDS.filter((field) => defaults[field] === undefined);
  return `<form id="lead-form">
${asked.map((field) => question(field, nameOf(field))).join('\n')}
  <p style="position:absolute;left:-9999px" aria-hidden="true"><label>Bitte leer lassen<br><input name="${TRAP_FIELD}" tabindex="-1" autocomplete="off"></label></p>
${consent === undefined ? '' : consentBox(consent)}  <p><button>Absenden</button></p>
  <p role="status"></p>
</form>
<script>
  (() => {
    const form = document.getElementById('lead-form');
    const [status, button] = [form.querySelector('[role=status]'), form.querySelector('button')];
    const clickId = new URLSearchParams(location.search).get('clickId');
    const shownAt = performance.now();
    let [id, sentAt] = [crypto.randomUUID(), undefined];
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      button.disabled = true;
      status.textContent = 'Wird gesendet …';
      const lead = Object.fromEntries(new FormData(form));
      sentAt ??= new Date().toISOString();
      lead.${SHOWN_FIELD} = Math.round(performance.now() - shownAt);${consent === undefined ? '' : givenConsent(consent)}
      lead[${inScript(nameOf('external_id'))}] = id;
      if (clickId) lead[${inScript(nameOf('clickId'))}] = clickId;
      try {
        const answer = await fetch(${inScript(address)}, {
          method: 'POST',
          headers: {
            'authorization': ${inScript(`Bearer ${key}`)},
            'content-type': 'application/json',
          },
          body: JSON.stringify(lead),
        });
        const { results: [result] = [] } = await answer.json();
        // Otherwise the next submission is another lead.
        if (answer.ok || answer.status === 409) [id, sentAt] = [crypto.randomUUID(), undefined];
        if (result?.fields?.${SHOWN_FIELD}) {
          status.textContent = 'Bitte senden Sie das Formular noch einmal ab.';
        } else if (result?.status === 'invalid') {
          const labelOf = (name) => form.elements[name]?.labels?.[0]?.firstChild?.textContent ?? name;
          const wrong = Object.keys(result.fields);
          status.textContent = 'Bitte prüfen Sie: ' + wrong.map(labelOf).join(', ');
          form.elements[wrong[0]]?.focus?.();
        } else if (result?.status === 'test') {
          status.textContent = 'Test: Das Formular funktioniert. Die Angaben wurden nicht gespeichert.';
          form.reset();
        } else if (answer.ok) {
          status.textContent = result?.confirm_by
            ? 'Vielen Dank! Bitte bestätigen Sie den Link in der E-Mail, die wir Ihnen gesendet haben.'
            : 'Vielen Dank! Wir melden uns.';
          if (result?.withdrawal_url) {
            const link = document.createElement('a');
            link.href = result.withdrawal_url;
            link.textContent = 'Einwilligung widerrufen';
            status.append(' ', link);
          }
          form.reset();
        } else {
          status.textContent = 'Das hat nicht geklappt. Bitte versuchen Sie es später noch einmal.';
        }
      } catch {
        status.textContent = 'Keine Verbindung. Bitte noch einmal absenden.';
      }
      button.disabled = false;
      if (document.activeElement === document.body) button.focus();
    });
  })();
</script>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** JSON that cannot end the script element. */
function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}
