import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { call } from '../app/api';
import { LoadingScreen } from '../ui/LoadingScreen';

export function LeadListPage() {
  const { token = '' } = useParams();
  const { data } = useQuery({
    queryKey: ['leads-view', token],
    queryFn: ({ signal }) =>
      call('viewLeads', { params: { token } }, { orElse: 'Failed to load leads', signal }),
  });
  if (!data) return <LoadingScreen text="Wird geladen …" />;
  return (
    <main lang="de">
      <h1>Lead Liste für Bestellung {data.order.order_id}</h1>
    </main>
  );
}
