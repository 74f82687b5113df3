import { z } from 'zod';
import { instantSchema } from '../fields.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';

const TAG = 'Audit';

/** Every action in the audit log: what it concerns, then what happened to it. */
export const AUDIT_ACTIONS = [
  'session.opened',
  'session.refused',
  'session.ended',
  'profile.changed',
  'profile.picture-changed',
  'password.changed',
  'password.recovery-asked',
  'password.recovered',
  'email.change-asked',
  'email.change-cancelled',
  'email.confirmed',
  'second-factor.added',
  'second-factor.removed',
  'second-factor.reset',
  'recovery-codes.renewed',
  'recovery-code.used',
  'api-token.created',
  'api-token.deleted',
  'user.created',
  'user.invited',
  'user.joined',
  'user.changed',
  'user.deactivated',
  'user.activated',
  'user.password-set',
  'user.signed-out',
  'user.deleted',
  'role.created',
  'role.changed',
  'role.deleted',
  'security-policy.changed',
  'vehicle.created',
  'vehicle.changed',
  'vehicle.deleted',
  'vehicle.imported',
  'vehicle.key-renewed',
  'vehicle.driver-changed',
  'folder.created',
  'folder.changed',
  'folder.deleted',
  'folder.assigned',
  'department.created',
  'department.changed',
  'department.deleted',
  'department.assigned',
  'driver.created',
  'driver.changed',
  'driver.deleted',
  'driver.imported',
  'driver.log-changed',
  'document.created',
  'document.changed',
  'document.deleted',
  'document.read',
  'view.created',
  'view.changed',
  'view.deleted',
  'view.arranged',
  'geofence.created',
  'geofence.changed',
  'geofence.deleted',
  'geofence.imported',
  'geofence-group.created',
  'geofence-group.changed',
  'geofence-group.deleted',
  'rule.created',
  'rule.changed',
  'rule.deleted',
  'carrier.changed',
  'share.created',
  'share.changed',
  'share.revoked',
  'tenant.changed',
  'tenant.logo-changed',
  'tenant.splash-changed',
  'subscription.changed',
  'settings.changed',
  'map.changed',
  'map.file-added',
  'map.file-deleted',
  'privacy.changed',
  'positions.dropped',
  'alert.acknowledged',
  'push.added',
  'push.removed',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret-renewed',
  'webhook.tested',
  'webhook.sent-again',
  'task.assigned',
  'task.created',
  'task.changed',
  'task.cancelled',
  'task.deleted',
  'task.reported',
  'task.proof-added',
  'command.asked',
  'command.agreed',
  'command.declined',
  'command.sent',
  'command.held-back',
  'command.ended',
  'command.refused',
  'control.confirmed',
  'control.refused',
  'control-password.changed',
  'control-rules.changed',
  'job.run',
  'job.canceled',
  'report.started',
  'report.canceled',
  'report.deleted',
  'report.scheduled',
  'report.unscheduled',
  'data.export-started',
  'data.export-canceled',
  'data.export-deleted',
  'data.exported',
  'data.import-started',
  'data.import-canceled',
  'data.imported',
  'audit.exported',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** How the user was signed in; `system` is the server itself. */
export const AUDIT_VIA = ['session', 'api-token', 'sign-in', 'system'] as const;

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const auditEntrySchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    action: z.enum(AUDIT_ACTIONS),
    /** The user; names are as they were at the time. */
    userId: z.string().nullable(),
    userName: z.string().nullable(),
    via: z.enum(AUDIT_VIA),
    /** From where. */
    address: z.string().nullable(),
    /** To what. */
    targetId: z.string().nullable(),
    targetName: z.string().nullable(),
    /** Changed fields; secrets are named but never shown. */
    changes: z.array(z.object({ field: z.string(), from: value, to: value })),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

const filters = {
  q: z.string().trim().max(100).optional().describe('Part of a name, an address or a changed value'),
  action: z.string().max(60).optional().describe('An action, or the part before its dot'),
  userId: z.uuid().optional(),
  targetId: z.string().max(64).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
};

export const listAudit = defineRoute({
  method: 'GET',
  path: '/api/v1/audit',
  access: 'audit.read',
  summary: 'List audit log entries, newest first',
  tag: TAG,
  query: z.object({
    ...filters,
    before: z
      .string()
      .regex(/^[1-9]\d{0,17}$/)
      .optional()
      .describe('`next` of the previous page'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  response: z.object({ entries: z.array(auditEntrySchema), next: z.string().nullable() }),
});

export const exportAudit = defineRoute({
  method: 'GET',
  path: '/api/v1/audit/export',
  access: 'audit.read',
  summary: 'Export the audit log as CSV, newest first',
  tag: TAG,
  query: z.object(filters),
  response: fileAnswerSchema,
  responseType: 'text/csv',
});
