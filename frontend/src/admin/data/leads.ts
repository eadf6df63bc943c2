import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Answer } from '#shared/contract/schemas';
import { PENDING_LEADS_LIMIT } from '#shared/rules/constants';
import { type Input } from '../../app/api';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { type Resource, useApiMutation, useWrite } from './mutation';
import { apiQuery, call } from './query';

export type PendingLead = Answer<'listPendingLeads'>['ineligible_leads'][number];
export type LeadDetails = Answer<'getLead'>['lead'];

/** Resources that a change of a lead affects. */
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
    ...apiQuery(['pending-leads'], 'listPendingLeads', { query: { limit: PENDING_LEADS_LIMIT } }),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

const lead = (leadId: string) => apiQuery(['lead', leadId], 'getLead', { params: { leadId } });

export function useLead(leadId: string) {
  return useQuery({
    ...lead(leadId),
    refetchInterval: REFETCH_INTERVAL_MS,
    select: (answer) => answer.lead,
  });
}

/** A lead as it is stored at this moment. */
export const loadLead = async (leadId: string): Promise<LeadDetails> => (await lead(leadId).queryFn()).lead;

/** After a lost answer the same lead is submitted under the same key, so it is stored once. */
export function useCreateLead() {
  const unanswered = useRef<{ text: string; key: string }>(undefined);
  return useWrite(async (input: Input<'createLead'>) => {
    const text = JSON.stringify(input);
    if (unanswered.current?.text !== text) unanswered.current = { text, key: randomKey() };
    const headers = { 'idempotency-key': unanswered.current.key };
    const answer = await call('createLead', input, { headers });
    unanswered.current = undefined;
    return answer;
  }, AFFECTED_BY_LEADS);
}

/** 128 random bits. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

export const useDiscardLead = () => useApiMutation('discardPendingLead', AFFECTED_BY_LEADS);

export const useAssignLead = () => useApiMutation('assignPendingLead', AFFECTED_BY_LEADS, { quiet: true });

export const useUpdateLead = () => useApiMutation('updateLead', AFFECTED_BY_LEADS);

export const useDeleteLead = () => useApiMutation('deleteLead', AFFECTED_BY_LEADS);

/** Assigns a pending lead as it is, for one of many. @returns its number in the order @throws ApiError */
export async function assignLead(leadId: string, buyerId: string): Promise<string> {
  const input = { params: { leadId }, body: { buyer_id: buyerId } };
  return (await call('assignPendingLead', input)).display_id;
}

/** Discards a pending lead, for one of many. @throws ApiError */
export async function discardLead(leadId: string): Promise<void> {
  await call('discardPendingLead', { params: { leadId } });
}

/** Distributes a pending lead again by the share rule. @throws ApiError */
export function distributeLead(leadId: string): Promise<Answer<'distributePendingLead'>> {
  return call('distributePendingLead', { params: { leadId } });
}
