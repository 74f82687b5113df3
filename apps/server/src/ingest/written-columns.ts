import type { VehicleState } from '../fleet/vehicle-state.ts';
import type { StoredPosition } from '../tracks/stored-position.ts';
import type { ElementType } from './array-parameter.ts';
import type { BinaryFields } from './binary-fields.ts';

export interface VehicleKey {
  readonly id: number;
  readonly accountId: number;
}

/** A position and its vehicle. */
export interface OwnedPosition {
  readonly vehicle: VehicleKey;
  readonly position: StoredPosition;
  /** Newer than all of the vehicle's positions, so as far as we know it isn't stored yet. */
  readonly isNew: boolean;
}

export interface OwnedState {
  readonly vehicle: VehicleKey;
  readonly after: VehicleState;
}

interface Column<Row> {
  readonly name: string;
  readonly type: ElementType;
  readonly write: (to: BinaryFields, row: Row) => void;
}

export const POSITION_COLUMNS: readonly Column<OwnedPosition>[] = [
  { name: 'vehicle_id', type: 'int4', write: (to, { vehicle }) => to.int4(vehicle.id) },
  { name: 'account_id', type: 'int4', write: (to, { vehicle }) => to.int4(vehicle.accountId) },
  { name: 'fix_at', type: 'timestamptz', write: (to, { position }) => to.timestamptz(position.fixAt) },
  { name: 'received_at', type: 'timestamptz', write: (to, { position }) => to.timestamptz(position.receivedAt) },
  { name: 'lat', type: 'float8', write: (to, { position }) => to.float8(position.lat) },
  { name: 'lon', type: 'float8', write: (to, { position }) => to.float8(position.lon) },
  { name: 'speed', type: 'float4', write: (to, { position }) => to.float4(position.speed) },
  { name: 'course', type: 'float4', write: (to, { position }) => to.float4(position.course) },
  { name: 'altitude', type: 'float4', write: (to, { position }) => to.float4(position.altitude) },
  { name: 'odometer', type: 'float8', write: (to, { position }) => to.float8(position.odometer) },
  { name: 'fuel', type: 'float4', write: (to, { position }) => to.float4(position.fuel) },
  { name: 'temperature', type: 'float4', write: (to, { position }) => to.float4(position.temperature) },
  { name: 'hdop', type: 'float4', write: (to, { position }) => to.float4(position.hdop) },
  { name: 'satellites', type: 'int2', write: (to, { position }) => to.int2(position.satellites) },
  { name: 'gsm', type: 'int2', write: (to, { position }) => to.int2(position.gsm) },
  { name: 'valid', type: 'bool', write: (to, { position }) => to.bool(position.valid) },
  { name: 'ignition', type: 'bool', write: (to, { position }) => to.bool(position.ignition) },
  { name: 'late', type: 'bool', write: (to, { position }) => to.bool(position.late) },
  { name: 'doubts', type: 'int2', write: (to, { position }) => to.int2(position.doubts) },
  { name: 'protocol', type: 'text', write: (to, { position }) => to.text(position.protocol) },
  { name: 'event', type: 'text', write: (to, { position }) => to.text(position.event) },
  { name: 'rfid', type: 'text', write: (to, { position }) => to.text(position.rfid) },
  { name: 'attributes', type: 'jsonb', write: (to, { position }) => to.jsonb(position.attributes) },
];

export const STATE_COLUMNS: readonly Column<OwnedState>[] = [
  { name: 'vehicle_id', type: 'int4', write: (to, { vehicle }) => to.int4(vehicle.id) },
  { name: 'account_id', type: 'int4', write: (to, { vehicle }) => to.int4(vehicle.accountId) },
  { name: 'heard_at', type: 'timestamptz', write: (to, { after }) => to.timestamptz(after.heardAt) },
  { name: 'live', type: 'json', write: (to, { after }) => to.json(after.motion) },
  { name: 'newest', type: 'json', write: (to, { after }) => to.json(after.newest) },
];

export const namesOf = (columns: readonly { readonly name: string }[]): string =>
  columns.map(({ name }) => name).join(', ');
