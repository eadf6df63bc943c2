import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Answer } from '#shared/contract/schemas';
import { PENDING_LEADS_LIMIT } from '#shared/rules/constants';
import { type Input } from '../../app/api';
import { useWrite } from './mutation';
import { call, polledQuery } from './query';

export type PendingLead = Answer<'listPendingLeads'>['ineligible_leads'][number];
export type LeadDetails = Answer<'getLead'>['lead'];

/** The leads that could not be assigned, at most a thousand, with the number of all of them. */
export const usePendingLeads = () =>
  useQuery(polledQuery(['pending-leads'], 'listPendingLeads', { query: { limit: PENDING_LEADS_LIMIT } }));

const lead = (leadId: string) => polledQuery(['lead', leadId], 'getLead', { params: { leadId } });

export const useLead = (leadId: string) => useQuery({ ...lead(leadId), select: (answer) => answer.lead });

/** A lead as it is stored now. */
export const loadLead = async (leadId: string): Promise<LeadDetails> => (await lead(leadId).queryFn()).lead;

/** After a lost answer the same lead is submitted under the same key, so it is stored once. */
export function useCreateLead() {
  const unanswered = useRef<{ text: string; key: string }>(undefined);
  return useWrite('createLead', async (input: Input<'createLead'>) => {
    const text = JSON.stringify(input);
    if (unanswered.current?.text !== text) unanswered.current = { text, key: randomKey() };
    const headers = { 'idempotency-key': unanswered.current.key };
    const answer = await call('createLead', input, { headers });
    unanswered.current = undefined;
    return answer;
  });
}

/** 128 random bits. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

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
