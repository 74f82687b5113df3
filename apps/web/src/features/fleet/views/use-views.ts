import { arrangeViews, createView, deleteView, listViews, type SavedView, updateView } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../base/api.ts';
import { queryClient } from '../../../base/queries.ts';

const VIEWS_KEY = ['views', 'fleet'] as const;
const NONE: readonly SavedView[] = [];

/** The saved views of this page, both the user's own and shared ones, in the user's order. */
export function useViews() {
  const { data } = useQuery({ queryKey: VIEWS_KEY, queryFn: () => call(listViews, { query: { page: 'fleet' } }) });
  return { views: data ?? NONE, loaded: data !== undefined };
}

/** Reload the list after every change, because other users may have changed theirs. */
async function thenReread<T>(write: Promise<T>): Promise<T> {
  const answer = await write;
  await queryClient.invalidateQueries({ queryKey: VIEWS_KEY });
  return answer;
}

export const keepView = (name: string, query: string, shared: boolean) =>
  thenReread(call(createView, { body: { page: 'fleet', name, query, shared } }));

export const changeView = (id: string, change: { name?: string; query?: string; shared?: boolean }) =>
  thenReread(call(updateView, { params: { id }, body: change }));

export const removeView = (id: string) => thenReread(call(deleteView, { params: { id } }));

export const putInOrder = (ids: readonly string[]) =>
  thenReread(call(arrangeViews, { body: { page: 'fleet', ids: [...ids] } }));
