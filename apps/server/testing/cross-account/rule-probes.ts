import { namesNothing, type Probes } from './probe.ts';

const YESTERDAY = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };

const DRIVE = JSON.stringify({ kind: 'drive' });
let made = 0;

/** Everybody in the account sees its rules. */
export const ruleProbes: Probes = {
  listRules: { ...namesNothing, isForAll: true },
  readRuleProgress: { ...namesNothing, isForAll: true },
  // Everything Milepost watches is named alike in all accounts.
  listBuiltInRules: { ...namesNothing, isForAll: true },
  updateBuiltInRule: {
    call: ({ vehicleId, folderId }) => ({
      params: { kind: 'vibration' },
      body: { vehicles: { folderIds: [folderId], deviceIds: [vehicleId] } },
    }),
    aboutOthers: 400,
  },
  // It counts alerts of the caller's account alone.
  testBuiltInRule: {
    call: ({ vehicleId }) => ({
      params: { kind: 'sos' },
      body: { rule: { vehicles: { folderIds: [], deviceIds: [vehicleId] }, when: null }, ...YESTERDAY },
    }),
    aboutOthers: 200,
  },
  createRule: {
    call: ({ vehicleId, folderId, geofenceId, marker }) => ({
      body: {
        name: `${marker} dock`,
        trigger: { kind: 'enter' },
        geofenceIds: [geofenceId],
        vehicles: { folderIds: [folderId], deviceIds: [vehicleId] },
      },
    }),
    aboutOthers: 400,
  },
  updateRule: {
    call: ({ ruleId, marker }) => ({ params: { id: ruleId }, body: { name: `${marker} gate` } }),
    aboutOthers: 404,
  },
  deleteRule: { call: ({ ruleId }) => ({ params: { id: ruleId } }), aboutOthers: 404 },
  muteRule: {
    call: ({ ruleId }) => ({ params: { id: ruleId }, body: { mute: { until: null } } }),
    aboutOthers: 404,
  },
  listVehicleMutes: namesNothing,
  // Its rule is the caller's own: of others, there is no such vehicle.
  muteVehicle: {
    call: ({ vehicleId }) => ({ params: { id: vehicleId }, body: { about: null, mute: { until: null } } }),
    aboutOthers: 404,
  },
  // Rules are everybody's in the account, and this changes the caller's own notifications alone.
  muteRuleForMe: {
    call: async ({ accountId }, _, { context }) => {
      const { id } = await context.db.system
        .insertInto('rule')
        .values({
          ...{ account_id: accountId, name: `Quiet ${++made}`, is_on: true, severity: 'info', trigger: DRIVE },
          ...{ when: null, action: null, is_any_geofence: true, is_inside: true, is_for_all: true, repeat_minutes: 60 },
          ...{ mail_to: null, created_by: null },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { params: { id: String(id) }, body: { mute: { until: null } } };
    },
    aboutOthers: 404,
    outOfScope: 200,
  },
  // Everything Milepost watches is named alike in all accounts.
  muteBuiltInRule: { call: () => ({ params: { kind: 'sos' }, body: { mute: { until: null } } }), aboutOthers: 200 },
  muteBuiltInRuleForMe: {
    call: () => ({ params: { kind: 'sos' }, body: { mute: { until: null } } }),
    aboutOthers: 200,
  },
  readRuleReach: {
    call: ({ vehicleId, folderId, userId }) => ({
      body: {
        ...{ severity: 'warning', mailTo: [userId], pushTo: null },
        vehicles: { folderIds: [folderId], deviceIds: [vehicleId] },
      },
    }),
    aboutOthers: 400,
  },
  // Of others it finds neither the geofence nor the vehicle, so it has nothing to test.
  backtestRule: {
    call: ({ geofenceId, vehicleId }) => ({
      body: {
        rule: {
          trigger: { kind: 'enter' },
          geofenceIds: [geofenceId],
          vehicles: { folderIds: [], deviceIds: [vehicleId] },
        },
        ...YESTERDAY,
      },
    }),
    aboutOthers: 200,
  },
};
