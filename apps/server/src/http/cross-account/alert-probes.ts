import type { Probes } from './probe.ts';

export const alertProbes: Probes = {
  listAlerts: { call: ({ vehicleId }) => ({ query: { deviceId: vehicleId } }), aboutOthers: 404 },
  acknowledgeAlerts: { call: ({ alertId }) => ({ body: { ids: [alertId] } }), aboutOthers: 404 },
};
