import {
  type BuiltInRule,
  casesOf,
  type Geofence,
  isAboutGeofences,
  may,
  type Rule,
  type RuleTrigger,
  type SentencePart,
} from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import { useBuiltInSentence, useRuleSentence } from '../../rules/rule-words.ts';
import { changeBuiltInRule, changeRule, useBuiltInRules, useRules } from '../../rules/use-rules.ts';

/** As its own, or in its conditions. */
export const namesGeofence = ({ conditions, geofenceIds }: Rule, id: string): boolean =>
  geofenceIds?.includes(id) || casesOf(conditions).some(({ places }) => places?.geofenceIds.includes(id));

/** All rules of the account; undefined until loaded, and for users who can't read them. */
export function useAllRules(): readonly Rule[] | undefined {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'rules.read'));
  return useRules({ enabled: mayRead }).data;
}

/** The rules for a geofence: those that name it, and those for any geofence. */
export function useRulesOf(geofence: Geofence | null) {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'rules.read'));
  const { data, error, refetch } = useRules({ enabled: mayRead && geofence !== null });
  const rules =
    geofence &&
    data?.filter(
      rule => (rule.geofenceIds === null && isAboutGeofences(rule.trigger.kind)) || namesGeofence(rule, geofence.id),
    );
  return { rules, error, refetch, mayRead };
}

/** A rule for a geofence, as the tabs show it: one of the account's, or the built-in one of restricted geofences. */
export interface PlaceRule
  extends Pick<
    Rule,
    | 'severity'
    | 'isOn'
    | 'when'
    | 'vehicles'
    | 'mailTo'
    | 'pushTo'
    | 'webhookIds'
    | 'escalation'
    | 'alerts'
    | 'mutes'
    | 'name'
  > {
  /** As in the address of the rules page. */
  readonly id: string;
  readonly isBuiltIn: boolean;
  /** Null: built in. */
  readonly trigger: RuleTrigger | null;
  readonly conditions: Rule['conditions'] | BuiltInRule['conditions'];
  readonly sentence: readonly SentencePart[];
  readonly mayEdit: boolean;
  readonly turn: (isOn: boolean) => Promise<unknown>;
}

/** All that alerts about a geofence; undefined until loaded. */
export function usePlaceRules(geofence: Geofence) {
  const { t } = useTranslation('alerts');
  const me = useSession(session => session.me);
  const own = useRulesOf(geofence);
  const builtIn = useBuiltInRules({ enabled: own.mayRead && geofence.isRestricted });
  const sentence = useRuleSentence();
  const builtInSentence = useBuiltInSentence();
  const restricted = builtIn.data?.find(({ kind }) => kind === 'restricted');
  const [mayEdit, mayEditBuiltIn] = [me !== null && may(me, 'rules.write'), me !== null && may(me, 'settings.write')];
  const rules: readonly PlaceRule[] | undefined =
    own.rules && (!geofence.isRestricted || builtIn.data)
      ? [
          ...(geofence.isRestricted && restricted
            ? [
                {
                  ...restricted,
                  ...{ id: restricted.kind, name: t('kind.restricted'), trigger: null, isBuiltIn: true },
                  ...{ sentence: builtInSentence(restricted), mayEdit: mayEditBuiltIn },
                  turn: (isOn: boolean) => changeBuiltInRule('restricted', { isOn }),
                },
              ]
            : []),
          ...own.rules.map(rule => ({
            ...rule,
            ...{ isBuiltIn: false, sentence: sentence(rule), mayEdit },
            turn: (isOn: boolean) => changeRule(rule.id, { isOn }),
          })),
        ]
      : undefined;
  return {
    rules,
    error: own.error ?? builtIn.error,
    refetch: () => Promise.all([own.refetch(), ...(geofence.isRestricted ? [builtIn.refetch()] : [])]),
  };
}
