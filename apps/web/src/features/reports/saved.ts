import { createView, deleteView, listViews, type SavedView } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../base/api.ts';
import { queryClient } from '../../base/queries.ts';

const KEY = ['views', 'reports'];
const NONE: readonly SavedView[] = [];

export const useSaved = (): readonly SavedView[] =>
  useQuery({ queryKey: KEY, queryFn: () => call(listViews, { query: { page: 'reports' } }) }).data ?? NONE;

const thenReread = async <T>(write: Promise<T>): Promise<T> => {
  const answer = await write;
  await queryClient.invalidateQueries({ queryKey: KEY });
  return answer;
};

export const saveReport = (name: string, query: string, shared: boolean) =>
  thenReread(call(createView, { body: { page: 'reports', name, query, shared } }));

export const removeSaved = (id: string) => thenReread(call(deleteView, { params: { id } }));
