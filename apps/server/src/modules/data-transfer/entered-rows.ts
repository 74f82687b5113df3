import { enrollPhone, SIGNATURE_FINDINGS } from '@milepost/contract';
import { z } from 'zod';
import { id, line, moment, uuid } from './columns.ts';

/** What drivers entered, what the desk asked them, and files it gave out, as an import takes it; see `rows.ts`. */

const { shape: phone } = enrollPhone.body;
const hash = phone.after.shape.hash;

export const ENTERED_ROWS = {
  phone: z.object({
    id: uuid,
    driver_id: id,
    name: phone.name,
    public_key: phone.publicKey,
    after_position: phone.after.shape.position,
    after_hash: hash,
    enrolled_at: moment,
    ended_at: moment.nullable(),
  }),
  duty_input: z.object({
    id: uuid,
    driver_id: id,
    at: moment,
    received_at: moment,
    user_id: uuid.nullable(),
    /** Kept byte for byte: it is signed. */
    action: z.looseObject({ kind: line(40) }),
    terms: z.json().nullable(),
    refusal: line(200).nullable(),
    answered_at: moment.nullable().default(null),
    record: uuid.nullable().default(null),
  }),
  duty_signature: z.object({
    input_id: uuid,
    phone_id: uuid,
    driver_id: id,
    position: z.int().min(0),
    previous: hash,
    hash,
    signed_at: z.iso.datetime({ offset: true }),
    signature: line(120),
    finding: z.enum(SIGNATURE_FINDINGS).nullable(),
    received_at: moment,
  }),
  unidentified_assignment: z.object({
    vehicle_id: id,
    record: uuid,
    driver_id: id,
    asked_by: uuid.nullable(),
    asked_at: moment,
  }),
  team_request: z.object({ driver_id: id, co_driver_id: id, vehicle_id: id, asked_at: moment }),
  driver_reminder: z.object({
    driver_id: id,
    about: z.enum(['certification', 'proposals']),
    asked_by: uuid,
    asked_at: moment,
  }),
  log_export: z.object({
    id: uuid,
    driver_id: id,
    driver_name: line(200),
    kind: z.enum(['output-file', 'verifiable-log']),
    file_name: line(300),
    from_date: z.iso.date().nullable(),
    to_date: z.iso.date().nullable(),
    comment: line(2000),
    made_at: moment,
    made_by: uuid.nullable(),
    made_by_name: line(200),
    at_roadside: z.boolean(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    content: z.string().nullable(),
    mailed_to: line(320).nullable().default(null),
    taken_at: moment.nullable().default(null),
  }),
} as const;
