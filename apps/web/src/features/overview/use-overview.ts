import { readOverview } from '@milepost/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../base/api.ts';
import type { Days } from '../../figures/period.ts';

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
