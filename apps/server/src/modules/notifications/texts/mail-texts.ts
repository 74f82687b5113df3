import type { Alert, ConflictCause, Severity } from '@milepost/contract';

export interface ConflictTold {
  readonly protocol: string;
  readonly address: string;
  readonly own: string;
  readonly speeds: string;
  readonly distance: string;
}

/** What the app's own pages call alerts. */
export interface AlertWords {
  readonly severity: Readonly<Record<Severity, string>>;
  readonly kind: Readonly<Record<Alert['kind'], string>>;
  /** Events that say more than the kind they belong to. */
  readonly event: Readonly<Record<string, string>>;
}

/** What only a mail about alerts says. */
export interface MailTexts {
  /** What contradicted what; `what` has the speeds and how far apart. */
  readonly conflict: Readonly<Record<ConflictCause, (told: ConflictTold) => string>>;
  /** The way from a town: `3 mi`, `SSW`, `Whitestown, IN`. */
  readonly taskDue: (time: string) => string;
  readonly near: (distance: string, point: string, town: string) => string;
  /** Of a rule about the distance to another vehicle. */
  readonly otherVehicle: (name: string) => string;
  readonly insteadOf: (geofence: string, expected: string) => string;
  /** Which way it crossed the edge of a geofence. */
  readonly crossing: Readonly<Record<'in' | 'out', (geofence: string) => string>>;
  readonly hello: (name: string) => string;
  readonly came: (count: number, account: string) => string;
  readonly held: string;
  /** So many of them were more than the reader wants in a day. */
  readonly beyond: (count: number) => string;
  /** The push notification for these. */
  readonly digest: {
    readonly title: (count: number) => string;
    readonly body: (limit: number | null) => string;
  };
  /** The push notification to a driver whose desk waits for something in the driver's log. */
  readonly reminder: Readonly<
    Record<
      'certification' | 'proposals' | 'unidentified',
      { readonly title: (count: number) => string; readonly body: (by: string, count: number) => string }
    >
  >;
  readonly unanswered: string;
  readonly acknowledged: (name: string, time: string) => string;
  readonly ended: (time: string) => string;
  /** It asks for a decision, which can be made until then. */
  readonly undecided: (time: string) => string;
  readonly late: string;
  readonly times: (count: number) => string;
  readonly more: (count: number) => string;
  readonly all: string;
  readonly choose: string;
  readonly subjectUnanswered: (subject: string) => string;
  readonly subjectMany: (count: number, critical: number) => string;
  readonly test: { readonly subject: string; readonly text: string };
}

export type Texts = AlertWords & MailTexts;
