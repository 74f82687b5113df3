import { DEFAULT_GEOFENCE_EDGE, type Geofence, newGeofenceSchema } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { METRIC, US } from '../../format/measure.ts';
import { bodyOf, valuesOf } from './geofence-form.ts';

const YARD: Geofence = {
  id: '7',
  name: 'Verona food hub',
  groupId: '3',
  color: 'teal',
  isRestricted: false,
  isOn: true,
  shape: { kind: 'circle', center: [-78.88, 38.2], radiusM: 150 },
  edge: { bufferM: 40, minFixes: 3, minSeconds: 90 },
  vehicles: { folderIds: ['1'], deviceIds: [] },
  note: null,
  detention: { freeMinutes: 30, perHour: 75.5 },
  speedLimitKmh: 24,
  createdAt: '2026-03-01T12:00:00.000Z',
  createdBy: null,
  changedAt: '2026-03-01T12:00:00.000Z',
};

describe('[R2.08] the form of a geofence', () => {
  it.each([['feet', US] as const, ['meters', METRIC] as const])('in %s sends back what it was given', (_, system) => {
    const { id, createdAt, createdBy, changedAt, ...sent } = YARD;
    expect(newGeofenceSchema.parse(bodyOf(valuesOf(YARD, system), YARD, system))).toEqual({ ...sent, note: '' });
  });

  it('reads a buffer in the user’s unit', () => {
    const values = { ...valuesOf(YARD, US), 'edge.bufferM': '80' };
    expect(bodyOf(values, YARD, US)).toMatchObject({ edge: { bufferM: expect.closeTo(24.384, 3) } });
  });

  it('has no detention where both fields are empty, and says which one is missing', () => {
    const [free, perHour] = ['detention.freeMinutes', 'detention.perHour'] as const;
    const values = { ...valuesOf(YARD, METRIC), [free]: '', [perHour]: '' };
    expect(bodyOf(values, YARD, METRIC)).toMatchObject({ detention: null });
    const { error } = newGeofenceSchema.safeParse(bodyOf({ ...values, [perHour]: '60,5' }, YARD, METRIC));
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([free]);
  });

  it('of a new one begins with the defaults, and says beside each field what is missing', () => {
    const body = bodyOf({ ...valuesOf(null, METRIC), 'edge.minFixes': '' }, null, METRIC);
    const { error } = newGeofenceSchema.safeParse(body);
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['name', 'shape', 'edge.minFixes']);
    expect(bodyOf(valuesOf(null, METRIC), null, METRIC)).toMatchObject({ edge: DEFAULT_GEOFENCE_EDGE });
  });
});
