import { Alert, Anchor, Button, Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Suspense, useState } from 'react';
import { Link } from 'wouter';
import { formatDate } from '#shared/rules/formats';
import { lazyComponent } from '../../ui/lazy-component';
import { type FoundPeople, type FoundPerson, useErasures, usePeople } from '../data/people';
import { countOf } from '../ui/labels';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';
import { useUrlState } from '../ui/url-state';
import { ErasureList } from './ErasureList';
import { LeadLine, nameOf } from './LeadLine';
import classes from './people.module.css';
import { StoredPersonView } from './StoredPersonView';

const KnownPeople = lazyComponent(async () => (await import('../known-people/KnownPeople')).KnownPeople);

/** `leads`: the IDs that an admin has chosen as one person's, separated by commas. */
const DEFAULTS = { q: '', leads: '' };
/** Of one erasure. */
const MAX_LEADS = 25;

/** Finds a person, shows the stored data, erases it, or withdraws the consent. */
export function PeoplePage() {
  const [{ q, leads }, change] = useUrlState(DEFAULTS);
  const erasures = useErasures();
  const [typed] = useDebouncedValue(q.trim(), 250);
  if (leads !== '') return <StoredPersonView leads={leads} back={() => change({ leads: '' })} />;
  return (
    <Stack gap="lg">
      <TextInput
        type="search"
        label="Find a person"
        description="By email address, phone number, name or lead number"
        value={q}
        maxLength={100}
        maw={480}
        onChange={(event) => change({ q: event.currentTarget.value })}
      />
      {typed.length > 1 && <Found q={typed} show={(ids) => change({ leads: ids.join(',') })} />}
      <section aria-labelledby="erasures">
        <Title order={2} size="h4" mb="xs" id="erasures">
          Erasures and withdrawals
        </Title>
        <ErasureList />
      </section>
      {/* Not before the list above it has its height. */}
      {!erasures.isPending && (
        <section aria-labelledby="never-sold">
          <Title order={2} size="h4" mb="xs" id="never-sold">
            Never sold to anybody
          </Title>
          <Suspense fallback={<ListSkeleton rows={3} cards />}>
            <KnownPeople buyerId={null} />
          </Suspense>
        </section>
      )}
    </Stack>
  );
}

function Found({ q, show }: { readonly q: string; readonly show: (leadIds: readonly string[]) => void }) {
  const found = usePeople(q);
  return (
    <QueryResult query={found} skeleton={<ListSkeleton rows={3} cards />} errorTitle="The search failed">
      {({ people, more, kept_proofs: kept }) =>
        people.length === 0 && kept.length > 0 ? (
          <KeptProofs kept={kept} />
        ) : people.length === 0 ? (
          <EmptyState
            title="No person found"
            hint="Try the whole email address or phone number. Of erased people, only kept proofs of consent are found."
          />
        ) : (
          <Stack gap="sm">
            {kept.length > 0 && <KeptProofs kept={kept} />}
            {more && <Text>There may be more. Refine your search.</Text>}
            {people.map((person) => (
              <Person key={person.leads[0]?.lead_id} person={person} show={show} />
            ))}
          </Stack>
        )
      }
    </QueryResult>
  );
}

/** Of erased leads, found by the whole address or number. */
function KeptProofs({ kept }: { readonly kept: FoundPeople['kept_proofs'] }) {
  return (
    <Alert variant="light" color="gray" title="A sealed proof is kept for this person">
      <Text>{countOf(kept.length, 'erased lead')}. Opening a proof needs a reason.</Text>
      {kept.map(({ lead_id, kept_until }) => (
        <Anchor key={lead_id} component={Link} to={`/dashboard/leads/${lead_id}`} display="block">
          Lead …{lead_id.slice(-6)}, kept until {formatDate(new Date(kept_until))}
        </Anchor>
      ))}
    </Alert>
  );
}

/** Leads with the same address or number, among which the admin chooses the person's. */
function Person({
  person,
  show,
}: {
  readonly person: FoundPerson;
  readonly show: (leadIds: readonly string[]) => void;
}) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = person.leads.filter(({ lead_id }) => !left.has(lead_id));
  const [first] = person.leads;
  const toggle = (leadId: string) =>
    setLeft(
      (seen) => new Set(seen.has(leadId) ? [...seen].filter((id) => id !== leadId) : [...seen, leadId]),
    );
  return (
    <fieldset className={classes.person}>
      <legend>{first === undefined ? 'Person' : nameOf(first)}</legend>
      <Stack gap={6}>
        {person.leads.map((lead) => (
          <Checkbox
            key={lead.lead_id}
            checked={!left.has(lead.lead_id)}
            onChange={() => toggle(lead.lead_id)}
            label={<LeadLine lead={lead} />}
          />
        ))}
      </Stack>
      {chosen.length > MAX_LEADS && (
        <Alert variant="light" color="yellow" mt="sm">
          At most {MAX_LEADS} leads at once. Deselect some and handle them next.
        </Alert>
      )}
      <Group mt="sm">
        <Button
          size="xs"
          disabled={chosen.length === 0 || chosen.length > MAX_LEADS}
          onClick={() => show(chosen.map(({ lead_id }) => lead_id))}
        >
          Show stored data of {countOf(chosen.length, 'lead')}
        </Button>
      </Group>
    </fieldset>
  );
}
