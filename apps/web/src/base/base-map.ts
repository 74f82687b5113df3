import { type BaseMap, may, readBaseMap } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from './api.ts';
import { useSession } from './session/session.ts';

const BUILT_IN: BaseMap = { kind: 'built-in' };
export const BASE_MAP_KEY = ['base-map'];

/** The base map of this installation and where that setting comes from. */
export const useBaseMapDecision = () =>
  useQuery({ queryKey: BASE_MAP_KEY, queryFn: () => call(readBaseMap), staleTime: Number.POSITIVE_INFINITY });

/** Null until known; if the request fails, the built-in map is used. */
export function useBaseMap(): BaseMap | null {
  const { data, isError } = useBaseMapDecision();
  return data?.map ?? (isError ? BUILT_IN : null);
}

/** Whether this user may choose the map: only unrestricted users of the operator's account can. */
export const useMayChooseMap = (): boolean =>
  useSession(({ me }) => Boolean(me?.account.operator && me.role !== 'driver' && may(me, 'settings.write')));
