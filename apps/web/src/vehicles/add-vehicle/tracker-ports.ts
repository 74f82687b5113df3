import { listTrackerPorts } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../base/api.ts';

/** The server's tracker ports by protocol; undefined until loaded. */
export const useTrackerPorts = () =>
  useQuery({
    queryKey: ['tracker-ports'],
    queryFn: () => call(listTrackerPorts),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
