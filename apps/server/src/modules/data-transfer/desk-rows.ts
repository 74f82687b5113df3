import {
  notificationChoiceSchema,
  notificationSettingsSchema,
  performanceWeightsSchema,
  privateTimesSchema,
  timeZoneSchema,
} from '@milepost/contract';
import { DVIR_STATES, dvirSchema } from '@milepost/eld';
import { z } from 'zod';
import { author, id, line, moment, past, uuid } from './columns.ts';

/** What people chose, inspected and noted, as an import takes it; see `rows.ts`. */

/** Null: the picture was lost before the export. */
const picture = z.base64().nullable();

const { shape: setting } = notificationSettingsSchema;
const { shape: choice } = notificationChoiceSchema;
const { reportedBy: signature } = dvirSchema.shape;

export const DESK_ROWS = {
  notification_setting: z.object({
    mail: setting.mail,
    kinds: setting.kinds,
    quiet_from: setting.quietFrom,
    quiet_to: setting.quietTo,
    critical_breaks: setting.criticalBreaks,
    escalate_after_minutes: setting.escalateAfterMinutes,
    changed_at: past,
    changed_by: author,
  }),
  notification_choice: z.object({
    user_id: uuid,
    kinds: choice.kinds,
    escalations: choice.escalations,
    quiet: choice.quiet,
    quiet_from: choice.quietFrom,
    quiet_to: choice.quietTo,
    critical_breaks: choice.criticalBreaks,
    daily_limit: choice.dailyLimit,
  }),
  control_rule: z.object({ second_person: z.boolean(), changed_at: moment, changed_by: uuid.nullable() }),
  private_hours: z.object({
    driver_id: id.nullable(),
    vehicle_id: id.nullable(),
    zone: timeZoneSchema,
    times: privateTimesSchema,
    valid_from: moment,
    valid_to: moment.nullable(),
  }),
  private_drive: z.object({
    vehicle_id: id,
    driver_id: id,
    cause: z.enum(['switch', 'personal-use']),
    began_at: moment,
    ended_at: moment.nullable(),
  }),
  driver_span: z.object({
    vehicle_id: id,
    driver_id: id,
    kind: z.enum(['signed-in', 'usual']),
    from_at: moment.nullable(),
    to_at: moment.nullable(),
  }),
  task_proof: z.object({
    task_id: id,
    proof_id: uuid,
    kind: z.enum(['photo', 'signature']),
    written_at: moment,
    content: picture.default(null),
  }),
  inspection_report: z.object({
    id: uuid,
    vehicle_id: id,
    driver_id: id,
    inspected: z.enum(['pre-trip', 'post-trip']),
    report: dvirSchema,
    photos: z.array(z.array(uuid).max(100)).max(100),
    state: z.enum(DVIR_STATES),
    certified: signature.nullable(),
    reviewed: signature.nullable(),
    reported_at: moment,
  }),
  inspection_photo: z.object({
    id: uuid,
    vehicle_id: id,
    driver_id: id,
    written_at: moment,
    content: picture.default(null),
  }),
  performance_weight: z.object({ weights: performanceWeightsSchema.partial() }),
  performance_dispute: z.object({
    driver_id: id,
    evidence: line(200),
    reply: line(2000),
    disputed_at: moment,
    state: z.enum(['open', 'accepted', 'rejected']),
    answer: line(2000),
    answered_by: uuid.nullable(),
    answered_at: moment.nullable(),
  }),
  coaching_note: z.object({
    driver_id: id,
    note: line(2000),
    due_on: z.iso.date(),
    created_by: uuid.nullable(),
    created_at: moment,
    done_at: moment.nullable(),
  }),
} as const;
