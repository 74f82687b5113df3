import {
  CHANGEABLE_BUILT_IN_KINDS,
  muteBuiltInRule,
  muteBuiltInRuleForMe,
  muteRule,
  muteRuleForMe,
  type RuleMutes,
} from '@milepost/contract';
import { call } from '../base/api.ts';
import { useFromNow } from '../live/view.ts';
import { keepBuiltInRule, keepMyMute, keepRule } from './use-rules.ts';

/** Until when; null until someone ends it. */
export type MuteUntil = { readonly until: string | null };

type MutableKind = (typeof CHANGEABLE_BUILT_IN_KINDS)[number];
const isKind = (id: string): id is MutableKind => CHANGEABLE_BUILT_IN_KINDS.some(kind => kind === id);

/** Mutes a rule, or ends that; `id` is a rule's, or the kind of a built-in alert. */
export async function mute(id: string, who: keyof RuleMutes, until: MuteUntil | null): Promise<unknown> {
  const body = { mute: until };
  const params = isKind(id) ? null : { id };
  if (who === 'me') {
    const { me } = params
      ? await call(muteRuleForMe, { params, body })
      : await call(muteBuiltInRuleForMe, { params: { kind: id as MutableKind }, body });
    return keepMyMute(id, me);
  }
  return params
    ? keepRule(await call(muteRule, { params, body }))
    : keepBuiltInRule(await call(muteBuiltInRule, { params: { kind: id as MutableKind }, body }));
}

/** What is muted right now: it ends on time while the page is open. */
export function useMutes({ everyone, me }: RuleMutes): RuleMutes {
  const now = useFromNow(ms => lastEnd({ everyone, me }, ms));
  const isOver = (mute: RuleMutes['me']): boolean =>
    mute === null || (mute.until !== null && Date.parse(mute.until) <= now);
  return { everyone: isOver(everyone) ? null : everyone, me: isOver(me) ? null : me };
}

/** The last of their ends that is over, so that nothing is drawn again in between. */
const lastEnd = ({ everyone, me }: RuleMutes, ms: number): number =>
  Math.max(
    0,
    ...[everyone, me].flatMap(one => (one?.until && Date.parse(one.until) <= ms ? Date.parse(one.until) : [])),
  );
