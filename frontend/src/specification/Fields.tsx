import { isOfConsent } from '#shared/rules/lead-fields';
import { type Specification, valuesOf, withConsent } from './examples';
import { Code, Grid, Section } from './parts';

interface FieldsProps {
  readonly label: string;
  readonly fields: Specification['fields'];
}

export function Fields({ label, fields }: FieldsProps) {
  return (
    <Grid label={label} heads={['Name', 'Meaning', 'Values', 'Required']}>
      {fields.map((field) => (
        <tr key={field.ours}>
          <th scope="row">
            <code>{field.name}</code>
          </th>
          <td>{field.meaning}</td>
          <td>{valuesOf(field)}</td>
          <td>{requiredText(field)}</td>
        </tr>
      ))}
    </Grid>
  );
}

/** What happens to a lead without consent to be called. */
const WITHOUT_CONSENT = {
  ignore: 'A lead may come without a consent.',
  hold: 'A lead without consent to be called is accepted, but held back from buyers: it is pending with “consent_missing”.',
  require: 'A lead without consent to be called is invalid and not accepted.',
} as const satisfies Record<Specification['consent'], string>;

export function Consent({ specification }: { readonly specification: Specification }) {
  const { consent, consent_texts: texts, fields } = specification;
  return (
    <Section title="Consent">
      <p>
        The consent of the person to be contacted. {WITHOUT_CONSENT[consent]} If you send one of these fields,
        the required ones are needed too, and either the wording or its ID.
      </p>
      {specification.double_opt_in && (
        <p>
          A lead with the consent of a <code>form</code> waits until the person confirms it by the link in an
          e-mail. Its result has <code>confirm_by</code>, it is <code>pending</code> with{' '}
          <code>consent_unconfirmed</code>, and without a confirmation it is discarded after seven days.
        </p>
      )}
      <Fields label="Fields of a consent" fields={fields.filter(({ ours }) => isOfConsent(ours))} />
      {texts.length > 0 && (
        <Grid label="Wordings" heads={['ID', 'Wording']}>
          {texts.map(({ text_id, text }) => (
            <tr key={text_id}>
              <th scope="row">
                <code>{text_id}</code>
              </th>
              <td>{text}</td>
            </tr>
          ))}
        </Grid>
      )}
      <Code label="Lead with consent">{withConsent(specification)}</Code>
      <p>
        In JSON the consent can also be one object, <code>consent</code>, with the same fields without
        “consent_”. Do not mix the two.
      </p>
    </Section>
  );
}

function requiredText({ required, default: standard }: Specification['fields'][number]): string {
  if (standard !== null) return `no; without it “${standard}”`;
  return required ? 'yes' : 'no';
}
