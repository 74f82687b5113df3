import { z } from 'zod';
import type { Severity } from '../choices.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { ALERT_KINDS, type AlertKind } from './alerts.ts';

const TAG = 'Notifications';

const NO_TIME = issue('time-of-day');
const timeOfDaySchema = z.string(NO_TIME).regex(/^([01]\d|2[0-3]):[0-5]\d$/, NO_TIME);

/** On the wall of a time zone; both or neither. In them mail waits, and comes as one afterwards. */
const quietHours = {
  quietFrom: timeOfDaySchema.nullable(),
  quietTo: timeOfDaySchema.nullable(),
  /** Critical alerts do not wait for the end of quiet hours. */
  criticalBreaks: z.boolean(),
};
type QuietTimes = { readonly quietFrom: string | null; readonly quietTo: string | null };

const isPair = ({ quietFrom, quietTo }: QuietTimes): boolean => (quietFrom === null) === (quietTo === null);
const NO_PAIR = { path: ['quietTo'], message: issue('quiet-hours-incomplete') };
const isSpan = ({ quietFrom, quietTo }: QuietTimes): boolean => quietFrom === null || quietFrom !== quietTo;
const NO_SPAN = { path: ['quietTo'], message: issue('quiet-hours-empty') };

const kindsSchema = z.array(z.enum(ALERT_KINDS)).max(ALERT_KINDS.length);

const ESCALATION = issue('minutes-between', { min: 5, max: 1440 });

/** What an account has decided about mail for its alerts. */
export const notificationSettingsSchema = z
  .strictObject({
    mail: z.boolean(),
    /** The kinds emailed to users who have not chosen otherwise. */
    kinds: kindsSchema,
    ...quietHours,
    /** A critical alert that nobody has acknowledged by then goes to owners and admins again; null: it does not. */
    escalateAfterMinutes: z.int(ESCALATION).min(5, ESCALATION).max(1440, ESCALATION).nullable(),
  })
  .refine(isPair, NO_PAIR)
  .refine(isSpan, NO_SPAN);
export type NotificationSettings = z.output<typeof notificationSettingsSchema>;

/** The most urgent that alerts of a kind come with. */
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
  secondPerson: 'critical',
  harshDriving: 'info',
  geofence: 'info',
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

/** What a user has decided for themselves. */
export const notificationChoiceSchema = z
  .strictObject({
    /** Null: as the organisation. */
    kinds: kindsSchema.nullable(),
    /** Critical alerts that nobody has acknowledged, for owners and admins. */
    escalations: z.boolean(),
    quiet: z.enum(QUIET_CHOICES),
    ...quietHours,
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
};

/** Why a mail did not leave, as far as it is anybody's business; the log has the server's own words. */
export const MAIL_FAILURES = ['no-server', 'unreachable', 'sign-in', 'address-refused', 'refused'] as const;
export type MailFailure = (typeof MAIL_FAILURES)[number];

const settingsAnswer = z.object({
  settings: notificationSettingsSchema,
  changed: z.object({ at: z.iso.datetime(), by: z.string().nullable() }).nullable(),
  /** Of the account: where its quiet hours are. */
  timeZone: z.string(),
  delivery: z.object({
    /** The server knows where to hand in mail. */
    works: z.boolean(),
    /** Alerts that wait for their mail, once for each recipient. */
    waiting: z.int(),
    lastSentAt: z.iso.datetime().nullable(),
    /** The newest failure, where nothing has been sent to the same recipient since. */
    lastFailure: z.object({ at: z.iso.datetime(), reason: z.enum(MAIL_FAILURES) }).nullable(),
    /** Of the last seven days. */
    givenUp: z.int(),
  }),
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
    /** Yours; null where you have none. */
    address: z.string().nullable(),
    outcome: z.enum(['sent', 'no-address', ...MAIL_FAILURES]),
  }),
});

const choiceAnswer = z.object({
  choice: notificationChoiceSchema,
  /** The organization's settings, which apply unless the user chose otherwise. */
  organisation: notificationSettingsSchema,
  /** Where quiet hours of one's own are, and those of the account. */
  timeZone: z.string(),
  organisationTimeZone: z.string(),
  works: z.boolean(),
  address: z.string().nullable(),
  /** Whether alerts, and those that nobody has acknowledged, are for this user at all. */
  mayReadAlerts: z.boolean(),
  getsEscalations: z.boolean(),
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
