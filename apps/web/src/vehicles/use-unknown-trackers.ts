import { listUnknownTrackers, may } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { useSession } from '../base/session/session.ts';

/** Trackers are pointed here by hand, so refreshing this often is enough. */
const ASK_EVERY_MS = 10_000;

/** Trackers that report here but belong to no vehicle. Undefined for users who don't run this installation. */
export function useUnknownTrackers() {
  const me = useSession(session => session.me);
  return useQuery({
    queryKey: ['unknown-trackers'],
    queryFn: () => call(listUnknownTrackers),
    enabled: me?.account.operator === true && may(me, 'trackers.unknown.read'),
    refetchInterval: ASK_EVERY_MS,
  }).data;
}
