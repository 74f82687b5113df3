import { may, readRuleProgress } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { useSession } from '../base/session/session.ts';

/** Less is how rules always work. */
const BEHIND_S = 60;
const ASK_EVERY_MS = 20_000;

/**
 * By how many minutes rules and visits are behind the positions; 0 below a minute, and for users who can't read rules.
 * Asked again and again while someone looks.
 */
export function useMinutesBehind(): number {
  const enabled = useSession(({ me }) => me !== null && may(me, 'rules.read'));
  const seconds = useQuery({
    queryKey: ['rules', 'progress'],
    queryFn: () => call(readRuleProgress),
    refetchInterval: ASK_EVERY_MS,
    select: ({ behindSeconds }) => behindSeconds,
    enabled,
  }).data;
  return seconds === undefined || seconds < BEHIND_S ? 0 : Math.floor(seconds / 60);
}
