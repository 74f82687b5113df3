import {
  BUILT_IN_KINDS,
  bulkChangeSchema,
  cardSchema,
  DOCUMENT_KINDS,
  dateSchema,
  detentionSchema,
  emailSchema,
  GEOFENCE_COLORS,
  geofenceEdgeSchema,
  geofenceShapeSchema,
  groupNameSchema,
  imeiSchema,
  licenceRegionSchema,
  lineSchema,
  newGeofenceSchema,
  newRuleSchema,
  newVehicleSchema,
  notesSchema,
  personNameSchema,
  phoneSchema,
  ruleConditionsSchema,
  ruleTriggerSchema,
  ruleWhenSchema,
  SETTING_NAMES,
  SEVERITIES,
  TRACKER_PROTOCOLS,
  tagsSchema,
  tenantChangeSchema,
  trackerAddressesSchema,
  vehicleNameSchema,
} from '@milepost/contract';
import { z } from 'zod';
import { author, id, moment, past } from './columns.ts';
import { DESK_ROWS } from './desk-rows.ts';
import { ENTERED_ROWS } from './entered-rows.ts';
import { REACH_ROWS } from './reach-rows.ts';
import { RECORD_ROWS } from './record-rows.ts';
import { TRAIL_ROWS } from './trail-rows.ts';

/**
 * Rows of an export as an import takes them: by the same rules as if someone had typed them, for a file may come from
 * anywhere. What is not named here is not read.
 */

const { shape: vehicle } = newVehicleSchema;
const shared = bulkChangeSchema.shape.change.shape;

const group = z.object({ id, parent_id: id.nullable(), name: groupNameSchema, created_at: past });

const { shape: edge } = geofenceEdgeSchema;
const detention = {
  detention_free_minutes: detentionSchema.shape.freeMinutes.nullable(),
  detention_per_hour: detentionSchema.shape.perHour.nullable(),
};

const { shape: rule } = newRuleSchema;

/** Null: everyone, as they chose. */
const people = z.array(z.uuid()).max(1000).nullable().default(null);

const number = z.number();
const word = z.string().max(128);

export const ROWS = {
  ...RECORD_ROWS,
  ...DESK_ROWS,
  ...ENTERED_ROWS,
  ...REACH_ROWS,
  ...TRAIL_ROWS,
  folder: group,
  department: group,
  driver: z.object({
    id,
    name: personNameSchema,
    phone: phoneSchema.nullable(),
    email: emailSchema.nullable(),
    licence_number: lineSchema(40).nullable(),
    licence_region: licenceRegionSchema.nullable(),
    licence_class: lineSchema(20).nullable(),
    licence_expires_on: dateSchema.nullable(),
    card: cardSchema.nullable(),
    department_id: id.nullable(),
    notes: notesSchema.nullable(),
    archived: z.boolean(),
    created_at: past,
    user_id: z.uuid().nullable().default(null),
  }),
  vehicle: z.object({
    id,
    imei: imeiSchema,
    name: vehicleNameSchema,
    plate: vehicle.plate,
    vin: vehicle.vin,
    type: shared.type,
    make: shared.make,
    model: shared.model,
    year: shared.year,
    fuel_type: shared.fuelType,
    tank_litres: shared.tankLitres,
    speed_limit_kmh: shared.speedLimitKmh,
    odometer_offset: number.min(-5e9).max(5e9),
    tags: tagsSchema,
    notes: vehicle.notes,
    tracker_model: shared.trackerModel,
    sim_number: vehicle.simNumber,
    tracker_id: vehicle.trackerId,
    protocol: z.enum(TRACKER_PROTOCOLS).nullable(),
    tracker_addresses: trackerAddressesSchema.default([]),
    folder_id: id.nullable(),
    usual_driver_id: id.nullable(),
    created_at: past,
  }),
  document: z.object({
    vehicle_id: id.nullable(),
    driver_id: id.nullable(),
    kind: z.enum(DOCUMENT_KINDS),
    title: lineSchema(120).min(1),
    expires_on: dateSchema.nullable(),
    notes: notesSchema.nullable(),
    file_name: z.string().max(300),
    content: z.base64().nullable(),
    created_at: past,
    created_by: author,
  }),
  image: z.object({
    name: z.string().max(64),
    kind: z.enum(['user', 'logo', 'splash']),
    /** As the database writes bytes. */
    content: z.string().regex(/^\\x([0-9a-f]{2})*$/),
  }),
  tenant: z.object({
    logo: z.string().nullable(),
    splash: z.string().nullable(),
    splash_on: z.boolean(),
    primary_colour: tenantChangeSchema.shape.primaryColour.nullable(),
    secondary_colour: tenantChangeSchema.shape.secondaryColour.nullable(),
    active_colour: tenantChangeSchema.shape.activeColour.nullable(),
  }),
  geofence_group: z.object({ id, name: groupNameSchema, color: z.enum(GEOFENCE_COLORS), ...detention }),
  geofence: z.object({
    id,
    name: personNameSchema,
    group_id: id.nullable(),
    color: z.enum(GEOFENCE_COLORS),
    is_restricted: z.boolean(),
    is_on: z.boolean(),
    shape: geofenceShapeSchema,
    buffer_m: edge.bufferM,
    min_fixes: edge.minFixes,
    min_seconds: edge.minSeconds,
    is_for_all: z.boolean(),
    note: notesSchema.nullable(),
    ...detention,
    speed_limit_kmh: newGeofenceSchema.shape.speedLimitKmh.default(null),
    created_at: past,
    created_by: author,
    changed_at: past,
  }),
  geofence_vehicle: z.object({ geofence_id: id, folder_id: id.nullable(), vehicle_id: id.nullable() }),
  rule: z.object({
    id,
    name: personNameSchema,
    is_on: z.boolean(),
    built_in: z.enum(BUILT_IN_KINDS).nullable().default(null),
    severity: z.enum(SEVERITIES),
    /** A built-in one has none. */
    trigger: z.union([ruleTriggerSchema, z.strictObject({})]),
    when: ruleWhenSchema.nullable(),
    conditions: ruleConditionsSchema.nullable().default(null),
    is_any_geofence: z.boolean(),
    is_inside: z.boolean(),
    is_for_all: z.boolean(),
    repeat_minutes: rule.repeatMinutes.unwrap(),
    action: rule.action.unwrap(),
    needs_note: rule.needsNote.unwrap().default(false),
    message: rule.message.unwrap().default(null),
    mail_to: people,
    push_to: people,
    webhook_ids: z.array(id).max(1000).nullable().default(null),
    owner_id: z.uuid().nullable().default(null),
    escalate_minutes: rule.escalation.unwrap().unwrap().shape.minutes.nullable().default(null),
    escalate_to: people,
    created_at: past,
    created_by: author,
    changed_at: past,
  }),
  rule_geofence: z.object({ rule_id: id, geofence_id: id, place: z.int().min(0).default(0) }),
  rule_vehicle: z.object({ rule_id: id, folder_id: id.nullable(), vehicle_id: id.nullable() }),
  account_setting: z.object({
    name: z.enum(SETTING_NAMES as [string, ...string[]]),
    value: z.unknown(),
    changed_at: past,
    changed_by: author,
  }),
  position: z.object({
    vehicle_id: id,
    fix_at: moment,
    received_at: moment,
    // Trackers say strange things, and what they said is kept: `storable` in ingest has the limits.
    lat: number,
    lon: number,
    speed: number.min(0).max(9999).nullable(),
    course: number.min(0).max(360).nullable(),
    altitude: number.min(-99_999).max(99_999).nullable(),
    odometer: number.min(0).max(1e12).nullable(),
    fuel: number.min(-99_999).max(99_999).nullable(),
    temperature: number.min(-9999).max(9999).nullable(),
    hdop: number.min(0).max(9999).nullable(),
    satellites: z.int().min(0).max(32_767).nullable(),
    gsm: z.int().min(0).max(31).nullable(),
    valid: z.boolean(),
    ignition: z.boolean().nullable(),
    late: z.boolean(),
    doubts: z.int().min(0).max(32_767),
    protocol: z.enum(TRACKER_PROTOCOLS),
    event: word.nullable(),
    rfid: word.nullable(),
    attributes: z.record(word, z.union([z.string().max(2000), number, z.boolean()])).nullable(),
  }),
} as const;

export type ImportedTable = keyof typeof ROWS;
export type Row<T extends ImportedTable> = z.output<(typeof ROWS)[T]>;
