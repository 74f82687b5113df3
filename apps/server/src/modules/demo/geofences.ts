import {
  DEFAULT_GEOFENCE_EDGE,
  type Detention,
  type GeofenceColor,
  type GeofenceShape,
  type GeoPoint,
} from '@milepost/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { detentionColumns } from '../geofences/detention.ts';

interface DemoGeofence {
  readonly name: string;
  readonly shape: GeofenceShape;
  readonly isRestricted?: true;
  readonly isOff?: true;
  readonly note?: string;
}

interface DemoGroup {
  readonly name: string;
  readonly color: GeofenceColor;
  readonly detention?: Detention;
  readonly geofences: readonly DemoGeofence[];
}

const circle = (name: string, center: GeoPoint, radiusM: number, more: Partial<DemoGeofence> = {}): DemoGeofence => ({
  name,
  shape: { kind: 'circle', center, radiusM },
  ...more,
});

/** Where the demo fleet starts, delivers, turns around and should not go: the ends of its tours. */
export const DEMO_GEOFENCES: readonly DemoGroup[] = [
  {
    name: 'Terminals',
    color: 'teal',
    geofences: [
      circle('McKinley Park terminal', [-87.6692, 41.8356], 550, { note: 'Line haul starts and ends here.' }),
      {
        name: 'Loop West depot',
        shape: {
          kind: 'polygon',
          rings: [
            [
              [-87.65, 41.8752],
              [-87.6335, 41.8755],
              [-87.6332, 41.884],
              [-87.6425, 41.8838],
              [-87.6502, 41.8792],
            ],
          ],
        },
      },
      circle('West Town depot', [-87.684, 41.8946], 500),
      circle('Brighton Park depot', [-87.6985, 41.8298], 600),
      circle('Portage Park depot', [-87.7625, 41.9448], 400),
      circle('Old yard, Pilsen', [-87.6585, 41.8562], 200, { isOff: true, note: 'Closed in March.' }),
    ],
  },
  {
    name: 'Relay points',
    color: 'blue',
    geofences: [
      circle('Pontiac relay', [-88.562, 40.961], 800),
      circle('Litchfield drop yard', [-89.654, 39.175], 800),
      circle('South Bend relay', [-86.25, 41.683], 800),
      circle('Toledo cross-dock', [-83.555, 41.664], 800),
      circle('Belvidere relay', [-89.009, 42.223], 800),
      circle('Battle Creek relay', [-85.178, 42.317], 800),
      circle('Ann Arbor cross-dock', [-83.871, 42.268], 800),
      circle('Madison cross-dock', [-89.305, 43.049], 800),
      circle('Whitestown cross-dock', [-86.312, 39.925], 800),
    ],
  },
  {
    name: 'Customers',
    color: 'orange',
    detention: { freeMinutes: 15, perHour: 75 },
    geofences: [
      circle('Bucktown market', [-87.6798, 41.9108], 150),
      circle('Fulton Market', [-87.6612, 41.8852], 200),
      {
        name: 'Lincoln Park stores',
        shape: { kind: 'rectangle', bounds: [-87.6705, 41.9195, -87.6615, 41.9245] },
      },
    ],
  },
  {
    name: 'Corridors',
    color: 'purple',
    geofences: [
      {
        name: 'I-55, Chicago to Pontiac',
        shape: {
          kind: 'corridor',
          widthM: 2000,
          line: [
            [-87.6465, 41.8472],
            [-87.8339, 41.7263],
            [-87.9593, 41.6341],
            [-88.0834, 41.5252],
            [-88.2348, 41.3588],
            [-88.5619, 40.9609],
          ],
        },
      },
    ],
  },
  {
    name: 'Restricted',
    color: 'plum',
    geofences: [
      {
        name: 'Museum Campus, no trucks',
        shape: { kind: 'rectangle', bounds: [-87.6212, 41.8625, -87.6065, 41.8695] },
        isRestricted: true,
      },
    ],
  },
];

export async function addDemoGeofences(trx: Kysely<Database>, accountId: number, createdBy: string): Promise<void> {
  const account = { account_id: accountId };
  const { bufferM, minFixes, minSeconds } = DEFAULT_GEOFENCE_EDGE;
  const edge = { buffer_m: bufferM, min_fixes: minFixes, min_seconds: minSeconds };
  for (const { name: group, color, detention = null, geofences } of DEMO_GEOFENCES) {
    const { id } = await trx
      .insertInto('geofence_group')
      .values({ ...account, name: group, color, ...detentionColumns(detention) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const rows = geofences.map(({ name, shape, isRestricted = false, isOff = false, note = null }) => ({
      ...account,
      ...edge,
      name,
      group_id: id,
      color,
      is_restricted: isRestricted,
      is_on: !isOff,
      shape: JSON.stringify(shape),
      is_for_all: true,
      note,
      ...detentionColumns(null),
      created_by: createdBy,
    }));
    await trx.insertInto('geofence').values(rows).execute();
  }
}
