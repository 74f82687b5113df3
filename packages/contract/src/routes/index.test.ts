import { describe, expect, it } from 'vitest';
import { PERMISSIONS } from '../roles.ts';
import { ALL_ROUTES, ROUTES } from './index.ts';

/** The specification and other programs use these methods and paths; changing one breaks them. */
it('[R7.01] [R7.02] [R7.03] [R7.04] [R7.05] [R7.06] [R7.07] [R7.08] [R7.09] [R7.10] [R7.11] [R7.12] [R7.13] [R7.14] [R7.15] [R7.16] [R7.17] [R7.18] [R7.19] [R7.20] [R7.21] [R7.22] [R7.23] [R7.24] [R7.25] [R7.26] [R7.27] [R7.28] [R7.29] [R7.30] [R7.31] answers under the specified names', () => {
  expect(
    Object.fromEntries(Object.entries(ROUTES).map(([name, { method, path }]) => [name, `${method} ${path}`])),
  ).toEqual({
    signIn: 'POST /api/v1/signin',
    signOut: 'POST /api/v1/signout',
    readMe: 'GET /api/v1/read_me',
    checkInternetStatus: 'GET /api/v1/check_internet_status',
    readClientSettings: 'GET /api/v1/client_settings',
    updateMe: 'PATCH /api/v1/update_me',
    isOldPassword: 'POST /api/v1/is_old',
    changePassword: 'PATCH /api/v1/new_pass',
    listSessions: 'GET /api/v1/session',
    endSession: 'DELETE /api/v1/session/{id}',
    endOtherSessions: 'DELETE /api/v1/session',
    readEmail: 'GET /api/v1/email_change',
    sendEmailLink: 'POST /api/v1/email_change',
    cancelEmailChange: 'DELETE /api/v1/email_change',
    confirmEmail: 'POST /api/v1/confirm_email',
    forgotPassword: 'POST /api/v1/user-forgot-password',
    verifyCode: 'POST /api/v1/verify-code/{id}/{token}',
    resetPassword: 'PATCH /api/v1/user-reset-password/{id}',
    readSecondFactor: 'GET /api/v1/second_factor',
    startTotp: 'POST /api/v1/second_factor/totp',
    confirmTotp: 'POST /api/v1/second_factor/totp/confirm',
    removeTotp: 'POST /api/v1/second_factor/totp/remove',
    renewRecoveryCodes: 'POST /api/v1/second_factor/recovery_codes',
    startPasskey: 'POST /api/v1/second_factor/passkey/options',
    finishPasskey: 'POST /api/v1/second_factor/passkey',
    renamePasskey: 'PATCH /api/v1/second_factor/passkey/{id}',
    removePasskey: 'POST /api/v1/second_factor/passkey/{id}/remove',
    startPasskeySignIn: 'POST /api/v1/signin/passkey/options',
    signInWithPasskey: 'POST /api/v1/signin/passkey',
    listApiTokens: 'GET /api/v1/api_token',
    createApiToken: 'POST /api/v1/api_token',
    deleteApiToken: 'DELETE /api/v1/api_token/{id}',
    registerUser: 'POST /api/v1/register_user',
    readMyUsers: 'GET /api/v1/read_my_users',
    updateMyUser: 'PATCH /api/v1/update_my_user/{id}',
    readUserDependents: 'GET /api/v1/read_my_user_dependents/{id}',
    deleteMyUser: 'DELETE /api/v1/delete_my_user/{id}',
    signOutMyUser: 'POST /api/v1/sign_out_my_user/{id}',
    inviteMyUser: 'POST /api/v1/invite_my_user/{id}',
    resetSecondFactorOfMyUser: 'POST /api/v1/reset_second_factor_of_my_user/{id}',
    readInvitation: 'POST /api/v1/read_invitation',
    acceptInvitation: 'POST /api/v1/accept_invitation',
    annotateRecord: 'POST /api/v1/eld/annotate',
    answerDispute: 'POST /api/v1/eld/performance/{driverId}',
    assignUnidentified: 'POST /api/v1/eld/unidentified/{vehicleId}/{record}',
    certifyDays: 'POST /api/v1/eld/certify',
    certifyRepair: 'POST /api/v1/eld/inspection/{id}',
    createCoaching: 'POST /api/v1/eld/performance/{driverId}/coaching',
    disputeEvidence: 'POST /api/v1/eld/my_performance',
    listInspections: 'GET /api/v1/eld/inspection',
    listLogDays: 'GET /api/v1/eld/log',
    listLogExports: 'GET /api/v1/eld/export',
    listMalfunctions: 'GET /api/v1/eld/malfunction',
    listProposals: 'GET /api/v1/eld/proposal',
    listRoles: 'GET /api/v1/role',
    createRole: 'POST /api/v1/role',
    listRoster: 'GET /api/v1/eld/driver',
    listUnidentified: 'GET /api/v1/eld/unidentified',
    proposeEdit: 'POST /api/v1/eld/edit',
    remindDriver: 'POST /api/v1/eld/driver/{driverId}/reminder',
    readAvailability: 'GET /api/v1/eld/driver/{driverId}/availability',
    recordDuty: 'POST /api/v1/eld/duty',
    readBoard: 'GET /api/v1/eld/board',
    readCarrier: 'GET /api/v1/eld/carrier',
    readDriverPerformance: 'GET /api/v1/eld/performance/{driverId}',
    readLogDay: 'GET /api/v1/eld/log/{driverId}/{date}',
    readLogExport: 'GET /api/v1/eld/export/{id}',
    readMyDuty: 'GET /api/v1/eld/my_duty',
    readMyPerformance: 'GET /api/v1/eld/my_performance',
    readOutputFile: 'GET /api/v1/eld/output-file',
    readPerformance: 'GET /api/v1/eld/performance',
    readVerifiableLog: 'GET /api/v1/eld/verifiable-log',
    updateCarrier: 'PATCH /api/v1/eld/carrier',
    updateCoaching: 'PATCH /api/v1/eld/performance/{driverId}/coaching/{id}',
    updateLogSettings: 'PATCH /api/v1/eld/driver/{driverId}',
    updatePerformanceWeights: 'PATCH /api/v1/eld/performance',
    updateRole: 'PATCH /api/v1/role/{id}',
    deleteRole: 'DELETE /api/v1/role/{id}',
    readSecurityPolicy: 'GET /api/v1/security_policy',
    updateSecurityPolicy: 'PATCH /api/v1/security_policy',
    readImage: 'GET /api/v1/uploaded-img/{file}',
    updateMyImage: 'PATCH /api/v1/user_image',
    deleteMyImage: 'DELETE /api/v1/user_image',
    listAudit: 'GET /api/v1/audit',
    exportAudit: 'GET /api/v1/audit/export',
    listVehicles: 'GET /api/v1/device',
    createVehicle: 'POST /api/v1/device',
    readVehicle: 'GET /api/v1/device/{id}',
    updateVehicle: 'PATCH /api/v1/device/{id}',
    updateVehicles: 'PATCH /api/v1/device',
    exportVehicles: 'GET /api/v1/device/export',
    deleteVehicle: 'DELETE /api/v1/device/{id}',
    renewDeviceKey: 'POST /api/v1/device/{id}/key',
    importVehicles: 'POST /api/v1/device/import',
    listUnknownTrackers: 'GET /api/v1/unknown_tracker',
    listRefusedFrames: 'GET /api/v1/device/{id}/refused_frame',
    listRefusedReports: 'GET /api/v1/refused_report',
    listUnknownFrames: 'GET /api/v1/unknown_frame',
    readUnknownFrame: 'GET /api/v1/unknown_frame/{id}',
    readVehicleDay: 'GET /api/v1/device/{id}/day',
    readTrack: 'GET /api/v1/device/{id}/track',
    downloadTracks: 'GET /api/v1/track_file',
    findVehiclesInside: 'POST /api/v1/device/inside',
    listLegs: 'GET /api/v1/device/{id}/leg',
    listTrips: 'GET /api/v1/trip',
    listStops: 'GET /api/v1/stop',
    readFleetDay: 'GET /api/v1/fleet/day',
    readFleetAt: 'GET /api/v1/fleet/at',
    readFleetPeriod: 'GET /api/v1/fleet/period',
    readFleetRoads: 'GET /api/v1/fleet/roads/{z}/{x}/{y}',
    findTowns: 'GET /api/v1/town',
    readOverview: 'GET /api/v1/overview',
    listReports: 'GET /api/v1/report',
    runReport: 'GET /api/v1/report/{key}',
    listReportRuns: 'GET /api/v1/report_run',
    startReportRun: 'POST /api/v1/report_run',
    startEvidencePack: 'POST /api/v1/evidence',
    cancelReportRun: 'POST /api/v1/report_run/{id}/cancel',
    deleteReportRun: 'DELETE /api/v1/report_run/{id}',
    readReportFile: 'GET /api/v1/report_run/{id}/file',
    listReportSchedules: 'GET /api/v1/report-schedule',
    createReportSchedule: 'POST /api/v1/report-schedule',
    deleteReportSchedule: 'DELETE /api/v1/report-schedule/{id}',
    latestPositions: 'GET /api/v1/position/latest',
    listPositions: 'GET /api/v1/position',
    listMessages: 'GET /api/v1/device/{id}/message',
    listFrames: 'GET /api/v1/device/{id}/frame',
    listTrackerPorts: 'GET /api/v1/tracker_port',
    listFolders: 'GET /api/v1/folder',
    createFolder: 'POST /api/v1/folder',
    updateFolder: 'PATCH /api/v1/folder/{id}',
    deleteFolder: 'DELETE /api/v1/folder/{id}',
    assignFolder: 'PATCH /api/v1/folder/assign/{id}',
    listDepartments: 'GET /api/v1/department',
    createDepartment: 'POST /api/v1/department',
    updateDepartment: 'PATCH /api/v1/department/{id}',
    deleteDepartment: 'DELETE /api/v1/department/{id}',
    assignDepartment: 'PATCH /api/v1/department/assign/{id}',
    listDrivers: 'GET /api/v1/driver',
    createDriver: 'POST /api/v1/driver',
    readDriver: 'GET /api/v1/driver/{id}',
    updateDriver: 'PATCH /api/v1/driver/{id}',
    deleteDriver: 'DELETE /api/v1/driver/{id}',
    assignVehicle: 'PATCH /api/v1/driver/{id}/vehicle',
    readMyDriver: 'GET /api/v1/my_driver',
    readTenant: 'GET /api/v1/tenant',
    readTenantOfHost: 'GET /api/v1/tenant_of_host',
    updateTenant: 'PATCH /api/v1/tenant/{id}',
    updateTenantLogo: 'PATCH /api/v1/tenant_logo/{id}',
    deleteTenantLogo: 'DELETE /api/v1/tenant_logo/{id}',
    updateTenantSplash: 'PATCH /api/v1/tenant_splash/{id}',
    deleteTenantSplash: 'DELETE /api/v1/tenant_splash/{id}',
    listSubscriptions: 'GET /api/v1/subscription',
    updateSubscription: 'PATCH /api/v1/subscription-update/{id}',
    readSettings: 'GET /api/v1/settings',
    readSettingChanges: 'GET /api/v1/settings/changes',
    updateSettings: 'PATCH /api/v1/settings',
    listVehicleDocuments: 'GET /api/v1/device/{id}/document',
    createVehicleDocument: 'POST /api/v1/device/{id}/document',
    updateVehicleDocument: 'PATCH /api/v1/device/{id}/document/{documentId}',
    deleteVehicleDocument: 'DELETE /api/v1/device/{id}/document/{documentId}',
    readVehicleDocumentFile: 'GET /api/v1/device/{id}/document/{documentId}/file',
    listDriverDocuments: 'GET /api/v1/driver/{id}/document',
    createDriverDocument: 'POST /api/v1/driver/{id}/document',
    updateDriverDocument: 'PATCH /api/v1/driver/{id}/document/{documentId}',
    deleteDriverDocument: 'DELETE /api/v1/driver/{id}/document/{documentId}',
    evaluateDutyLog: 'POST /api/v1/eld/evaluate',
    readBaseMap: 'GET /api/v1/base_map',
    readPublicBaseMap: 'GET /api/v1/public_base_map',
    readMapChoice: 'GET /api/v1/map_choice',
    updateMapChoice: 'PUT /api/v1/map_choice',
    uploadMapFile: 'POST /api/v1/map_file/{name}',
    deleteMapFile: 'DELETE /api/v1/map_file/{name}',
    listExports: 'GET /api/v1/data/export',
    startExport: 'POST /api/v1/data/export',
    cancelExport: 'POST /api/v1/data/export/{id}/cancel',
    deleteExport: 'DELETE /api/v1/data/export/{id}',
    readExportFile: 'GET /api/v1/data/export/{id}/file',
    listImports: 'GET /api/v1/data/import',
    startImport: 'POST /api/v1/data/import',
    cancelImport: 'POST /api/v1/data/import/{id}/cancel',
    readDriverDocumentFile: 'GET /api/v1/driver/{id}/document/{documentId}/file',
    listViews: 'GET /api/v1/view',
    createView: 'POST /api/v1/view',
    updateView: 'PATCH /api/v1/view/{id}',
    deleteView: 'DELETE /api/v1/view/{id}',
    arrangeViews: 'PATCH /api/v1/view_order',
    listGeofences: 'GET /api/v1/geofence',
    createGeofence: 'POST /api/v1/geofence',
    importGeofences: 'POST /api/v1/geofence_import',
    updateGeofence: 'PATCH /api/v1/geofence/{id}',
    deleteGeofence: 'DELETE /api/v1/geofence/{id}',
    listGeofenceGroups: 'GET /api/v1/geofence_group',
    createGeofenceGroup: 'POST /api/v1/geofence_group',
    updateGeofenceGroup: 'PATCH /api/v1/geofence_group/{id}',
    deleteGeofenceGroup: 'DELETE /api/v1/geofence_group/{id}',
    suggestGeofences: 'GET /api/v1/geofence_suggestion',
    listRules: 'GET /api/v1/alert-rule',
    createRule: 'POST /api/v1/alert-rule',
    updateRule: 'PATCH /api/v1/alert-rule/{id}',
    deleteRule: 'DELETE /api/v1/alert-rule/{id}',
    backtestRule: 'POST /api/v1/geofence/backtest',
    listTaskFits: 'POST /api/v1/task/fit',
    listTasks: 'GET /api/v1/task',
    createTask: 'POST /api/v1/task',
    updateTask: 'PATCH /api/v1/task/{id}',
    cancelTask: 'POST /api/v1/task/{id}/cancel',
    deleteTask: 'DELETE /api/v1/task/{id}',
    readTaskFile: 'GET /api/v1/task/{id}/proof/{part}',
    listMyTasks: 'GET /api/v1/my_task',
    reportTask: 'POST /api/v1/my_task/{id}',
    addTaskProof: 'POST /api/v1/my_task/{id}/proof',
    addInspectionPhoto: 'POST /api/v1/eld/inspection_photo',
    readInspectionPhoto: 'GET /api/v1/eld/inspection_photo/{id}',
    listVisits: 'GET /api/v1/visit',
    listInside: 'GET /api/v1/visit/inside',
    listCommands: 'GET /api/v1/command',
    offerCommands: 'GET /api/v1/command/offer',
    readCommand: 'GET /api/v1/command/{id}',
    createCommand: 'POST /api/v1/command',
    previewCommand: 'POST /api/v1/command/preview',
    cancelCommand: 'POST /api/v1/command/{id}/cancel',
    listCommandRuns: 'GET /api/v1/command_run',
    listJobs: 'GET /api/v1/job',
    runJob: 'POST /api/v1/job/{id}/run',
    cancelJob: 'POST /api/v1/job/{id}/cancel',
    listRepeatedJobs: 'GET /api/v1/repeated_job',
    runRepeatedJob: 'POST /api/v1/repeated_job/{name}/run',
    createCommandRun: 'POST /api/v1/command_run',
    readCommandRun: 'GET /api/v1/command_run/{id}',
    cancelCommandRun: 'POST /api/v1/command_run/{id}/cancel',
    confirmControlPassword: 'POST /api/v1/confirm_control_pass',
    readControlPassword: 'GET /api/v1/control_pass',
    setControlPassword: 'PATCH /api/v1/control_pass',
    enterDemo: 'POST /api/v1/demo',
    acknowledgeAlerts: 'POST /api/v1/alert/acknowledge',
    listAlerts: 'GET /api/v1/alert',
    readMyNotifications: 'GET /api/v1/my_notifications',
    readNotificationSettings: 'GET /api/v1/notification_settings',
    sendTestMail: 'POST /api/v1/notification_test',
    updateMyNotifications: 'PUT /api/v1/my_notifications',
    updateNotificationSettings: 'PUT /api/v1/notification_settings',
    readPush: 'GET /api/v1/push',
    subscribePush: 'POST /api/v1/push_subscription',
    renewPush: 'POST /api/v1/push_subscription/renew',
    deletePushSubscription: 'DELETE /api/v1/push_subscription/{id}',
    listWebhooks: 'GET /api/v1/webhook',
    createWebhook: 'POST /api/v1/webhook',
    updateWebhook: 'PATCH /api/v1/webhook/{id}',
    deleteWebhook: 'DELETE /api/v1/webhook/{id}',
    renewWebhookSecret: 'POST /api/v1/webhook/{id}/secret',
    testWebhook: 'POST /api/v1/webhook/{id}/test',
    listWebhookDeliveries: 'GET /api/v1/webhook/{id}/delivery',
    sendWebhookDelivery: 'POST /api/v1/webhook_delivery/{id}/send',
    agreeToCommand: 'POST /api/v1/command/{id}/agree',
    declineCommand: 'POST /api/v1/command/{id}/decline',
    readControlRules: 'GET /api/v1/control_rules',
    updateControlRules: 'PATCH /api/v1/control_rules',
    createShare: 'POST /api/v1/share',
    listOwnShares: 'GET /api/v1/share/own',
    listShares: 'GET /api/v1/share',
    readShared: 'GET /api/v1/shared',
    readSharedTrail: 'GET /api/v1/shared/{key}/trail',
    revokeShare: 'DELETE /api/v1/share/{id}',
    revokeSharesBy: 'DELETE /api/v1/share',
    updateShare: 'PATCH /api/v1/share/{id}',
    visitShared: 'POST /api/v1/shared/visit',
    listMyDocuments: 'GET /api/v1/my_driver/document',
    readMyDocumentFile: 'GET /api/v1/my_driver/document/{documentId}/file',
  });
});

/** Calls other than GET that change only the caller's own session. */
const SIGNED_IN_IS_ENOUGH: ReadonlySet<string> = new Set(['signOut']);

/**
 * Calls other than GET that change nothing: they compute an answer, or are sent by the specification's client [R7.17].
 */
const CHANGES_NOTHING: ReadonlySet<string> = new Set([
  'updateSubscription',
  'evaluateDutyLog',
  'previewCommand',
  'backtestRule',
  'findVehiclesInside',
  'listTaskFits',
]);

/**
 * Users with read permission may send commands that only query a tracker; for the others the call itself checks the
 * permission.
 */
const COMMANDS: ReadonlySet<string> = new Set([
  'createCommand',
  'cancelCommand',
  'createCommandRun',
  'cancelCommandRun',
]);

/** An export is a way to read: who may read all of the data may have it written to a file. */
const EXPORTS: ReadonlySet<string> = new Set(['startExport', 'cancelExport', 'deleteExport']);

/** Users who may only create something can read what they created. */
const READS_OWN: ReadonlySet<string> = new Set(['listOwnShares']);

/** What they read may hold keys: addresses of webhooks, and what receivers answered. */
const READS_KEYS: ReadonlySet<string> = new Set(['listWebhooks', 'listWebhookDeliveries']);

describe.each(Object.entries(ROUTES))('%s', (name, route) => {
  it('defines who may call it', () => {
    expect(['public', 'signed-in', ...PERMISSIONS]).toContain(route.access);
  });

  it('requires a write permission to change data, whatever the method', () => {
    const { access, method } = route;
    if (READS_OWN.has(name)) expect([method, access]).toEqual(['GET', 'shares.write']);
    else if (READS_KEYS.has(name)) expect([method, access]).toEqual(['GET', 'settings.write']);
    else if (method === 'GET' || CHANGES_NOTHING.has(name)) expect(access).toMatch(/^(public|signed-in|.+\.read)$/);
    else if (COMMANDS.has(name)) expect(access).toBe('commands.read');
    else if (EXPORTS.has(name)) expect(access).toBe('data.read');
    else if (!SIGNED_IN_IS_ENOUGH.has(name))
      expect(access).toMatch(/^(public|.+\.(write|settings|assign|control|password|own))$/);
  });

  it('describes every parameter of its path', () => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(match => match[1]);
    const samples = [
      ...['1', '7', 'streets.pmtiles', '0191e7a0-0000-4000-8000-000000000000', `${'a'.repeat(32)}.webp`],
      '2026-02-03',
    ];
    const choices = names.reduce<string[][]>(
      (chosen, _) => chosen.flatMap(some => samples.map(sample => [...some, sample])),
      [[]],
    );
    const fits = choices.some(chosen => {
      const fields = Object.fromEntries(names.map((name, i) => [name, chosen[i]]));
      return JSON.stringify(route.params?.safeParse(fields).data) === JSON.stringify(fields);
    });
    if (names.length > 0) expect(fits).toBe(true);
    else expect(route.params).toBeUndefined();
  });
});

it('has only one route for each method and path', () => {
  const calls = ALL_ROUTES.map(route => `${route.method} ${route.path}`);
  expect(new Set(calls).size).toBe(calls.length);
});
