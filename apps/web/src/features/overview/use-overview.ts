import { readOverview, readOverviewOutcomes } from '@milepost/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../base/api.ts';
import type { Days } from '../../figures/period.ts';
import { keepOutcomes, keptOutcomes } from './tiles/kept-outcomes.ts';

/** What reports add up takes longer, and changes slowly. */
const REFRESH_OUTCOMES_MS = 5 * 60_000;
/** The status bar shows the present, so it is reloaded this often. */
const REFRESH_MS = 30_000;

export interface Asked extends Days {
  readonly folder: string;
  readonly department: string;
}

export function useOverview({ from, to, folder, department }: Asked) {
  return useQuery({
    queryKey: ['overview', from, to, folder, department],
    queryFn: () =>
      call(readOverview, {
        query: { from, to, ...(folder && { folderId: folder }), ...(department && { departmentId: department }) },
      }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}

/**
 * Tiles that are sums of reports, and which of them are still to come; none for a department, which a report can't be
 * limited to.
 */
export function useOutcomes({ from, to, folder, department }: Asked) {
  const isWhole = folder === '';
  const { data, isPending, isFetching } = useQuery({
    queryKey: ['overview-outcomes', from, to, folder],
    queryFn: () => call(readOverviewOutcomes, { query: { from, to, ...(folder && { folderId: folder }) } }),
    enabled: department === '',
    staleTime: REFRESH_OUTCOMES_MS,
    refetchInterval: REFRESH_OUTCOMES_MS,
  });
  useEffect(() => {
    if (data && isWhole) keepOutcomes(data.tiles.map(({ key }) => key));
  }, [data, isWhole]);
  return {
    outcomes: (department === '' && data?.tiles) || NONE,
    outcomesToCome: isPending && isFetching && isWhole ? keptOutcomes() : NONE,
  };
}

const NONE: readonly never[] = [];
