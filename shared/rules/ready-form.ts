/** An HTML form that posts leads from the visitor's browser. */
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

/** A visitor who sends again without an answer repeats `external_id`, so the lead is accepted once. */
export function readyForm({ mapping, defaults }: FormSource, address: string, key: string): string {
  const nameOf = (field: IntakeField) => mapping[field] ?? field;
  const asked = PERSON_FIELDS.filter((field) => defaults[field] === undefined);
  return `<form id="lead-form">
${asked.map((field) => question(field, nameOf(field))).join('\n')}
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
        // Otherwise the next submission is another lead.
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

/** JSON that cannot end the script element. */
function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}
