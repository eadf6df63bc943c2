import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { KEY_PLACEHOLDER, readyForm } from '#shared/rules/ready-form';
import { ApiError, call } from '../app/api';
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
  valuesOf,
  webhook,
} from './examples';
import { Code, Grid, Meanings, Section } from './parts';
import classes from './specification.module.css';

/** How to post leads of a source, for a developer who has never seen the product. Behind a link, without a login. */
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
    <div className={classes.page}>
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
  const isUnknown = error instanceof ApiError && (error.status === 400 || error.status === 404);
  return (
    <main className={classes.content}>
      <title>Posting leads</title>
      <h1>{isUnknown ? 'This link is not valid' : 'This could not be loaded'}</h1>
      <p role="alert">
        {isUnknown
          ? 'It was renewed or switched off. Ask whoever gave it to you for the new one.'
          : error.message}
      </p>
      {!isUnknown && (
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
          Everything to know to post leads of this source. The same for tools:{' '}
          <a href={openapi_url}>OpenAPI document</a>.
        </p>
      </header>
      <State specification={specification} />

      <Section title="Address and key">
        <Code label="Address">{`POST ${address}`}</Code>
        <p>
          Every call has your key in the header <code>Authorization: Bearer {KEY_PLACEHOLDER}</code>. You get
          it from whoever gave you this page. It only posts leads, and asks for those that it posted. Keep it
          on your server; in a web page every visitor can read it.
          {specification.by_address && ' It is accepted from agreed IP addresses only.'}
        </p>
      </Section>

      <Section title="Fields of a lead">
        <p>
          A number may be text as well, in plain or German spelling: <code>"12500.5"</code>,{' '}
          <code>"12.500,50"</code>. Fields that are not named here are ignored.
        </p>
        <Grid label="Fields of a lead" heads={['Name', 'Meaning', 'Values', 'Required']}>
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
      </Section>

      <Section title="Examples">
        <p>
          Put your key in place of <code>{KEY_PLACEHOLDER}</code>. What has a default is left out.
        </p>
        <h3>One lead</h3>
        <Code label="One lead">{oneLead(specification)}</Code>
        <p>It is answered with status 202 and</p>
        <Code label="Answer to one lead">{goodAnswer(specification)}</Code>
        <p>A lead that cannot be read does not spoil the others of its call; its result says why:</p>
        <Code label="Answer to an invalid lead">{invalidAnswer(specification)}</Code>
        <h3>Several leads</h3>
        <p>As “leads”, 1 to {specification.leads_per_call}. There is a result for each, in their order.</p>
        <Code label="Several leads">{manyLeads(specification)}</Code>
        <h3>As a form</h3>
        <p>One lead, in the way that browsers send forms.</p>
        <Code label="Lead as a form">{formLead(specification)}</Code>
      </Section>

      <Section title="Answers">
        <p>
          Status 202 and <code>results</code>, with <code>status</code> for each lead. Keep{' '}
          <code>lead_id</code>: it names the lead in every question.
        </p>
        <Meanings label="Status of a lead" head="status" rows={specification.outcomes} />
      </Section>

      <Section title="The same lead again">
        <p>
          Give every lead an ID of its own (<code>{nameOf(specification, 'external_id')}</code>). Sent again
          with the same ID and content it has the same answer for {specification.same_answer_days} days, and
          is taken in once. So whenever no answer comes, send the same again. The same ID with other content
          is answered with 409 <code>external_id_reused</code>, among several leads with <code>conflict</code>
          , and changes nothing.
        </p>
        <p>
          Repeated leads get their answer also while the source is paused, in test or full, as long as the
          call brings no new ones. Only the limit of the minute counts them like new ones.
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
          Beyond a minute or a day the answer is 429, and nothing of the call is taken in: send the same again
          after as many seconds as the header <code>Retry-After</code> says.
        </p>
      </Section>

      <Section title="Test mode">
        <p>
          While the source is in test every lead is checked, answered with <code>test</code>, and forgotten:
          nothing is stored, counted or delivered. <code>would_be</code> tells what would happen to the lead
          if it came now:
        </p>
        <Meanings label="What would happen" head="would_be.status" rows={specification.would_be} />
      </Section>

      <Section title="What became of a lead">
        <Code label="What became of a lead">{askedLead(specification)}</Code>
        <Code label="Answer about a lead">{askedAnswer(specification)}</Code>
        <Meanings label="State of a lead" head="state" rows={specification.states} />
        <p>Why a lead waits, also in test; null while it does not:</p>
        <Meanings label="Reason of a lead" head="reason" rows={specification.reasons} />
        <p>
          <code>claim</code> is null until the buyer complains about the lead:
        </p>
        <Meanings label="Complaint about a lead" head="claim" rows={specification.claims} />
      </Section>

      {specification.webhook_events.length > 0 && <Webhooks specification={specification} />}

      <Section title="Errors">
        <p>
          An error has a body with <code>error</code>, a text, and <code>code</code>, which never changes.
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
        <Section title="A form for a web page">
          <p>
            Posts from the visitor’s browser. These pages may: {origins.join(', ')}. Every visitor can read
            the key in the page; use one for the page alone.
          </p>
          <Code label="Form">{readyForm(formSettings(specification), address, KEY_PLACEHOLDER)}</Code>
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
          <strong>This source is in test.</strong> Try everything: nothing is kept.
        </p>
      );
    case 'live':
      return (
        <p className={classes.note} data-tone="warn">
          <strong>This source is live.</strong> Leads that you post go to buyers, those of the examples as
          well. To try something, ask for a source in test.
        </p>
      );
    case 'paused':
      return (
        <p className={classes.note} data-tone="warn">
          <strong>This source is paused.</strong> Leads are refused with 403 until it opens again.
        </p>
      );
  }
}

function Webhooks({ specification }: { readonly specification: Specification }) {
  return (
    <Section title="Webhooks">
      <p>
        What becomes of your leads is posted to the address that was agreed, as JSON, signed by{' '}
        <a href="https://www.standardwebhooks.com" rel="noreferrer">
          Standard Webhooks
        </a>
        , for which there are libraries. Check the signature with the secret that you were given.
      </p>
      <Code label="Webhook">{webhook(specification)}</Code>
      <Meanings label="Events" head="type" rows={specification.webhook_events} />
      <p>
        Answer with 200 to 299 within 25 seconds. Any other answer, or none, and the same comes again for a
        day; 410 ends it for good. The header <code>webhook-id</code> stays the same: what you have under it
        already you can ignore. Events of a lead may overtake each other: the one with the highest{' '}
        <code>sequence</code> is the last.
      </p>
    </Section>
  );
}

function Duplicates({ specification }: { readonly specification: Specification }) {
  const { window_days, on_duplicate } = specification;
  if (window_days === 0) return <p>You may send the same person again, each time under another ID.</p>;
  return (
    <p>
      A person is the same by phone number or e-mail address. One that you send again within {window_days}{' '}
      {window_days === 1 ? 'day' : 'days'}, under another ID, is{' '}
      {on_duplicate === 'refuse' ? (
        <>
          answered with <code>duplicate</code> and not taken in.
        </>
      ) : (
        <>
          taken in, and waits until somebody has looked at it (<code>pending</code>).
        </>
      )}
    </p>
  );
}

function requiredText({ required, default: standard }: Specification['fields'][number]): string {
  if (standard !== null) return `no; without it “${standard}”`;
  return required ? 'yes' : 'no';
}

const nameOf = ({ fields }: Specification, ours: string) =>
  fields.find((field) => field.ours === ours)?.name ?? ours;

const formSettings = ({ fields }: Specification) => ({
  mapping: Object.fromEntries(fields.map(({ ours, name }) => [ours, name])),
  defaults: Object.fromEntries(
    fields.flatMap(({ ours, default: standard }) => (standard === null ? [] : [[ours, standard]])),
  ),
});
