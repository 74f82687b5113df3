import { namesNothing, type Probes } from './probe.ts';

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const PERIOD = { from: daysAgo(3), to: daysAgo(0) };

export const reportProbes: Probes = {
  listReports: namesNothing,
  runReport: {
    call: ({ vehicleId }) => ({
      params: { key: 'daily-summary' },
      query: { ...PERIOD, vehicles: vehicleId, groupBy: 'vehicle', compare: 'true' },
    }),
    aboutOthers: 404,
  },
};
