/** An HTML page with a form that posts a lead of a source from the visitor's browser. */
import { INTAKE_FIELDS, type IntakeField, SALUTATIONS } from '#shared/rules/constants';

export interface FormSource {
  /** The source's own names of the fields, by ours. */
  readonly mapping: { readonly [Field in IntakeField]?: string | undefined };
  /** What has a value need not be asked for. */
  readonly defaults: { readonly [Field in IntakeField]?: string | undefined };
}

/** Stands in the form until there is a key. */
export const KEY_PLACEHOLDER = 'YOUR_KEY';

/** What visitors are asked, in German; the others are not asked for. */
const QUESTIONS: {
  readonly [Field in IntakeField]?: { readonly label: string; readonly attributes: string };
} = {
  vorname: { label: 'Vorname', attributes: 'autocomplete="given-name" maxlength="100"' },
  nachname: { label: 'Nachname', attributes: 'autocomplete="family-name" maxlength="100"' },
  email: { label: 'E-Mail', attributes: 'type="email" autocomplete="email" maxlength="254"' },
  telefon: { label: 'Telefon', attributes: 'type="tel" autocomplete="tel" maxlength="50"' },
  anlagebetrag: { label: 'Anlagebetrag (€)', attributes: 'inputmode="decimal"' },
  laufzeit: { label: 'Laufzeit (Monate)', attributes: 'inputmode="numeric"' },
};

/**
 * The page to copy. A visitor who sends again because no answer came sends the same `external_id`, so the lead is taken in
 * once.
 * @param address where leads are posted
 */
export function readyForm({ mapping, defaults }: FormSource, address: string, key: string): string {
  const nameOf = (field: IntakeField) => mapping[field] ?? field;
  const asked = INTAKE_FIELDS.flatMap((field) => {
    if (defaults[field] !== undefined) return [];
    const name = escaped(nameOf(field));
    if (field === 'anrede') {
      const options = SALUTATIONS.map((one) => `<option>${one}</option>`).join('');
      return [`  <p><label>Anrede<br><select name="${name}" required>${options}</select></label></p>`];
    }
    const question = QUESTIONS[field];
    return question === undefined
      ? []
      : [
          `  <p><label>${question.label}<br><input name="${name}" required ${question.attributes}></label></p>`,
        ];
  });
  return `<form id="lead-form">
${asked.join('\n')}
  <p><button>Absenden</button></p>
  <p role="status"></p>
</form>
<script>
  (() => {
    const form = document.getElementById('lead-form');
    const [status, button] = [form.querySelector('[role=status]'), form.querySelector('button')];
    const clickId = new URLSearchParams(location.search).get('clickId');
    let id = crypto.randomUUID();
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      button.disabled = true;
      status.textContent = 'Wird gesendet …';
      const lead = Object.fromEntries(new FormData(form));
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
        // Taken in or refused, what is sent next is another lead.
        if (answer.ok || answer.status === 409) id = crypto.randomUUID();
        if (result?.status === 'invalid') {
          status.textContent = 'Bitte prüfen Sie: ' + Object.keys(result.fields).join(', ');
        } else if (answer.ok) {
          status.textContent = 'Vielen Dank! Wir melden uns.';
          form.reset();
        } else {
          status.textContent = 'Das hat nicht geklappt. Bitte versuchen Sie es später noch einmal.';
        }
      } catch {
        status.textContent = 'Keine Verbindung. Bitte noch einmal absenden.';
      }
      button.disabled = false;
    });
  })();
</script>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** A text as JavaScript that cannot end the script element. */
function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}
