import {
  builtInDefaults,
  DEFAULT_GEOFENCE_EDGE,
  DEFAULT_SETTINGS,
  type Geofence,
  listBuiltInRules,
  listDrivers,
  listGeofenceGroups,
  listGeofences,
  listInside,
  listRules,
  listVehicles,
  listWebhooks,
  type Rule,
  readBaseMap,
  readMyUsers,
  readRuleProgress,
  readRuleReach,
  readSettings,
  updateRule,
} from '@milepost/contract';
import { type Answer, when } from '../../../testing/answers.ts';
import { someone } from '../../../testing/app.tsx';
import { user } from '../../../testing/people.ts';

export const MOMENTS = { createdAt: '2026-11-20T08:00:00Z', createdBy: null, changedAt: '2026-11-20T08:00:00Z' };
export const YARD: Geofence = {
  ...{ id: '5', name: 'Depot North', groupId: null, color: 'blue', isRestricted: true, isOn: true, note: null },
  shape: { kind: 'circle', center: [-78.88, 38.2], radiusM: 150 },
  ...{ edge: DEFAULT_GEOFENCE_EDGE, vehicles: null, detention: null, speedLimitKmh: null, ...MOMENTS },
};
export const [NORA, DANA] = [someone(), user('Dana Whitlock')];
export const rule = (id: string, name: string, changes: Partial<Rule>): Rule => ({
  ...{ id, name, isOn: true, severity: 'warning', trigger: { kind: 'stay', minutes: 40 }, geofenceIds: [YARD.id] },
  ...{
    where: 'inside',
    vehicles: null,
    when: null,
    conditions: null,
    repeatMinutes: 0,
    action: null,
    needsNote: false,
    message: null,
  },
  ...{ mailTo: null, pushTo: null, webhookIds: null, ownerId: null, escalation: null, ...MOMENTS },
  alerts: { count: 3, acknowledged: 1, lastAt: null },
  mutes: { everyone: null, me: null },
  ...changes,
});
export const NIGHT = rule('7', 'Out at night', {
  ...{ trigger: { kind: 'exit', minutes: 0 }, severity: 'critical', mailTo: [NORA.id, DANA.id], webhookIds: ['3'] },
  when: { is: 'within', days: [1, 2, 3, 4, 5], from: '22:00', to: '05:00' },
  escalation: { minutes: 10, to: [DANA.id] },
});
export const MORNING = rule('8', 'Not there', {
  ...{ isOn: false, trigger: { kind: 'absent', at: '08:00', days: [1, 2, 3, 4, 5] } },
});
export const ELSEWHERE = rule('9', 'Somewhere else', { geofenceIds: ['6'] });
const count = { count: 0, acknowledged: 0, lastAt: null };

export const ANSWERS: readonly Answer[] = [
  // Never answered, so there is no map to draw.
  when(readBaseMap, () => new Promise(() => {})),
  when(readSettings, { settings: { ...DEFAULT_SETTINGS, holidays: '2026-01-01, 2099-12-25' } }),
  when(listGeofences, [YARD]),
  when(listGeofenceGroups, [{ id: '4', name: 'Terminals', color: 'teal', detention: null }]),
  when(listInside, { inside: [], last: [], counting: 0, vehicles: 0 }),
  when(listRules, [NIGHT, MORNING, ELSEWHERE]),
  when(readRuleProgress, { behindSeconds: 0 }),
  when(listBuiltInRules, [
    {
      ...builtInDefaults('restricted'),
      ...{ minutes: null, alerts: count, mutes: { everyone: null, me: null }, changedAt: null },
    },
  ]),
  when(listVehicles, []),
  when(listDrivers, []),
  when(readMyUsers, [DANA]),
  when(readRuleReach, { people: [], webhooks: [], escalation: null, vehicles: 0, isMuted: false }),
  when(listWebhooks, [
    {
      ...{ id: '3', name: 'Guard service', url: 'https://guard.example/hook', severities: [], kinds: null },
      ...{ enabled: true, createdAt: MOMENTS.createdAt, waiting: 0, failed: 0, lastDeliveredAt: null, failing: null },
    },
  ]),
  when(updateRule, ({ body, params }) => ({ ...(params.id === '7' ? NIGHT : MORNING), ...(body as Partial<Rule>) })),
];
