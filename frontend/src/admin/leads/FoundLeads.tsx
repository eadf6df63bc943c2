import { Stack, Text } from '@mantine/core';
import { useSearch } from '../data/insights';
import rows from '../ui/rows.module.css';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';
import { TextLink } from '../ui/TextLink';

/** Leads by name, number, e-mail address or phone number, whatever the filters are; the same search as Ctrl+K. */
export function FoundLeads({ text }: { readonly text: string }) {
  const search = useSearch(text);
  return (
    <QueryResult query={search} what="The search" skeleton={<ListSkeleton rows={4} />}>
      {(results) => {
        const leads = results.filter(({ kind }) => kind === 'lead');
        if (leads.length === 0)
          return (
            <EmptyState
              title="No leads found"
              hint="Names, numbers, e-mail addresses and phone numbers are found by how they begin."
            />
          );
        return (
          <Stack component="ul" className={rows.list} gap="xs" aria-label="Found leads">
            {leads.map(({ id, title, subtitle }) => (
              <li key={id} className={rows.row}>
                <TextLink to={`/dashboard/leads/${id}`}>{title}</TextLink>
                <Text c="dimmed" className={rows.text}>
                  {subtitle}
                </Text>
              </li>
            ))}
          </Stack>
        );
      }}
    </QueryResult>
  );
}
