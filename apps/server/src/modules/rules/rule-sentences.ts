import {
  type BuiltInKind,
  type BuiltInLike,
  builtInDefaults,
  builtInSentence,
  CHANGEABLE_BUILT_IN_KINDS,
  casesOf,
  isAboutOthers,
  RULE_TEXTS,
  type RuleCase,
  type RuleLike,
  type RuleNames,
  type RuleReader,
  ruleCondition,
  ruleSentence,
  type Severity,
  sentenceText,
} from '@milepost/contract';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { readPreferences } from '../accounts/preferences.ts';
import { TEXTS } from '../notifications/texts/texts.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { onlyTold, type RuleParts, type RuleRow, readParts, termsOfRow } from './rule-terms.ts';

export type SentenceParts = Pick<Organisation, 'directory' | 'roster' | 'visibility'>;

/** Who reads: what they may see, and their language and units. */
export interface SentenceReader extends RuleReader {
  readonly viewer: Viewer;
}

/** A rule's whole sentence, and the part of it that says what it waits for; empty if its name says it all. */
export interface Sentence {
  readonly whole: string;
  readonly condition: string;
}

/** The language and units of a user, or those of the account. */
export async function readSentenceReader(trx: AccountTransaction, viewer: Viewer): Promise<SentenceReader> {
  const { settings } = await readAccountSettings(trx);
  const row = await trx.selectFrom('app_user').select('preferences').where('id', '=', viewer.userId).executeTakeFirst();
  const preferences = readPreferences(row?.preferences);
  return {
    viewer,
    language: preferences.language ?? settings.language,
    distanceUnit: preferences.distanceUnit ?? settings.distanceUnit,
    temperatureUnit: preferences.temperatureUnit ?? settings.temperatureUnit,
  };
}

/** Writes rules as sentences for one reader, with the names of what they may see. */
export async function sentenceWriter(
  trx: AccountTransaction,
  parts: SentenceParts,
  reader: SentenceReader,
  rules: readonly (RuleLike | KeptBuiltIn)[],
): Promise<(rule: RuleLike | KeptBuiltIn) => Sentence> {
  const names = await readNames(trx, parts, reader.viewer, rules);
  return rule => {
    if ('builtIn' in rule) {
      const what = TEXTS[reader.language].kind[rule.builtIn];
      const whole = sentenceText(builtInSentence({ ...rule, kind: rule.builtIn }, what, names, reader));
      return { whole, condition: '' };
    }
    const whole = sentenceText(ruleSentence(rule, names, reader));
    return { whole, condition: ruleCondition(rule, names, reader) };
  };
}

/** A sentence names the first geofence, and all of an order. */
const namedPlaces = ({ geofenceIds, trigger }: RuleLike): readonly string[] =>
  geofenceIds?.slice(0, trigger.kind === 'order' ? geofenceIds.length : 1) ?? [];

type KeptBuiltIn = BuiltInLike & { readonly builtIn: BuiltInKind };

/** What was kept of a rule; null if this version has no words for it. */
export function keptRule(kept: unknown): RuleLike | KeptBuiltIn | null {
  const rule = kept as RuleLike | KeptBuiltIn | null;
  if (rule === null || 'builtIn' in rule) return rule;
  return rule.trigger.kind in RULE_TEXTS['en-US'].sentence ? rule : null;
}

/**
 * The sentences of the rules that alerted, by alert, the built-in ones among them; none of a rule that has changed since,
 * or was deleted.
 */
export async function readAlertSentences(
  trx: AccountTransaction,
  parts: SentenceParts,
  reader: SentenceReader,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, Sentence>> {
  const { directory, roster, visibility } = parts;
  const { viewer } = reader;
  const told = await trx
    .selectFrom('alert')
    .leftJoin('rule', join =>
      join.onRef('rule.id', '=', 'alert.rule_id').on(sql<boolean>`(alert.rule ->> 'version')::int4 = rule.version`),
    )
    .selectAll('rule')
    .select(['alert.id as alert_id', 'alert.kind', 'alert.rule_id'])
    .where(sql<boolean>`alert.id = any (${alertIds}::uuid[])`)
    .execute();
  if (told.length === 0) return new Map();
  const { settings } = await readAccountSettings(trx);
  const partsOf = await readParts(trx, [...new Set(told.flatMap(row => row.id ?? []))]);
  const isSeen = (id: string): boolean => visibility.sees(viewer, directory.findById(Number(id)));
  const isTold = (driverId: string): boolean => {
    const driver = roster.driver(viewer.accountId, Number(driverId));
    return visibility.seesAll(viewer) || (driver !== null && visibility.seesDriver(viewer, driver));
  };
  const rules = told.flatMap(({ alert_id: alertId, kind, rule_id: ruleId, ...row }) => {
    const minutes = kind === 'silent' ? settings.offlineAfterMinutes : null;
    const builtIn = CHANGEABLE_BUILT_IN_KINDS.find(each => each === kind);
    if (row.id !== null) {
      const own = row as RuleRow;
      const rule = onlyTold(likeOf(own, partsOf(own.id, isSeen)), isTold, isSeen);
      return { alertId, rule: builtIn ? { ...builtInDefaults(builtIn), ...rule, builtIn, minutes } : rule };
    }
    // Nobody has changed it.
    if (ruleId !== null || !builtIn) return [];
    return { alertId, rule: { ...builtInDefaults(builtIn), builtIn, minutes } };
  });
  if (rules.length === 0) return new Map();
  const write = await sentenceWriter(
    trx,
    parts,
    reader,
    rules.map(({ rule }) => rule),
  );
  return new Map(rules.map(({ alertId, rule }) => [alertId, write(rule)]));
}

const likeOf = (row: RuleRow, { geofenceIds, vehicles }: RuleParts) => ({
  ...termsOfRow(row, geofenceIds),
  severity: row.severity as Severity,
  vehicles: row.is_for_all ? null : vehicles,
  mailTo: row.mail_to,
  escalation: row.escalate_minutes === null ? null : { minutes: row.escalate_minutes, to: row.escalate_to ?? [] },
});

async function readNames(
  trx: AccountTransaction,
  { directory, roster, visibility }: SentenceParts,
  viewer: Viewer,
  rules: readonly (RuleLike | KeptBuiltIn)[],
): Promise<RuleNames> {
  const { settings } = await readAccountSettings(trx);
  // A sentence names the first of each, and counts the others.
  const firsts = (idsOf: (rule: RuleLike) => readonly string[] | null | undefined): number[] => [
    ...new Set(rules.flatMap(rule => idsOf(rule as RuleLike)?.slice(0, 1) ?? []).map(Number)),
  ];
  const firstsOfCases = (idsOf: (one: Partial<RuleCase>) => readonly string[] | undefined): number[] => [
    ...new Set(
      rules.flatMap(({ conditions }) => casesOf(conditions).flatMap(one => idsOf(one)?.slice(0, 1) ?? [])).map(Number),
    ),
  ];
  const named = async (table: 'geofence' | 'folder' | 'department', ids: readonly number[]) => {
    if (ids.length === 0) return new Map<string, string>();
    const rows = await trx.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute();
    return new Map(rows.map(({ id, name }) => [String(id), name]));
  };
  const geofences = await named('geofence', [
    ...rules.flatMap(rule => ('builtIn' in rule ? [] : namedPlaces(rule))).map(Number),
    ...firstsOfCases(one => one.places?.geofenceIds),
  ]);
  const folders = await named('folder', [
    ...firsts(rule => rule.vehicles?.folderIds),
    ...firsts(({ trigger }) => (trigger && isAboutOthers(trigger) ? trigger.otherFolderIds : null)),
    ...firstsOfCases(one => one.vehicles?.folderIds),
  ]);
  const departments = await named(
    'department',
    firstsOfCases(one => one.drivers?.departmentIds),
  );
  const seesAll = visibility.seesAll(viewer);
  const users = new Map(
    (
      await trx
        .selectFrom('app_user')
        .select(['id', 'display_name'])
        .$if(!seesAll, query => query.where('id', '=', viewer.userId))
        .execute()
    ).map(({ id, display_name }) => [id, display_name]),
  );
  const isIn = (kind: 'folder' | 'department', id: string): boolean => visibility.holds(kind, viewer, Number(id));
  return {
    hasHolidays: settings.holidays !== '',
    geofence: id => geofences.get(id),
    folder: id => (isIn('folder', id) ? folders.get(id) : undefined),
    vehicle: id => {
      const vehicle = directory.findById(Number(id));
      return visibility.sees(viewer, vehicle) ? vehicle.name : undefined;
    },
    user: id => users.get(id),
    driver: id => {
      const driver = roster.driver(viewer.accountId, Number(id));
      return driver && visibility.seesDriver(viewer, driver) ? driver.name : undefined;
    },
    department: id => (isIn('department', id) ? departments.get(id) : undefined),
  };
}
