import { accountProbes } from './account-probes.ts';
import { logbookProbes } from './logbook-probes.ts';
import { organisationProbes } from './organisation-probes.ts';
import type { Probe, Probes } from './probe.ts';
import { tenancyProbes } from './tenancy-probes.ts';
import { userProbes } from './user-probes.ts';
import { vehicleProbes } from './vehicle-probes.ts';

const PROBES: Probes = {
  ...accountProbes,
  ...userProbes,
  ...vehicleProbes,
  ...organisationProbes,
  ...tenancyProbes,
  ...logbookProbes,
};

export function probeOf(name: string): Probe {
  const probe = PROBES[name];
  if (!probe) throw new Error(`The route ${name} has no probe. Say in PROBES how it is called and what others get.`);
  return probe;
}
