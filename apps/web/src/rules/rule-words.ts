import {
  type BuiltInLike,
  builtInSentence,
  LANGUAGES,
  listDrivers,
  peopleText,
  RULE_TEXTS,
  type RuleLike,
  type RuleNames,
  type RuleReader,
  type RuleTexts,
  ruleSentence,
  type SentencePart,
} from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAccountSettings } from '../base/account-settings.ts';
import { call } from '../base/api.ts';
import { useLanguage } from '../base/language/language.ts';
import { useSession } from '../base/session/session.ts';
import { useMeasureSystem } from '../format/use-measure-system.ts';
import { useGeofences } from '../geofences/use-geofences.ts';
import { vehicleListQuery } from '../live/vehicle-list.ts';
import { DRIVERS_KEY } from '../organisation/driver-list.ts';
import { useOrganisation } from '../organisation/organisation.ts';
import { useMyUsers } from '../people/my-users.ts';

/** The user's language and units, as sentences of rules need them. */
export function useRuleReader(): RuleReader {
  const shown = useLanguage(({ language }) => language);
  const { distance, temperature } = useMeasureSystem();
  const language = LANGUAGES.find(each => each === shown) ?? 'en-US';
  return { language, distanceUnit: distance, temperatureUnit: temperature };
}

/** The words of sentences, for what stands beside them. */
export const useRuleTexts = (): RuleTexts => RULE_TEXTS[useRuleReader().language];

/** A rule as a sentence in parts, in the user's language and units. */
export function useRuleSentence(): (rule: RuleLike) => SentencePart[] {
  const reader = useRuleReader();
  const names = useRuleNames();
  return rule => ruleSentence(rule, names, reader);
}

/** A built-in alert as a sentence in parts. */
export function useBuiltInSentence(): (rule: BuiltInLike) => SentencePart[] {
  const { t } = useTranslation('alerts');
  const reader = useRuleReader();
  const names = useRuleNames();
  return rule => builtInSentence(rule, t(`kind.${rule.kind}`), names, reader);
}

function useRuleNames(): RuleNames {
  const { data: geofences } = useGeofences();
  const { data: vehicles } = useQuery(vehicleListQuery);
  const folders = useOrganisation(state => state.folders);
  const departments = useOrganisation(state => state.departments);
  const { data: drivers } = useQuery({ queryKey: DRIVERS_KEY, queryFn: () => call(listDrivers) });
  const user = useUserName();
  const { holidays } = useAccountSettings();
  return {
    hasHolidays: holidays !== '',
    geofence: id => geofences?.find(one => one.id === id)?.name,
    folder: id => folders?.find(folder => folder.id === id)?.name,
    vehicle: id => vehicles?.find(vehicle => vehicle.id === id)?.deviceName,
    user,
    driver: id => drivers?.find(driver => driver.id === id)?.name,
    department: id => departments?.find(department => department.id === id)?.name,
  };
}

export function useUserName(): (id: string) => string | undefined {
  const users = useMyUsers(state => state.known);
  const me = useSession(state => state.me);
  return id => (me?.id === id ? me.displayName : users.find(user => user.id === id)?.displayName);
}

export function usePeopleWords(): (ids: readonly string[] | null, none: string) => string {
  const reader = useRuleReader();
  const nameOf = useUserName();
  return (ids, none) => peopleText(ids, none, nameOf, reader);
}
