import { Group, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { berlinDay } from '#shared/rules/working-days';
import { useMay } from '../data/rights';
import { FilterChips } from '../ui/FilterChips';
import { SearchField } from '../ui/FilterFields';
import { EmptyState } from '../ui/states';
import { TextLink } from '../ui/TextLink';
import { ToolButton } from '../ui/ToolButton';
import { oneOf, useUrlState } from '../ui/url-state';
import { FoundLeads } from './FoundLeads';
import { LeadFilters, useFilterChips } from './LeadFilters';
import { LeadTable } from './LeadTable';
import { accepted, LEAD_SORTS, listQuery } from './lead-filters';
import { NO_FILTER } from './leads-path';

const DEFAULTS = { ...NO_FILTER, q: '', sort: 'time', direction: 'desc' };
const SEARCH_DELAY_MS = 200;

/** Every lead with its buyer, delivery and claim, filtered by the address. */
export function LeadsPage() {
  const [state, change] = useUrlState(DEFAULTS);
  const [today] = useState(() => berlinDay(new Date()));
  const filter = useMemo(() => accepted(state), [state]);
  const sort = oneOf(state.sort, LEAD_SORTS);
  const direction = oneOf(state.direction, ['desc', 'asc']);
  const query = useMemo(
    () => ({ ...listQuery(filter, today), sort, direction }),
    [filter, today, sort, direction],
  );
  const chips = useFilterChips({ filter, change });
  const isFiltered = chips.some(({ value }) => value !== '');
  const clear = () => change(NO_FILTER);
  const [searched] = useDebouncedValue(state.q.trim(), SEARCH_DELAY_MS);

  const search = (
    <SearchField
      label="Find a lead"
      placeholder="Name, number, e-mail, phone…"
      value={state.q}
      search={(q) => change({ q })}
    />
  );
  return (
    <Stack gap="sm">
      <LeadFilters filter={filter} today={today} change={change} search={search} />
      {isFiltered && (
        <Group gap="sm">
          <FilterChips filters={chips} />
          <ToolButton onClick={clear}>Clear</ToolButton>
        </Group>
      )}
      {searched === '' ? (
        <LeadTable
          query={query}
          onSort={({ by, dir }) => change({ sort: by, direction: dir })}
          empty={
            isFiltered ? (
              <EmptyState
                title="No leads found"
                hint="No lead matches the filters."
                action={<ToolButton onClick={clear}>Clear the filters</ToolButton>}
              />
            ) : (
              <NoLeads />
            )
          }
        />
      ) : (
        <FoundLeads text={searched} />
      )}
    </Stack>
  );
}

function NoLeads() {
  const may = useMay();
  return (
    <EmptyState
      title="No leads yet"
      hint="Leads arrive from sources or a file, or are entered by hand."
      action={
        <Group gap="md" justify="center">
          <TextLink to="/dashboard/sources">Add a source</TextLink>
          {may('createLead') && <TextLink to="/dashboard/create-lead">Create a lead</TextLink>}
        </Group>
      }
    />
  );
}
