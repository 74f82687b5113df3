import { type BaseMap, readPublicBaseMap } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import { BUILT_IN } from '../../map/base/base-style.ts';

/** The base map for visitors: the chosen one where no key and no file is in it. Null until it is known. */
export function usePublicBaseMap(): BaseMap | null {
  const { data, isError } = useQuery({
    queryKey: ['public-base-map'],
    queryFn: () => call(readPublicBaseMap),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.map ?? (isError ? BUILT_IN : null);
}
