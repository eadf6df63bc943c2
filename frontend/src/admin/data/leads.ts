import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Answer } from '#shared/contract/schemas';
import { PENDING_LEADS_LIMIT } from '#shared/rules/constants';
import { call, type Input } from '../../app/api';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { FAILED } from '../texts';
import { type Resource, useApiMutation, useWrite } from './mutation';

export type PendingLead = Answer<'listPendingLeads'>['ineligible_leads'][number];
export type LeadDetails = Answer<'getLead'>['lead'];

/** What a change of a lead may change. */
export const AFFECTED_BY_LEADS: readonly Resource[] = [
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

/** A lead as it is stored at this moment. */
export async function loadLead(leadId: string, signal?: AbortSignal): Promise<LeadDetails> {
  const options = { fallbackText: FAILED.loadData, ...(signal && { signal }) };
  return (await call('getLead', { params: { leadId } }, options)).lead;
}

export function useLead(leadId: string) {
  return useQuery({
    queryKey: ['lead', leadId],
    queryFn: ({ signal }) => loadLead(leadId, signal),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

/** A lead that is submitted again, unchanged, because no answer came is not taken in twice. */
export function useCreateLead() {
  const unanswered = useRef<{ text: string; key: string }>(undefined);
  return useWrite(async (input: Input<'createLead'>) => {
    const text = JSON.stringify(input);
    if (unanswered.current?.text !== text) unanswered.current = { text, key: randomKey() };
    const headers = { 'idempotency-key': unanswered.current.key };
    const answer = await call('createLead', input, { fallbackText: FAILED.submitLead, headers });
    unanswered.current = undefined;
    return answer;
  }, AFFECTED_BY_LEADS);
}

/** 128 random bits. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

export const useDiscardLead = () =>
  useApiMutation('discardPendingLead', FAILED.discardLead, AFFECTED_BY_LEADS);

export const useAssignLead = () => useApiMutation('assignPendingLead', FAILED.assignLead, AFFECTED_BY_LEADS);

export const useUpdateLead = () => useApiMutation('updateLead', FAILED.updateLead, AFFECTED_BY_LEADS);

export const useDeleteLead = () => useApiMutation('deleteLead', FAILED.deleteLead, AFFECTED_BY_LEADS);

/** Assigns a pending lead as it is, for one of many. @returns its number in the order @throws ApiError */
export async function assignLead(leadId: string, buyerId: string): Promise<string> {
  const input = { params: { leadId }, body: { buyer_id: buyerId } };
  return (await call('assignPendingLead', input, { fallbackText: FAILED.assignLead })).display_id;
}

/** Discards a pending lead, for one of many. @throws ApiError */
export async function discardLead(leadId: string): Promise<void> {
  await call('discardPendingLead', { params: { leadId } }, { fallbackText: FAILED.discardLead });
}

/** Distributes a pending lead again by the share rule. @throws ApiError */
export function distributeLead(leadId: string): Promise<Answer<'distributePendingLead'>> {
  return call('distributePendingLead', { params: { leadId } }, { fallbackText: FAILED.distributeLead });
}
