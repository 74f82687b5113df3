import { type BaseMap, may, readBaseMap } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from './api.ts';
import { useSession } from './session/session.ts';

const BUILT_IN: BaseMap = { kind: 'built-in' };
export const BASE_MAP_KEY = ['base-map'];

/** Which base map this installation draws, and who has decided that. */
export const useBaseMapDecision = () =>
  useQuery({ queryKey: BASE_MAP_KEY, queryFn: () => call(readBaseMap), staleTime: Number.POSITIVE_INFINITY });

/** Null until known; if the request fails, the built-in map is used. */
export function useBaseMap(): BaseMap | null {
  const { data, isError } = useBaseMapDecision();
  return data?.map ?? (isError ? BUILT_IN : null);
}

/** Users of the operator's account without a limited scope choose the map. */
export const useMayChooseMap = (): boolean =>
  useSession(({ me }) => Boolean(me?.account.operator && me.role !== 'driver' && may(me, 'settings.write')));
