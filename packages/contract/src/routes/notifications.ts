import { z } from 'zod';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import type { Severity } from '../severity.ts';
import { ALERT_KINDS, type AlertKind } from './alerts.ts';

const TAG = 'Notifications';

const NO_TIME = issue('time-of-day');
const timeOfDaySchema = z.string(NO_TIME).regex(/^([01]\d|2[0-3]):[0-5]\d$/, NO_TIME);

/** Local times in a time zone; both or neither. Emails wait until quiet hours end, and then come as one. */
const quietHours = {
  quietFrom: timeOfDaySchema.nullable(),
  quietTo: timeOfDaySchema.nullable(),
  /** Critical alerts are sent during quiet hours. */
  criticalBreaks: z.boolean(),
};
type QuietTimes = { readonly quietFrom: string | null; readonly quietTo: string | null };

const isPair = ({ quietFrom, quietTo }: QuietTimes): boolean => (quietFrom === null) === (quietTo === null);
const NO_PAIR = { path: ['quietTo'], message: issue('quiet-hours-incomplete') };
const isSpan = ({ quietFrom, quietTo }: QuietTimes): boolean => quietFrom === null || quietFrom !== quietTo;
const NO_SPAN = { path: ['quietTo'], message: issue('quiet-hours-empty') };

const kindsSchema = z.array(z.enum(ALERT_KINDS)).max(ALERT_KINDS.length);

const LIMIT = issue('alerts-between', { min: 1, max: 1000 });
const ESCALATION = issue('minutes-between', { min: 5, max: 1440 });

/** An account's email settings for its alerts. */
export const notificationSettingsSchema = z
  .strictObject({
    mail: z.boolean(),
    /** The kinds emailed to users who have not chosen otherwise. */
    kinds: kindsSchema,
    ...quietHours,
    /**
     * After this time, a critical alert that nobody has acknowledged is emailed again to owners and admins; null:
     * never.
     */
    escalateAfterMinutes: z.int(ESCALATION).min(5, ESCALATION).max(1440, ESCALATION).nullable(),
  })
  .refine(isPair, NO_PAIR)
  .refine(isSpan, NO_SPAN);
export type NotificationSettings = z.output<typeof notificationSettingsSchema>;

/** The highest severity of each kind of alert. */
export const SEVERITY_OF_KIND: Readonly<Record<AlertKind, Severity>> = {
  sos: 'critical',
  crash: 'critical',
  tow: 'critical',
  tamper: 'critical',
  powerCut: 'critical',
  jamming: 'critical',
  batteryLow: 'warning',
  overspeed: 'warning',
  doorOpen: 'warning',
  vibration: 'warning',
  trackerAlarm: 'warning',
  silent: 'warning',
  conflictingReports: 'warning',
  commandFailed: 'warning',
  restricted: 'warning',
  taskLate: 'warning',
  taskNoDriver: 'warning',
  secondPerson: 'critical',
  harshDriving: 'info',
  geofence: 'info',
  rule: 'critical',
};

/** No email is sent until the account turns it on. */
export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  mail: false,
  kinds: ALERT_KINDS.filter(kind => SEVERITY_OF_KIND[kind] === 'critical'),
  quietFrom: null,
  quietTo: null,
  criticalBreaks: true,
  escalateAfterMinutes: 15,
};

export const QUIET_CHOICES = ['organisation', 'own', 'none'] as const;

/** A user's own notification settings. */
export const notificationChoiceSchema = z
  .strictObject({
    /** Null: the organization's setting. */
    kinds: kindsSchema.nullable(),
    /** Critical alerts that nobody has acknowledged; for owners and admins. */
    escalations: z.boolean(),
    quiet: z.enum(QUIET_CHOICES),
    ...quietHours,
    /** How many alerts a day come by email and push at most, critical ones aside; null: all of them. */
    dailyLimit: z.int(LIMIT).min(1, LIMIT).max(1000, LIMIT).nullable().default(null),
  })
  .refine(isPair, NO_PAIR)
  .refine(isSpan, NO_SPAN)
  .refine(({ quiet, quietFrom }) => quiet !== 'own' || quietFrom !== null, { path: ['quietFrom'], message: NO_TIME });
export type NotificationChoice = z.output<typeof notificationChoiceSchema>;

export const DEFAULT_NOTIFICATION_CHOICE: NotificationChoice = {
  kinds: null,
  escalations: true,
  quiet: 'organisation',
  quietFrom: null,
  quietTo: null,
  criticalBreaks: true,
  dailyLimit: null,
};

/** The alerts that reached a user by email or push, each counted once, on a day of their clock. */
export const receivedAlertsSchema = z.object({
  day: z.iso.date(),
  /** Right away. */
  alerts: z.int(),
  /** Those beyond the user's daily limit, which come together the next time it is 07:00 for them. */
  beyond: z.int(),
  /** When that is; null if it is over, or nothing was beyond the limit. */
  digestAt: z.iso.datetime().nullable(),
});
export type ReceivedAlerts = z.infer<typeof receivedAlertsSchema>;

/** Why an email was not sent, without the server's own message, which is only logged. */
export const MAIL_FAILURES = ['no-server', 'unreachable', 'sign-in', 'address-refused', 'refused'] as const;
export type MailFailure = (typeof MAIL_FAILURES)[number];

const settingsAnswer = z.object({
  settings: notificationSettingsSchema,
  changed: z.object({ at: z.iso.datetime(), by: z.string().nullable() }).nullable(),
  /** The account's time zone, for its quiet hours. */
  timeZone: z.string(),
  delivery: z.object({
    /** A mail server is configured. */
    works: z.boolean(),
    /** Alerts waiting to be emailed, counted once for each recipient. */
    waiting: z.int(),
    lastSentAt: z.iso.datetime().nullable(),
    /** The latest failure, if nothing has been sent to the same recipient since. */
    lastFailure: z.object({ at: z.iso.datetime(), reason: z.enum(MAIL_FAILURES) }).nullable(),
    /** Emails given up in the last seven days. */
    givenUp: z.int(),
  }),
  /** Who got how many alerts in the last seven days, or limits them; those with the most first. */
  people: z.array(
    z.object({
      userId: z.string(),
      name: z.string(),
      dailyLimit: z.int().nullable(),
      received: z.array(receivedAlertsSchema),
    }),
  ),
});

export const readNotificationSettings = defineRoute({
  method: 'GET',
  path: '/api/v1/notification_settings',
  access: 'settings.read',
  summary: 'Read the account’s alert email settings and delivery status',
  tag: TAG,
  response: settingsAnswer,
});

export const updateNotificationSettings = defineRoute({
  method: 'PUT',
  path: '/api/v1/notification_settings',
  access: 'settings.write',
  summary: 'Change the account’s alert email settings',
  tag: TAG,
  body: notificationSettingsSchema,
  response: settingsAnswer,
});

export const sendTestMail = defineRoute({
  method: 'POST',
  path: '/api/v1/notification_test',
  access: 'settings.write',
  summary: 'Send yourself a test email and read the result',
  tag: TAG,
  response: z.object({
    /** The user's email address; null if there is none. */
    address: z.string().nullable(),
    outcome: z.enum(['sent', 'no-address', ...MAIL_FAILURES]),
  }),
});

const choiceAnswer = z.object({
  choice: notificationChoiceSchema,
  /** The organization's settings, which apply unless the user chose otherwise. */
  organisation: notificationSettingsSchema,
  /** The time zones of the user's own quiet hours and of the account's. */
  timeZone: z.string(),
  organisationTimeZone: z.string(),
  works: z.boolean(),
  address: z.string().nullable(),
  /** Whether this user can receive alerts, and those that nobody has acknowledged. */
  mayReadAlerts: z.boolean(),
  getsEscalations: z.boolean(),
  /** The day that it is for the user, and what reached them in the last seven days, newest first. */
  today: z.iso.date(),
  received: z.array(receivedAlertsSchema),
});

export const readMyNotifications = defineRoute({
  method: 'GET',
  path: '/api/v1/my_notifications',
  access: 'profile.read',
  summary: 'Read which alerts you get by email',
  tag: TAG,
  response: choiceAnswer,
});

export const updateMyNotifications = defineRoute({
  method: 'PUT',
  path: '/api/v1/my_notifications',
  access: 'profile.write',
  summary: 'Choose which alerts you get by email, and your quiet hours',
  tag: TAG,
  body: notificationChoiceSchema,
  response: choiceAnswer,
});
