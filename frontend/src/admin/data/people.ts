import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import { apiQuery, call, pagesOf } from './query';

export type FoundPeople = Answer<'findPeople'>;
export type FoundPerson = FoundPeople['people'][number];
export type PersonLead = FoundPerson['leads'][number];
export type StoredPerson = Answer<'getPerson'>;
export type KeptProof = Answer<'openKeptConsent'>['proof'];
export type Erasure = Answer<'getErasure'>['erasure'];
export type ErasureRecipient = Erasure['recipients'][number];

/** Only while an erasure is incomplete. */
const WATCH_EVERY_MS = 5_000;

export function usePeople(q: string) {
  return useQuery({
    ...apiQuery(['people', 'found', q], 'findPeople', { query: { q } }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
}

/** @param leads lead IDs separated by commas */
export const useStoredPerson = (leads: string) =>
  useQuery(apiQuery(['people', 'stored', leads], 'getPerson', { query: { leads } }));

export type KnownPeople = Answer<'listKnownPeople'>;
export type KnownList = KnownPeople['lists'][number];

export const useKnownPeople = () => useQuery(apiQuery(['people', 'known'], 'listKnownPeople', {}));

/** Erases the person of one lead, for one of many. @returns what happened @throws ApiError */
export async function erasePerson(leadId: string): Promise<string> {
  return (await call('beginErasure', { body: { lead_ids: [leadId] } })).message;
}

/** Newest first, page by page. */
export function useErasures() {
  return useInfiniteQuery({
    ...pagesOf(['people', 'erasures'], (cursor, options) =>
      call('listErasures', { query: { cursor } }, options),
    ),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.erasures.some(({ stage }) => stage !== 'done')) === true
        ? WATCH_EVERY_MS
        : false,
  });
}
