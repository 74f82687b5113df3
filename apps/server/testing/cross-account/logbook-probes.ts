import { namesNothing, ownThing, type Probes } from './probe.ts';

const START = Date.parse('2026-02-02T12:00:00Z');

export const logbookProbes: Probes = {
  readCarrier: { ...namesNothing, isForAll: true },
  updateCarrier: ownThing(({ marker }) => ({ name: marker, usdotNumber: '1234567' })),
  listRoster: namesNothing,
  updateLogSettings: {
    call: ({ driverId, marker }) => ({ params: { driverId }, body: { isExempt: true, exemptReason: marker } }),
    aboutOthers: 404,
  },
  // Calculates from its input only and reads no data.
  evaluateDutyLog: ownThing(() => ({
    ruleset: 'US_PROPERTY_70_8',
    timezone: 'America/Chicago',
    segments: [{ status: 'D', start: START, end: START + 3_600_000 }],
    asOf: START + 3_600_000,
  })),
};
