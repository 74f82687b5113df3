import { listUnknownTrackers, may } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { useSession } from '../base/session/session.ts';

/** Trackers are pointed here by hand, so a slow refresh is enough. */
const ASK_EVERY_MS = 10_000;

/** Trackers that report here and belong to no vehicle; undefined for all but those who run this installation. */
export function useUnknownTrackers() {
  const me = useSession(session => session.me);
  return useQuery({
    queryKey: ['unknown-trackers'],
    queryFn: () => call(listUnknownTrackers),
    enabled: me?.account.operator === true && may(me, 'trackers.unknown.read'),
    refetchInterval: ASK_EVERY_MS,
  }).data;
}
