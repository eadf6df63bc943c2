import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { isOfConsent } from '#shared/rules/lead-fields';
import { KEY_PLACEHOLDER, MIN_SHOWN_MS, readyForm, SHOWN_FIELD, TRAP_FIELD } from '#shared/rules/ready-form';
import { call, isUnknown } from '../app/api';
import {
  askedAnswer,
  askedLead,
  formLead,
  goodAnswer,
  invalidAnswer,
  limitsOf,
  manyLeads,
  oneLead,
  type Specification,
  webhook,
} from './examples';
import { Consent, Fields } from './Fields';
import { Code, Grid, Meanings, Section } from './parts';
import classes from './specification.module.css';

/** For developers who have never seen the product, by a link. */
export function SpecificationPage() {
  const { token = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['specification', token],
    queryFn: ({ signal }) =>
      call(
        'viewSpecification',
        { params: { token } },
        { fallbackText: 'The specification could not be loaded.', signal },
      ),
  });
  return (
    <div className="plain-page">
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <meta name="referrer" content="no-referrer" />
      {data === undefined ? (
        <Missing error={error} busy={isFetching} retry={() => void refetch()} />
      ) : (
        <Content specification={data} />
      )}
    </div>
  );
}

interface MissingProps {
  readonly error: Error | null;
  readonly busy: boolean;
  readonly retry: () => void;
}

function Missing({ error, busy, retry }: MissingProps) {
  if (error === null)
    return (
      <main className={classes.content} aria-busy="true">
        <title>Posting leads</title>
        <output className={classes.muted}>Loading...</output>
        <div aria-hidden="true">
          {[40, 90, 75, 85, 60].map((percent) => (
            <div key={percent} className={classes.bone} style={{ width: `${percent}%` }} />
          ))}
        </div>
      </main>
    );
  return (
    <main className={classes.content}>
      <title>Posting leads</title>
      <h1>{isUnknown(error) ? 'This link is not valid' : 'This page could not be loaded'}</h1>
      <p role="alert">
        {isUnknown(error)
          ? 'It was renewed or turned off. Ask the person who gave it to you for the new link.'
          : error.message}
      </p>
      {!isUnknown(error) && (
        <button type="button" className={classes.button} disabled={busy} onClick={retry}>
          Try again
        </button>
      )}
    </main>
  );
}

function Content({ specification }: { readonly specification: Specification }) {
  const { src, address, openapi_url, fields, origins } = specification;
  return (
    <main className={classes.content}>
      <title>{`Posting leads: ${src}`}</title>
      <header>
        <h1>Posting leads: {src}</h1>
        <p className={classes.muted}>
          How to post leads for this source. For tools: <a href={openapi_url}>OpenAPI document</a>.
        </p>
      </header>
      <State specification={specification} />

      <Section title="Address and key">
        <Code label="Address">{`POST ${address}`}</Code>
        <p>
          Send your key with every call in the header <code>Authorization: Bearer {KEY_PLACEHOLDER}</code>.
          You get the key from the person who gave you this page. It can only post leads and read the leads it
          posted. Keep it on your server: in a web page every visitor can read it.
          {specification.by_address && ' It is accepted only from allowed IP addresses.'}
        </p>
      </Section>

      <Section title="Fields of a lead">
        <p>
          A number can also be text, in plain or German notation: <code>"12500.5"</code>,{' '}
          <code>"12.500,50"</code>. Unknown fields are ignored.
        </p>
        <Fields label="Fields of a lead" fields={fields.filter(({ ours }) => !isOfConsent(ours))} />
      </Section>

      <Consent specification={specification} />

      <Section title="Examples">
        <p>
          Replace this with your key: <code>{KEY_PLACEHOLDER}</code>. Fields with a default are omitted.
        </p>
        <h3>One lead</h3>
        <Code label="One lead">{oneLead(specification)}</Code>
        <p>The answer has status 202 and</p>
        <Code label="Answer to one lead">{goodAnswer(specification)}</Code>
        <p>An invalid lead does not affect the other leads of the call. Its result says why:</p>
        <Code label="Answer to an invalid lead">{invalidAnswer(specification)}</Code>
        <h3>Several leads</h3>
        <p>As “leads”, 1 to {specification.leads_per_call}. The results have the same order.</p>
        <Code label="Several leads">{manyLeads(specification)}</Code>
        <h3>As a form</h3>
        <p>One lead, sent like an HTML form.</p>
        <Code label="Lead as a form">{formLead(specification)}</Code>
      </Section>

      <Section title="Answers">
        <p>
          Status 202 and <code>results</code>, with <code>status</code> for each lead. Keep{' '}
          <code>lead_id</code>: quote it in every question about the lead.
        </p>
        <Meanings label="Status of a lead" head="status" rows={specification.outcomes} />
      </Section>

      <Section title="The same lead again">
        <p>
          Use a unique ID for every lead (<code>{nameOf(specification, 'external_id')}</code>). Repeating the
          same ID and content returns the same answer for {specification.same_answer_days} days, and the lead
          is accepted only once. If you get no answer, repeat the call. The same ID with different content
          gets 409 <code>external_id_reused</code>, among several leads with <code>conflict</code>, and
          changes nothing.
        </p>
        <p>
          Repeated leads also get their answer while the source is paused, in test or full, if the call
          contains no new leads. They count towards the limit per minute.
        </p>
      </Section>

      <Section title="The same person again">
        <Duplicates specification={specification} />
      </Section>

      <Section title="Limits">
        <ul>
          {limitsOf(specification).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <p>
          Above a limit per minute or day the answer is 429 and no lead of the call is accepted. Repeat the
          call after the seconds in the header <code>Retry-After</code> says.
        </p>
      </Section>

      <Section title="Test mode">
        <p>
          While the source is in test, every lead is checked, answered with <code>test</code>, and discarded.
          Nothing is stored, counted or delivered. <code>predicted_outcome</code> says what would happen to
          the lead now:
        </p>
        <Meanings
          label="What would happen"
          head="predicted_outcome.status"
          rows={specification.predicted_outcome}
        />
      </Section>

      <Section title="State of a lead">
        <Code label="State of a lead">{askedLead(specification)}</Code>
        <Code label="Answer about a lead">{askedAnswer(specification)}</Code>
        <Meanings label="State of a lead" head="state" rows={specification.states} />
        <p>Why a lead is pending, also in test; otherwise null:</p>
        <Meanings label="Reason of a lead" head="reason" rows={specification.reasons} />
        <p>
          <code>claim</code> is null until the buyer claims the lead:
        </p>
        <Meanings label="Claim about a lead" head="claim" rows={specification.claims} />
      </Section>

      {specification.webhook_events.length > 0 && <Webhooks specification={specification} />}

      <Section title="Errors">
        <p>
          An error has a body with <code>error</code>, a text, and <code>code</code>, which is stable.
        </p>
        <Grid label="Errors" heads={['Status', 'Code', 'Meaning', 'What to do']}>
          {specification.errors.map(({ status, code, meaning, remedy }) => (
            <tr key={`${status} ${code}`}>
              <th scope="row">{status}</th>
              <td>{code === null ? 'none' : <code>{code}</code>}</td>
              <td>{meaning}</td>
              <td>{remedy}</td>
            </tr>
          ))}
        </Grid>
      </Section>

      {origins.length > 0 && (
        <Section title="Form for a web page">
          <p>
            Posts from the visitor’s browser. Allowed pages: {origins.join(', ')}. Every visitor can read the
            key in the page, so use a separate key for the page.
          </p>
          <p>
            {formConsent(specification) === undefined
              ? 'The form does not ask for consent, because this source has no wording for it yet.'
              : 'Its box for the consent must not be checked beforehand.'}{' '}
            A lead is refused as <code>invalid</code> if <code>{SHOWN_FIELD}</code>, the milliseconds since
            the form was shown, is below {MIN_SHOWN_MS}: the visitor then sends it again. A lead with text in{' '}
            <code>{TRAP_FIELD}</code>, a field that people do not see, is answered as accepted and dropped.
          </p>
          <Code label="Form">
            {readyForm(formSettings(specification), address, KEY_PLACEHOLDER, formConsent(specification))}
          </Code>
        </Section>
      )}
    </main>
  );
}

function State({ specification: { state } }: { readonly specification: Specification }) {
  switch (state) {
    case 'test':
      return (
        <p className={classes.note} data-tone="info">
          <strong>This source is in test.</strong> Try everything. Nothing is stored.
        </p>
      );
    case 'live':
      return (
        <p className={classes.note} data-tone="warn">
          <strong>This source is live.</strong> Leads you post go to buyers, including the examples. To try
          something out, ask for a source in test.
        </p>
      );
    case 'paused':
      return (
        <p className={classes.note} data-tone="warn">
          <strong>This source is paused.</strong> Leads are refused with 403 until the source resumes.
        </p>
      );
  }
}

function Webhooks({ specification }: { readonly specification: Specification }) {
  return (
    <Section title="Webhooks">
      <p>
        Changes of your leads are posted to the agreed address as JSON, signed as in{' '}
        <a href="https://www.standardwebhooks.com" rel="noreferrer">
          Standard Webhooks
        </a>{' '}
        (libraries exist). Check the signature with the secret you were given.
      </p>
      <Code label="Webhook">{webhook(specification)}</Code>
      <Meanings label="Events" head="type" rows={specification.webhook_events} />
      <p>
        Answer with 200 to 299 within 25 seconds. Otherwise the call is retried for a day; 410 stops it
        permanently. The header <code>webhook-id</code> stays the same, so you can ignore repeats. Events of a
        lead can arrive out of order: the one with the highest <code>sequence</code> is the last, and of equal
        ones that with the latest <code>timestamp</code>.
      </p>
    </Section>
  );
}

function Duplicates({ specification }: { readonly specification: Specification }) {
  const { window_days, on_duplicate } = specification;
  if (window_days === 0) return <p>You can send the same person again, each time with another ID.</p>;
  return (
    <p>
      A person is recognised by phone number or e-mail address. If you send one again within {window_days}{' '}
      {window_days === 1 ? 'day' : 'days'} with another ID, it is{' '}
      {on_duplicate === 'refuse' ? (
        <>
          answered with <code>duplicate</code> and not accepted.
        </>
      ) : (
        <>
          accepted and held until an admin checks it (<code>pending</code>).
        </>
      )}
    </p>
  );
}

const nameOf = ({ fields }: Specification, ours: string) =>
  fields.find((field) => field.ours === ours)?.name ?? ours;

/** With the newest wording. */
function formConsent({ consent_texts: texts, privacy_url }: Specification) {
  const current = texts.at(-1);
  return current && { ...current, privacy_url };
}

const formSettings = ({ fields }: Specification) => ({
  mapping: Object.fromEntries(fields.map(({ ours, name }) => [ours, name])),
  defaults: Object.fromEntries(
    fields.flatMap(({ ours, default: standard }) => (standard === null ? [] : [[ours, standard]])),
  ),
});
