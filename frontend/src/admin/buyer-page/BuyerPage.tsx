import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconEdit, IconShoppingCartPlus } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Link, Redirect, useLocation, useParams } from 'wouter';
import { isUnknown } from '../../app/api';
import { lazyComponent } from '../../ui/lazy-component';
import { type Buyer, useOneBuyer } from '../data/buyers';
import { Allowed } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { buyerPath } from '../ui/BuyerLink';
import { RowMenu } from '../ui/RowMenu';
import { SectionLinks } from '../ui/SectionLinks';
import { EmptyState, ListSkeleton, QueryResult } from '../ui/states';
import { Tag } from '../ui/Tag';
import { ToolButton } from '../ui/ToolButton';
import { stateOf } from './state';

const BuyerMenu = lazyComponent(async () => (await import('../dashboard/BuyerMenu')).BuyerMenu);
const OverviewSection = lazyComponent(async () => (await import('./OverviewSection')).OverviewSection);
const OrdersSection = lazyComponent(async () => (await import('./OrdersSection')).OrdersSection);
const DeliverySection = lazyComponent(async () => (await import('./DeliverySection')).DeliverySection);
const TermsSection = lazyComponent(async () => (await import('./TermsSection')).TermsSection);
const BuyerStatement = lazyComponent(async () => (await import('../orders/BuyerStatement')).BuyerStatement);
const KnownPeople = lazyComponent(async () => (await import('../known-people/KnownPeople')).KnownPeople);
const AuditEntries = lazyComponent(async () => (await import('../audit/AuditEntries')).AuditEntries);

/** The sections in order, by the last part of their address. */
const SECTIONS = [
  { slug: '', title: 'Overview' },
  { slug: 'orders', title: 'Orders' },
  { slug: 'delivery', title: 'Delivery' },
  { slug: 'terms', title: 'Claims and terms' },
  { slug: 'known-people', title: 'Known people' },
  { slug: 'statement', title: 'Statement' },
  { slug: 'history', title: 'History' },
] as const;
type Slug = (typeof SECTIONS)[number]['slug'];

/** Everything about one buyer, a section at a time. */
export function BuyerPage() {
  const { buyerId = '' } = useParams();
  const buyer = useOneBuyer(buyerId);
  const [pathname] = useLocation();
  const slug = pathname.split('/')[4] ?? '';
  const section = SECTIONS.find((known) => known.slug === slug);
  if (section === undefined) return <Redirect to={buyerPath(buyerId)} replace />;
  if (isUnknown(buyer.error))
    return (
      <EmptyState
        title="This buyer does not exist"
        hint="Its ID may have been changed, or the address is incomplete."
        action={<ToDashboard />}
      />
    );
  return (
    <QueryResult query={buyer} what="The buyer">
      {(row) => (
        <Stack gap="lg" maw={1100}>
          <Header buyer={row} />
          <SectionLinks
            label="Sections of the buyer"
            sections={SECTIONS.map(({ slug: other, title }) => ({ path: buyerPath(buyerId, other), title }))}
            shown={buyerPath(buyerId, slug)}
          />
          <Suspense fallback={<ListSkeleton />}>
            <Content slug={section.slug} buyer={row} />
          </Suspense>
        </Stack>
      )}
    </QueryResult>
  );
}

function Header({ buyer }: { buyer: Buyer }) {
  const dialogs = useDialogs();
  const { tone, text } = stateOf(buyer);
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div style={{ flex: 1, minWidth: 220, overflowWrap: 'anywhere' }}>
        <Group gap="sm">
          <Title order={2} size="h3">
            {buyer.buyer_email}
          </Title>
          <Tag tone={tone}>{text}</Tag>
        </Group>
        <Text c="dimmed">{buyer.buyer_id}</Text>
      </div>
      {buyer.deleted ? (
        <ToDashboard />
      ) : (
        <Group gap="xs">
          <ToolButton
            needs="updateBuyer"
            icon={IconEdit}
            onClick={() => dialogs.open('edit-buyer', { buyer })}
          >
            Edit
          </ToolButton>
          <ToolButton
            needs="createOrder"
            icon={IconShoppingCartPlus}
            onClick={() => dialogs.open('create-order', { buyerId: buyer.buyer_id })}
          >
            New order
          </ToolButton>
          <Allowed to="deleteBuyer">
            <RowMenu of={buyer.buyer_id}>
              {(isOpen) => <BuyerMenu buyer={buyer} isOpen={isOpen} onPage />}
            </RowMenu>
          </Allowed>
        </Group>
      )}
    </Group>
  );
}

const ToDashboard = () => (
  <Button component={Link} to="/dashboard" variant="default" size="xs">
    To the dashboard
  </Button>
);

function Content({ slug, buyer }: { readonly slug: Slug; readonly buyer: Buyer }) {
  switch (slug) {
    case '':
      return <OverviewSection buyer={buyer} />;
    case 'orders':
      return <OrdersSection buyer={buyer} />;
    case 'delivery':
      return <DeliverySection buyer={buyer} />;
    case 'terms':
      return <TermsSection buyer={buyer} />;
    case 'known-people':
      return <KnownPeople buyerId={buyer.buyer_id} />;
    case 'statement':
      return <BuyerStatement buyerId={buyer.buyer_id} isDeleted={buyer.deleted} />;
    case 'history':
      return <AuditEntries kind="changes" entity="buyer" id={buyer.buyer_id} />;
  }
}
