import type { TrackerProtocol } from '@milepost/contract';
import type { BackupAgent } from './backup/agent.ts';
import type { Context } from './context.ts';
import { type Directory, openDirectory } from './fleet/directory.ts';
import { type LiveStates, loadLiveStates } from './fleet/live.ts';
import { type Organisation, openOrganisation } from './fleet/organisation.ts';
import type { Http } from './http/server.ts';
import { createRecentFrames, type RecentFrames } from './ingest/recent-frames.ts';
import { type ReportContext, reportContextOf } from './ingest/report.ts';
import { showJobs } from './jobs/metrics.ts';
import type { FirstOwner } from './modules/accounts/first-owner.ts';
import type { OwnPassword } from './modules/accounts/own-password.ts';
import { registerAccounts } from './modules/accounts/routes.ts';
import type { Sessions } from './modules/accounts/sessions.ts';
import { type Alerts, openAlerts } from './modules/alerts/alerts.ts';
import { registerAlerts } from './modules/alerts/routes.ts';
import { registerAudit } from './modules/audit/routes.ts';
import { openBackup } from './modules/backup/backup.ts';
import { registerCalendars } from './modules/calendars/routes.ts';
import { registerDataTransfer } from './modules/data-transfer/routes.ts';
import { keepDemoLogs } from './modules/demo/logs.ts';
import { addPastAlerts } from './modules/demo/past-alerts.ts';
import { registerDemo } from './modules/demo/routes.ts';
import { registerDocuments } from './modules/documents/routes.ts';
import { registerEventStream } from './modules/event-stream/routes.ts';
import type { EventStreams } from './modules/event-stream/streams.ts';
import { registerFrames } from './modules/frames/routes.ts';
import { registerGeofences } from './modules/geofences/routes.ts';
import { registerVisits } from './modules/geofences/visits/routes.ts';
import { openVisits, type Visits } from './modules/geofences/visits/visits.ts';
import { registerGeoJson } from './modules/geojson/routes.ts';
import { type DailyFigures, openDailyFigures } from './modules/history/days/daily-figures.ts';
import { registerFleetDay } from './modules/history/days/routes.ts';
import { registerHistory } from './modules/history/routes.ts';
import { registerTrips } from './modules/history/trips/routes.ts';
import { registerImages } from './modules/images/routes.ts';
import { registerJobs } from './modules/jobs/routes.ts';
import { createBoard } from './modules/logbook/board/board.ts';
import { registerDesk } from './modules/logbook/desk/routes.ts';
import { createUnidentified } from './modules/logbook/desk/unidentified.ts';
import { createUnidentifiedDrives } from './modules/logbook/desk/unidentified-drives.ts';
import { registerInspectionPhotos } from './modules/logbook/duty/inspection-photos.ts';
import { registerPhones } from './modules/logbook/duty/phones.ts';
import { registerDuty } from './modules/logbook/duty/routes.ts';
import { createRecorder, type Recorder } from './modules/logbook/recorder/recorder.ts';
import { registerLogbook } from './modules/logbook/routes.ts';
import { createLogRoster } from './modules/logbook/settings/roster.ts';
import { registerLogSettings } from './modules/logbook/settings/routes.ts';
import { openTowns } from './modules/logbook/towns.ts';
import { openMaps } from './modules/maps/maps.ts';
import { registerMaps } from './modules/maps/routes.ts';
import { registerNodes } from './modules/nodes/routes.ts';
import { showDeliveries } from './modules/notifications/metrics.ts';
import { type Notifications, openNotifications } from './modules/notifications/notifications.ts';
import { registerNotifications } from './modules/notifications/routes.ts';
import { registerOpenTelematics } from './modules/open-telematics/routes.ts';
import { registerOrganisation } from './modules/organisation/routes.ts';
import { registerFleetPeriod } from './modules/overview/fleet-period.ts';
import { registerOverviewOutcomes } from './modules/overview/outcomes.ts';
import { registerOverview } from './modules/overview/routes.ts';
import type { openPlaces } from './modules/places/places.ts';
import { registerPlaces } from './modules/places/routes.ts';
import { type Looks, openLooks } from './modules/privacy/looks.ts';
import { registerPrivateTime } from './modules/privacy/private-time.ts';
import { registerPrivacy } from './modules/privacy/routes.ts';
import { openPush, type Push } from './modules/push/push.ts';
import { registerPush } from './modules/push/routes.ts';
import { registerReports } from './modules/reports/routes.ts';
import { registerRoads } from './modules/roads/routes.ts';
import { registerRuleProgress, registerRules } from './modules/rules/routes.ts';
import { openRuleProjection } from './modules/rules/rule-projection.ts';
import { registerSharing } from './modules/sharing/routes.ts';
import { registerSignOn } from './modules/sign-on/routes.ts';
import { createFits } from './modules/tasks/ahead/fits.ts';
import { LateTasks } from './modules/tasks/ahead/late-tasks.ts';
import { TasksWithoutDriver } from './modules/tasks/ahead/no-driver.ts';
import { noteArrivals } from './modules/tasks/arrivals.ts';
import { registerTasks } from './modules/tasks/routes.ts';
import { createTasks, type Tasks } from './modules/tasks/tasks.ts';
import { registerAccountSettings } from './modules/tenancy/account-routes.ts';
import { registerTenant } from './modules/tenancy/tenant-routes.ts';
import { registerTimeTravel } from './modules/time-travel/routes.ts';
import { registerUsers } from './modules/users/routes.ts';
import { registerVehicles } from './modules/vehicles/routes.ts';
import { registerViews } from './modules/views/routes.ts';
import { registerWebhooks } from './modules/webhooks/routes.ts';
import { openWebhooks, type Webhooks } from './modules/webhooks/webhooks.ts';
import { showProjections } from './projections/metrics.ts';
import type { Workers } from './workers/workers.ts';

/** What the features have that the server starts, stops and hands on to what comes after them. */
export interface Features {
  readonly directory: Directory;
  readonly live: LiveStates;
  readonly organisation: Organisation;
  readonly figures: DailyFigures;
  readonly visits: Visits;
  readonly recorder: Recorder;
  readonly looks: Looks;
  readonly eventStreams: EventStreams;
  readonly alerts: Alerts;
  readonly notifications: Notifications;
  readonly webhooks: Webhooks;
  readonly push: Push;
  readonly tasks: Tasks;
  readonly backup: BackupAgent;
  readonly reportContext: ReportContext;
  readonly ownPassword: OwnPassword;
  readonly firstOwner: FirstOwner;
  readonly recentFrames: RecentFrames;
  /** Filled when the gateways listen. */
  readonly trackerPorts: Map<TrackerProtocol, number>;
}

interface Parts {
  readonly sessions: Sessions;
  readonly workers: Workers;
  readonly places: Awaited<ReturnType<typeof openPlaces>>;
}

/** Every feature that answers over HTTP and needs no tracker: one list for the server and its tests. */
export async function openFeatures(
  http: Http,
  context: Context,
  { sessions, workers, places }: Parts,
): Promise<Features> {
  const { emails, firstOwner, ownPassword, signIns } = registerAccounts(http, context, sessions);
  registerSignOn(http, context, { firstOwner, sessions, signIns });
  registerDemo(http, context, sessions);
  const directory = await openDirectory(context);
  const live = await loadLiveStates(context.db.system);
  const organisation = await openOrganisation(context, directory, live);
  registerVehicles(http, context, organisation);
  registerOrganisation(http, context, organisation);
  registerDocuments(http, context, organisation);
  registerViews(http, context);
  const reportContext = reportContextOf(places, organisation.roster);
  registerGeofences(http, context, organisation, reportContext);
  registerRules(http, context, organisation, workers);
  registerAccountSettings(http, context, organisation);
  registerTenant(http, context);
  registerDataTransfer(http, context, organisation);
  registerUsers(http, context, { ...organisation, emails, sessions });
  registerImages(http, context, sessions);
  registerAudit(http, context, organisation);
  registerPlaces(http, context, places);
  registerHistory(http, context, { ...organisation, places });
  registerOpenTelematics(http, context, organisation);
  registerGeoJson(http, context, organisation);
  registerCalendars(http, context, organisation);
  const eventStreams = registerEventStream(http, context, { ...organisation, reportContext });
  const visits = await openVisits(context, { ...organisation, ...reportContext });
  const rules = await openRuleProjection(context, organisation, visits.book);
  const figures = openDailyFigures(context, { ...organisation, visits, rules });
  showProjections(context.metrics, figures.manager);
  registerRuleProgress(http, figures.manager);
  showJobs(context.metrics, context.db, context.jobs);
  showDeliveries(context.metrics, context.db);
  const looks = openLooks(http, context, { ...organisation, figures, db: context.db });
  registerPrivacy(http, context, { ...organisation, ledger: looks.ledger });
  registerPrivateTime(http, context, { ...organisation, reportContext });
  registerTrips(http, context, { ...organisation, figures, reportContext });
  registerVisits(http, context, { ...organisation, figures, visits });
  registerFleetDay(http, context, { ...organisation, figures });
  registerFleetPeriod(http, context, { ...organisation, figures });
  registerRoads(http, context, organisation);
  registerMaps(http, context, await openMaps(context, http.mapHosts), organisation);
  registerOverview(http, context, { ...organisation, figures });
  registerOverviewOutcomes(http, context, { ...organisation, figures, places, reportContext, workers });
  registerReports(http, context, { ...organisation, figures, places, reportContext, workers });
  registerLogbook(http, workers);
  const towns = openTowns();
  towns.catch(() => {});
  const recorder = createRecorder(context, organisation, () => towns);
  context.health.register('logbook', () => recorder.trouble(), 'warning');
  if (context.demo !== 'off') {
    const run = () => keepDemoLogs(context, recorder, Date.now());
    context.jobs.repeat({ name: 'demo-logs', everySeconds: 20, run });
    const addAlerts = () => addPastAlerts(context, { ...organisation, workers }, Date.now());
    context.jobs.repeat({ name: 'demo-alerts', everySeconds: 20, run: addAlerts });
  }
  const logRoster = createLogRoster(context, organisation);
  registerLogSettings(http, context, logRoster);
  const board = createBoard(organisation, places, workers);
  registerDuty(http, context, { roster: logRoster, board, organisation, recorder });
  registerInspectionPhotos(http, context, organisation);
  registerPhones(http, context, organisation);
  registerDesk(http, context, {
    roster: logRoster,
    board,
    unidentified: createUnidentified(createUnidentifiedDrives(), logRoster, organisation),
    organisation,
    figures,
  });
  registerJobs(http, context);
  registerNodes(http, context);
  const backup = openBackup(http, context);
  const lateTasks = new LateTasks(context, { organisation, board, workers });
  const withoutDriver = new TasksWithoutDriver(context, { organisation, board, workers });
  const lookAhead = async (): Promise<void> => {
    await lateTasks.look();
    await withoutDriver.look();
  };
  context.jobs.repeat({ name: 'late-tasks', everySeconds: 60, run: lookAhead });
  const tasks = createTasks(context, organisation, id => lateTasks.etaOf(id));
  registerSharing(http, context, {
    ...{
      ...organisation,
      looks,
      places,
      etaOf: id => lateTasks.etaOf(id),
      taskOf: (viewer, id) => tasks.read(viewer, id),
    },
  });
  registerTasks(http, tasks, createFits(context, { organisation, board, workers }));
  context.jobs.repeat({ name: 'task-arrivals', everySeconds: 20, run: () => noteArrivals(context, live) });
  const alerts = await openAlerts(context, { ...organisation, reportContext });
  registerAlerts(http, alerts);
  registerTimeTravel(http, context, { ...organisation, reportContext });
  registerNotifications(http, context);
  const notifications = openNotifications(context, { ...organisation, reportContext, looks });
  const webhooks = openWebhooks(context, { ...organisation, reportContext, looks });
  registerWebhooks(http, context, webhooks);
  const push = await openPush(context, { ...organisation, reportContext, looks });
  registerPush(http, context, push);
  const recentFrames = createRecentFrames();
  const trackerPorts = new Map<TrackerProtocol, number>();
  registerFrames(http, context, { ...organisation, recentFrames, trackerPorts });
  return {
    directory,
    backup,
    live,
    organisation,
    figures,
    visits,
    recorder,
    looks,
    eventStreams,
    alerts,
    notifications,
    webhooks,
    push,
    tasks,
    reportContext,
    ownPassword,
    firstOwner,
    recentFrames,
    trackerPorts,
  };
}
