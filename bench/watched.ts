/** Of all kinds but those that need a time of day. */
const TRIGGERS = [
  { kind: 'enter' },
  { kind: 'exit', minutes: 5 },
  { kind: 'stay', minutes: 20 },
  { kind: 'speed', kmh: 110, seconds: 30 },
  { kind: 'idle', minutes: 10 },
  { kind: 'drive' },
  { kind: 'tow' },
];

export const rulesOf = (accountId: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ...{ account_id: accountId, name: `Rule ${i}`, is_on: true, severity: 'info', when: null, action: null },
    ...{ is_any_geofence: true, is_inside: true, is_for_all: true, repeat_minutes: 60, mail_to: null },
    created_by: null,
    trigger: JSON.stringify(TRIGGERS[i % TRIGGERS.length]),
  }));

const AS_NEW = {
  ...{ color: 'blue', group_id: null, note: null, created_by: null },
  ...{ is_restricted: false, is_on: true, buffer_m: 25, min_fixes: 2, min_seconds: 60, is_for_all: true },
};

/** Circles along the road and within 30 km of it. */
export const geofencesOf = (accountId: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ...{ ...AS_NEW, account_id: accountId, name: `Place ${i}` },
    shape: JSON.stringify({
      kind: 'circle',
      center: [-87.68 + ((i * 0.618) % 1) * 0.6, 41.6 + ((i * 0.414) % 1) * 0.6],
      radiusM: 50 + (i % 10) * 40,
    }),
  }));

export const circlesAt = (accountId: number, centers: readonly (readonly [number, number])[], radiusM: number) =>
  centers.map((center, i) => ({
    ...{ ...AS_NEW, account_id: accountId, name: `Place ${i}` },
    shape: JSON.stringify({ kind: 'circle', center, radiusM }),
  }));
