import type { Alert } from '@milepost/contract';

/** A critical alert that is still open; for tests. */
export const anAlert = (id: string, fields: Partial<Alert> = {}): Alert => ({
  id,
  kind: 'sos',
  severity: 'critical',
  deviceId: '1',
  imei: '356307042441013',
  deviceName: '4127',
  driver: null,
  event: 'sos',
  openedAt: '2026-11-19T19:02:11.000Z',
  updatedAt: '2026-11-19T19:02:11.000Z',
  count: 1,
  closedAt: null,
  late: false,
  lat: null,
  lon: null,
  address: null,
  near: null,
  conflict: null,
  figures: { speed: null, temp: null, battery: null, supply: null },
  acknowledgedAt: null,
  acknowledgedBy: null,
  commandId: null,
  askedBy: null,
  ...fields,
});
