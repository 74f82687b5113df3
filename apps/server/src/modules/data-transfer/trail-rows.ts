import {
  auditEntrySchema,
  COMMAND_STATES,
  COMMAND_WAITS,
  commandSchema,
  LOOK_VIA,
  TRACKER_PROTOCOLS,
} from '@milepost/contract';
import { z } from 'zod';
import { id, line, moment, uuid } from './columns.ts';

/** Commands, the audit log, the privacy ledger and openings of private time, as an import takes them; see `rows.ts`. */

const { shape: command } = commandSchema;
const { shape: entry } = auditEntrySchema;

export const TRAIL_ROWS = {
  command: z.object({
    id: uuid,
    vehicle_id: id,
    imei: line(32),
    action: command.action,
    category: command.category,
    params: z.record(line(64), z.json()),
    mode: command.mode,
    reason: line(1000).nullable(),
    state: z.enum(COMMAND_STATES),
    waiting_for: z.enum(COMMAND_WAITS).nullable(),
    effect: command.effect,
    created_at: moment,
    expires_at: moment,
    created_by: uuid.nullable(),
    created_by_name: line(200),
    needs_second: z.boolean(),
    second_by: uuid.nullable(),
    second_by_name: line(200).nullable(),
    sent: z.int().min(0),
    published_at: moment.nullable(),
    protocol: z.enum(TRACKER_PROTOCOLS).nullable(),
    reference: z.int().nullable(),
    text: line(10_000).nullable(),
    answer: line(10_000).nullable(),
    steps: command.steps.max(1000),
  }),
  audit_entry: z.object({
    at: moment,
    action: line(64),
    user_id: uuid.nullable(),
    user_name: line(200).nullable(),
    via: entry.via,
    address: line(100).nullable(),
    target_id: line(200).nullable(),
    target_name: line(1000).nullable(),
    changes: entry.changes.max(2000),
  }),
  look: z.object({
    id: uuid,
    driver_id: id,
    kind: line(32),
    via: z.enum(LOOK_VIA),
    user_id: uuid.nullable(),
    user_name: line(200).nullable(),
    link_id: id.nullable(),
    link_name: line(200).nullable(),
    began_at: moment,
    until_at: moment,
    period_from: moment.nullable(),
    period_to: moment.nullable(),
  }),
  private_opening: z.object({
    id: uuid,
    opened_at: moment,
    user_id: uuid,
    user_name: line(200),
    vehicle_id: id,
    vehicle_name: line(200),
    driver_id: id.nullable(),
    from_at: moment,
    to_at: moment,
    reason: line(2000),
  }),
} as const;
