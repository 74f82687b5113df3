import { createHash, randomUUID } from 'node:crypto';
import type { SignedIn } from '../http-server.ts';

/** Rows of a user's account, each with their marker. */

export type Person = SignedIn & { readonly marker: string; readonly imei: string; readonly serial: number };

interface Owned extends Person {
  readonly vehicle: number;
  readonly driver: number;
  readonly files: readonly [string, string];
}

export function documentsOf({ accountId, marker, vehicle, driver, files }: Owned) {
  const content = { kind: 'other', title: marker, file_name: `${marker}.pdf`, type: 'application/pdf', bytes: 9 };
  const document = { account_id: accountId, ...content };
  return [
    { ...document, vehicle_id: vehicle, driver_id: null, file: files[0] },
    { ...document, vehicle_id: null, driver_id: driver, file: files[1] },
  ];
}

/** Someone with this name looked at their driver. */
export function lookOf({ accountId, marker, driver, userId }: Owned) {
  const [began_at, until_at] = [new Date(Date.now() - 3_600_000), new Date()];
  return {
    ...{ id: randomUUID(), account_id: accountId, driver_id: driver, kind: 'replay', via: 'session' },
    ...{ user_id: userId, user_name: marker, link_id: null, link_name: null },
    ...{ began_at, until_at, period_from: began_at, period_to: until_at },
  };
}

export function tasksOf({ accountId, marker, userId, driver, vehicle }: Owned) {
  const task = {
    account_id: accountId,
    title: marker,
    priority: 'normal',
    stops: '[]',
    needs_photo: false,
    needs_signature: false,
    driver_id: driver,
    vehicle_id: vehicle,
    created_by: userId,
    assigned_by: userId,
  };
  return [
    { ...task, task_id: `${marker} A`, state: 'accepted', over_at: null },
    { ...task, task_id: `${marker} B`, state: 'done', over_at: new Date() },
  ];
}

export function geofenceOf({ accountId, marker, userId }: Person) {
  return {
    account_id: accountId,
    name: marker,
    group_id: null,
    color: 'blue',
    is_restricted: false,
    is_on: true,
    shape: JSON.stringify({ kind: 'circle', center: [-87.68, 41.9], radiusM: 200 }),
    buffer_m: 25,
    min_fixes: 2,
    min_seconds: 60,
    is_for_all: true,
    note: marker,
    created_by: userId,
  };
}

export function ruleOf({ accountId, marker, userId }: Person) {
  return {
    account_id: accountId,
    name: marker,
    is_on: true,
    severity: 'warning',
    trigger: JSON.stringify({ kind: 'enter' }),
    when: null,
    is_any_geofence: true,
    is_inside: true,
    is_for_all: true,
    repeat_minutes: 0,
    action: marker,
    mail_to: null,
    created_by: userId,
  };
}

/** A record in the driver's log. */
export function logEntryOf({ accountId, driver, vehicle, marker }: Owned) {
  const id = randomUUID();
  const at = Date.parse('2026-02-03T14:00:00Z');
  const event = {
    ...{ type: 1, code: 4, origin: 'automatic', sequence: 0, at, check: '00' },
    ...{ vehicle: { powerUnit: '7', vin: '' }, trailers: '', shippingDocument: marker },
    ...{ miles: null, hours: null, lat: '41.88', lon: '-87.63', milesSinceFix: 0 },
    ...{ malfunction: false, diagnostic: false, annotation: '', placeByDriver: null, place: marker },
  };
  const device = `vehicle:${vehicle}`;
  const entry = JSON.stringify({
    ...{ action: 'record', id, log: `driver:${driver}`, recordedAt: at, by: 'eld', device, event },
  });
  return {
    account_id: accountId,
    log: `driver:${driver}`,
    position: 0,
    id,
    action: 'record',
    recorded_at: new Date('2026-02-03T14:00:00Z'),
    touches_at: new Date('2026-02-03T06:00:00Z'),
    device,
    device_position: 0,
    entry,
    content: createHash('sha256').update(entry).digest(),
    hash: Buffer.alloc(32),
    device_hash: Buffer.alloc(32),
  };
}
