import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { PENDING_LEADS_LIMIT } from '#shared/contract/constants';
import type { Answer, Sent } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { FAILED } from '../texts';
import { type Resource, useApiMutation } from './mutation';

export type PendingLead = Answer<'listPendingLeads'>['ineligible_leads'][number];
export type LeadDetails = Answer<'getLead'>['lead'];
export type LeadChange = Sent<'updateLead', 'body'>;

const AFFECTED: readonly Resource[] = [
  'pending-leads',
  'lead',
  'buyers',
  'orders',
  'dashboard',
  'deliveries',
  'statistics',
  'claims',
  'audit',
];

/** The leads that could not be assigned, at most a thousand, with the number of all of them. */
export function usePendingLeads() {
  return useQuery({
    queryKey: ['pending-leads'],
    queryFn: ({ signal }) =>
      call(
        'listPendingLeads',
        { query: { limit: PENDING_LEADS_LIMIT } },
        { fallbackText: FAILED.loadPendingLeads, signal },
      ),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

/** Everything that is known of one lead. */
export function useLead(leadId: string) {
  return useQuery({
    queryKey: ['lead', leadId],
    queryFn: async ({ signal }) => {
      const { lead } = await call(
        'getLead',
        { params: { leadId } },
        { fallbackText: FAILED.loadData, signal },
      );
      return lead;
    },
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

/** Submitted again after no answer came, a lead that is still the same is not taken in twice. */
export function useCreateLead() {
  const unanswered = useRef<{ text: string; key: string }>(undefined);
  return useApiMutation(
    async (body: Sent<'createLead', 'body'>) => {
      const text = JSON.stringify(body);
      if (unanswered.current?.text !== text) unanswered.current = { text, key: randomKey() };
      const headers = { 'idempotency-key': unanswered.current.key };
      const answer = await call('createLead', { body }, { fallbackText: FAILED.submitLead, headers });
      unanswered.current = undefined;
      return answer;
    },
    { invalidates: AFFECTED },
  );
}

/** 128 random bits. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

export function useDiscardLead() {
  return useApiMutation(
    (leadId: string) =>
      call('discardPendingLead', { params: { leadId } }, { fallbackText: FAILED.discardLead }),
    { invalidates: AFFECTED },
  );
}

export function useAssignLead() {
  return useApiMutation(
    ({ leadId, body }: { leadId: string; body: Sent<'assignPendingLead', 'body'> }) =>
      call('assignPendingLead', { params: { leadId }, body }, { fallbackText: FAILED.assignLead }),
    { invalidates: AFFECTED },
  );
}

export function useUpdateLead() {
  return useApiMutation(
    ({ leadId, body }: { leadId: string; body: LeadChange }) =>
      call('updateLead', { params: { leadId }, body }, { fallbackText: FAILED.updateLead }),
    { invalidates: AFFECTED },
  );
}

export function useDeleteLead() {
  return useApiMutation(
    (leadId: string) => call('deleteLead', { params: { leadId } }, { fallbackText: FAILED.deleteLead }),
    { invalidates: AFFECTED },
  );
}
