import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Answer } from '#shared/contract/schemas';
import { call } from '../../app/api';
import { FAILED } from '../texts';
import { useApiMutation } from './mutation';

export type FoundPerson = Answer<'findPeople'>['people'][number];
export type PersonLead = FoundPerson['leads'][number];
export type StoredPerson = Answer<'getPerson'>;
export type Erasure = Answer<'getErasure'>['erasure'];
export type ErasureRecipient = Erasure['recipients'][number];

/** While an erasure is not complete, and letters may be on their way. */
const WATCH_EVERY_MS = 5_000;

export function usePeople(q: string) {
  return useQuery({
    queryKey: ['people', 'found', q],
    queryFn: ({ signal }) =>
      call('findPeople', { query: { q } }, { fallbackText: FAILED.loadPeople, signal }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
}

/** @param leads lead ids with commas between */
export function useStoredPerson(leads: string) {
  return useQuery({
    queryKey: ['people', 'stored', leads],
    queryFn: ({ signal }) =>
      call('getPerson', { query: { leads } }, { fallbackText: FAILED.loadPerson, signal }),
  });
}

/** The newest first, page by page. */
export function useErasures() {
  return useInfiniteQuery({
    queryKey: ['people', 'erasures'],
    queryFn: ({ signal, pageParam }) =>
      call(
        'listErasures',
        { query: { ...(pageParam && { cursor: pageParam }) } },
        { fallbackText: FAILED.loadErasures, signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.erasures.some(({ stage }) => stage !== 'done')) === true
        ? WATCH_EVERY_MS
        : false,
  });
}

export const useBeginErasure = () =>
  useApiMutation('beginErasure', FAILED.erase, [
    'people',
    'lead',
    'pending-leads',
    'claims',
    'deliveries',
    'dashboard',
    'audit',
  ]);
export const useRemindOfErasure = () => useApiMutation('remindOfErasure', FAILED.remind, ['people']);
export const useConfirmErasureForBuyer = () =>
  useApiMutation('confirmErasureForBuyer', FAILED.confirmErasure, ['people', 'audit']);
