import { ROUTES, type Route } from '@milepost/contract';
import { accountProbes } from './account-probes.ts';
import { alertProbes } from './alert-probes.ts';
import { commandProbes } from './command-probes.ts';
import { deskProbes } from './desk-probes.ts';
import { geofenceProbes } from './geofence-probes.ts';
import { logbookProbes } from './logbook-probes.ts';
import { openTelematicsProbes } from './open-telematics-probes.ts';
import { organisationProbes } from './organisation-probes.ts';
import type { Probe, Probes } from './probe.ts';
import { pushProbes } from './push-probes.ts';
import { reportProbes } from './report-probes.ts';
import { ruleProbes } from './rule-probes.ts';
import { shareProbes } from './share-probes.ts';
import { signOnProbes } from './sign-on-probes.ts';
import { taskProbes } from './task-probes.ts';
import { tenancyProbes } from './tenancy-probes.ts';
import { userProbes } from './user-probes.ts';
import { vehicleProbes } from './vehicle-probes.ts';
import { viewProbes } from './view-probes.ts';
import { webhookProbes } from './webhook-probes.ts';

/** Works only where there is no account, so no caller can exist. `first-owner.test.ts` has its refusals. */
const BEFORE_ACCOUNTS: ReadonlySet<string> = new Set(['createFirstOwner']);

/** Every route that can be called, by its name. */
export const PROBED_ROUTES: readonly (readonly [string, Route])[] = Object.entries(ROUTES).filter(
  ([name]) => !BEFORE_ACCOUNTS.has(name),
);

const PROBES: Probes = {
  ...accountProbes,
  ...userProbes,
  ...vehicleProbes,
  ...organisationProbes,
  ...openTelematicsProbes,
  ...taskProbes,
  ...tenancyProbes,
  ...viewProbes,
  ...geofenceProbes,
  ...ruleProbes,
  ...reportProbes,
  ...shareProbes,
  ...signOnProbes,
  ...logbookProbes,
  ...deskProbes,
  ...commandProbes,
  ...alertProbes,
  ...webhookProbes,
  ...pushProbes,
};

export function probeOf(name: string): Probe {
  const probe = PROBES[name];
  if (!probe) throw new Error(`The route ${name} has no probe. Say in PROBES how it is called and what others get.`);
  return probe;
}
