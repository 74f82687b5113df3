import type { RuleTrigger, RuleWhen, Severity } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { DEMO_GEOFENCES } from './geofences.ts';

interface DemoRule {
  readonly name: string;
  readonly severity: Severity;
  readonly trigger: RuleTrigger;
  /** For these vehicles, by name; otherwise all. */
  readonly vehicles?: readonly string[];
  /** The geofences of these groups; otherwise any, or anywhere. */
  readonly groups?: readonly string[];
  readonly where?: 'inside' | 'outside';
  readonly when?: RuleWhen;
  readonly repeatMinutes?: number;
  readonly action?: string;
  readonly needsNote?: true;
  /** To be tried on the past first. */
  readonly isOff?: true;
  /** The people of the demo acted on what lasted so many minutes, and on nothing else. */
  readonly actedOnMinutes?: number;
}

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const WEEKDAYS = [1, 2, 3, 4, 5];

/** One is noisy, and a test on the past says how long it should wait; another one is off, to be tried first. */
export const DEMO_RULES: readonly DemoRule[] = [
  {
    name: 'Speeding',
    severity: 'warning',
    trigger: { kind: 'speed', kmh: 112.65, seconds: 60 },
    repeatMinutes: 30,
    action: 'Call the driver at the next stop.',
  },
  {
    name: 'Engine on while standing',
    severity: 'info',
    trigger: { kind: 'idle', minutes: 5 },
    actedOnMinutes: 15,
  },
  {
    name: 'Idling too long',
    severity: 'info',
    trigger: { kind: 'idle', minutes: 15 },
    repeatMinutes: 120,
  },
  {
    name: 'Long stop at a customer',
    severity: 'warning',
    trigger: { kind: 'stay', minutes: 45 },
    groups: ['Customers'],
    when: { days: WEEKDAYS, from: '05:00', to: '20:00', is: 'within' },
    action: 'Ask the customer, and write down the reason for the detention bill.',
    needsNote: true,
  },
  {
    name: 'Moved without its key',
    severity: 'critical',
    trigger: { kind: 'tow' },
    action: 'Call the driver. No answer in 5 min: call the police.',
  },
  {
    name: 'Driving at night',
    severity: 'warning',
    trigger: { kind: 'drive' },
    when: { days: EVERY_DAY, from: '23:00', to: '04:00', is: 'within' },
    repeatMinutes: 480,
  },
  {
    // Spares are started in their yard when the demo starts: apps/simulator/src/drive-fleet.ts.
    name: 'Spare started at its depot',
    severity: 'info',
    trigger: { kind: 'ignitionOn' },
    vehicles: ['3308', '5506'],
    groups: ['Terminals'],
    action: 'Ask at the depot who has the key.',
  },
  {
    name: 'Leaves a terminal',
    severity: 'info',
    trigger: { kind: 'exit', minutes: 0 },
    groups: ['Terminals'],
    isOff: true,
  },
];

/** Gives the demo account its rules, about its geofences. */
export async function addDemoRules(trx: Kysely<Database>, accountId: number, createdBy: string): Promise<void> {
  const geofences = await trx
    .selectFrom('geofence')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .execute();
  for (const rule of DEMO_RULES) {
    const {
      action = null,
      groups,
      isOff = false,
      name,
      needsNote = false,
      repeatMinutes = 0,
      severity,
      trigger,
      vehicles,
      when,
      where,
    } = rule;
    const { id } = await trx
      .insertInto('rule')
      .values({
        ...{ account_id: accountId, name, severity, action, created_by: createdBy, is_on: !isOff },
        needs_note: needsNote,
        ...{
          is_any_geofence: groups === undefined,
          is_inside: where !== 'outside',
          is_for_all: vehicles === undefined,
        },
        ...{ repeat_minutes: repeatMinutes, mail_to: null },
        trigger: JSON.stringify(trigger),
        when: when ? JSON.stringify(when) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (vehicles) {
      await trx
        .insertInto('rule_vehicle')
        .columns(['account_id', 'rule_id', 'vehicle_id'])
        .expression(query =>
          query
            .selectFrom('vehicle')
            .select(['account_id', sql<number>`${id}::int4`.as('rule_id'), 'vehicle.id'])
            .where('account_id', '=', accountId)
            .where('name', 'in', vehicles),
        )
        .execute();
    }
    const named = new Set(
      DEMO_GEOFENCES.filter(group => groups?.includes(group.name)).flatMap(group =>
        group.geofences.map(one => one.name),
      ),
    );
    const about = geofences.filter(geofence => named.has(geofence.name));
    if (about.length === 0) continue;
    await trx
      .insertInto('rule_geofence')
      .values(about.map(geofence => ({ account_id: accountId, rule_id: id, geofence_id: geofence.id })))
      .execute();
  }
}
