import type { Context } from '../context.ts';
import { believedCard } from '../tracks/driver-card.ts';
import { type BuiltInAlerts, openBuiltInAlerts } from './built-in-alerts.ts';
import type { Directory } from './directory.ts';
import { openDriverSpans } from './driver-spans.ts';
import { createDriving, type DrivingNow } from './driving.ts';
import type { LiveStates } from './live.ts';
import { openPrivateTime, type PrivateTime } from './private-time.ts';
import { openRoster, type Roster } from './roster.ts';
import { createVisibility, type Visibility } from './visibility.ts';

/** In memory: who drives what, and who may see it. */
export interface Organisation {
  readonly directory: Directory;
  readonly live: LiveStates;
  readonly roster: Roster;
  readonly driving: DrivingNow;
  readonly visibility: Visibility;
  readonly privateTime: PrivateTime;
  /** What accounts changed about alerts that need no rule. */
  readonly builtIns: BuiltInAlerts;
}

export async function openOrganisation(
  context: Context,
  directory: Directory,
  live: LiveStates,
): Promise<Organisation> {
  const roster = await openRoster(context);
  const spans = await openDriverSpans(context);
  const driving = createDriving({ directory, live, roster, spans, signals: context.signals });
  const visibility = createVisibility({ directory, roster, driving });
  const builtIns = await openBuiltInAlerts(context, { directory, roster });
  const privateTime = await openPrivateTime(context, driving);
  live.askPrivate(id => {
    const vehicle = directory.findById(id);
    if (!vehicle || !privateTime.isUsed(vehicle.accountId)) return false;
    return privateTime.hides(vehicle, Date.now(), believedCard(live.of(id)?.newest));
  });
  return { directory, live, roster, driving, visibility, builtIns, privateTime };
}
