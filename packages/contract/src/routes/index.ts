import type { Route } from '../route.ts';
import * as accounts from './accounts.ts';
import * as alertDeliveries from './alert-deliveries.ts';
import * as alerts from './alerts.ts';
import * as apiTokens from './api-tokens.ts';
import * as audit from './audit.ts';
import * as backup from './backup.ts';
import * as builtInRules from './built-in-rules.ts';
import * as commands from './commands.ts';
import * as controlPassword from './control-password.ts';
import * as data from './data.ts';
import * as demo from './demo.ts';
import * as documents from './documents.ts';
import * as drivers from './drivers.ts';
import * as duty from './duty.ts';
import * as eldDesk from './eld-desk.ts';
import * as eldPerformance from './eld-performance.ts';
import * as eldQueues from './eld-queues.ts';
import * as eldRoster from './eld-roster.ts';
import * as email from './email.ts';
import * as figures from './figures.ts';
import * as fleetAt from './fleet-at.ts';
import * as frames from './frames.ts';
import * as geofences from './geofences.ts';
import * as history from './history.ts';
import * as images from './images.ts';
import * as inspections from './inspections.ts';
import * as integrations from './integrations.ts';
import * as invitations from './invitations.ts';
import * as jobs from './jobs.ts';
import * as logExports from './log-exports.ts';
import * as logbook from './logbook.ts';
import * as maps from './maps.ts';
import * as movingIn from './moving-in.ts';
import * as nodes from './nodes.ts';
import * as notifications from './notifications.ts';
import * as openTelematics from './open-telematics.ts';
import * as organisation from './organisation.ts';
import * as overview from './overview.ts';
import * as phones from './phones.ts';
import * as places from './places.ts';
import * as privacy from './privacy.ts';
import * as profile from './profile.ts';
import * as push from './push.ts';
import * as recovery from './recovery.ts';
import * as reportSchedules from './report-schedules.ts';
import * as reports from './reports.ts';
import * as roads from './roads.ts';
import * as roles from './roles.ts';
import * as ruleMutes from './rule-mutes.ts';
import * as rules from './rules.ts';
import * as secondFactor from './second-factor.ts';
import * as securityPolicy from './security-policy.ts';
import * as settings from './settings.ts';
import * as shares from './shares.ts';
import * as signOn from './sign-on.ts';
import * as subscriptions from './subscriptions.ts';
import * as taskFits from './task-fits.ts';
import * as tasks from './tasks.ts';
import * as tenancy from './tenancy.ts';
import * as trips from './trips.ts';
import * as unknownTrackers from './unknown-trackers.ts';
import * as users from './users.ts';
import * as vehicleDay from './vehicle-day.ts';
import * as vehicleFiles from './vehicle-files.ts';
import * as vehicleMutes from './vehicle-mutes.ts';
import * as vehicles from './vehicles.ts';
import * as views from './views.ts';
import * as visits from './visits.ts';
import * as webhooks from './webhooks.ts';

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;

/** Every HTTP call of the product by its name, which is the operation id in OpenAPI. */
export const ROUTES: Readonly<Record<string, Route>> = Object.fromEntries(
  [
    accounts,
    demo,
    profile,
    email,
    recovery,
    secondFactor,
    apiTokens,
    alertDeliveries,
    alerts,
    vehicleMutes,
    nodes,
    notifications,
    webhooks,
    push,
    commands,
    controlPassword,
    users,
    invitations,
    roles,
    securityPolicy,
    images,
    audit,
    backup,
    vehicles,
    vehicleFiles,
    unknownTrackers,
    vehicleDay,
    trips,
    history,
    openTelematics,
    integrations,
    fleetAt,
    frames,
    figures,
    roads,
    places,
    geofences,
    ruleMutes,
    rules,
    builtInRules,
    overview,
    reports,
    reportSchedules,
    logbook,
    eldDesk,
    eldPerformance,
    eldQueues,
    duty,
    inspections,
    logExports,
    phones,
    eldRoster,
    shares,
    organisation,
    drivers,
    privacy,
    documents,
    views,
    visits,
    taskFits,
    tasks,
    tenancy,
    signOn,
    subscriptions,
    settings,
    maps,
    data,
    movingIn,
    jobs,
  ]
    .flatMap((module): [string, unknown][] => Object.entries(module))
    .filter((entry): entry is [string, Route] => isRoute(entry[1])),
);

/** The same as a list; the server refuses to start if one has no handler. */
export const ALL_ROUTES: readonly Route[] = Object.values(ROUTES);
