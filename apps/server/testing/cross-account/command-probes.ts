import { randomUUID } from 'node:crypto';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../control-password.ts';
import { signedIn, type TestHttpServer } from '../http-server.ts';
import { eventually } from '../processes.ts';
import { receivedPosition, storePositions } from '../stored-positions.ts';
import { UNKNOWN_IDS, type UserWithData } from './account-data.ts';
import { namesNothing, ownThing, type Probe, type Probes } from './probe.ts';

/** Calls as this user; returns once it is stored when they were last seen, which the call does not wait for. */
async function post(server: TestHttpServer, { token, userId }: UserWithData, path: string, body: object) {
  const aMinuteAgo = new Date(Date.now() - 60_000);
  const answer = await server.call('POST', path, { token, body });
  const { system } = server.context.db;
  const seen = system.selectFrom('app_user').select('id').where('id', '=', userId);
  await eventually(async () => (await seen.where('last_seen_at', '>', aMinuteAgo).executeTakeFirst()) !== undefined);
  return (answer.body as { id?: string }).id ?? randomUUID();
}
/** A command that waits for its tracker; an ID that does not exist if the user may not request one. */
const queued = (server: TestHttpServer, of: UserWithData, action: string): Promise<string> =>
  post(server, of, '/api/v1/command', { imei: of.imei, action });
/** A command for several vehicles that waits for its turn. */
const run = (server: TestHttpServer, of: UserWithData): Promise<string> =>
  post(server, of, '/api/v1/command_run', { imeis: [of.imei], action: 'getVersion' });
const STOP = { action: 'engineStop', mode: 'immediate' } as const;

/** A colleague's command that waits for a second person. */
async function awaitingSecond(server: TestHttpServer, { accountId, imei, vehicleId }: UserWithData): Promise<string> {
  if (vehicleId === UNKNOWN_IDS.vehicleId) return randomUUID();
  const { token, userId } = await signedIn(server, { accountId });
  await setTestControlPassword(server, { accountId, userId });
  await storePositions(server, accountId, Number(vehicleId), [receivedPosition(Date.now() - 1000)]);
  const post = async (path: string, body: object) =>
    (await server.call('POST', `/api/v1/${path}`, { token, body })).body;
  const confirmed = await post('confirm_control_pass', { ...STOP, imei, controlPassword: TEST_CONTROL_PASSWORD });
  const { grant } = confirmed as { grant: string };
  const { id } = (await post('command', { ...STOP, imei, grant, reason: 'stolen' })) as { id: string };
  // Nothing changes after it is announced.
  const told = server.context.db.system.selectFrom('alert').select('id').where('command_id', '=', id);
  await eventually(async () => (await told.executeTakeFirst()) !== undefined);
  return id;
}

/** Set by a user who may do so for the whole account. */
const setByOwner = async (server: TestHttpServer, { accountId }: UserWithData) =>
  setTestControlPassword(server, { accountId, userId: (await signedIn(server, { accountId })).userId });
const ofVehicle: Probe['call'] = ({ imei }) => ({ body: { imei, action: 'trackOnDemand' } });

export const commandProbes: Probes = {
  listCommands: { call: ({ vehicleId }) => ({ query: { deviceId: vehicleId } }), aboutOthers: 404 },
  offerCommands: { call: ({ vehicleId }) => ({ query: { deviceId: vehicleId } }), aboutOthers: 404 },
  readCommand: {
    call: async (of, _, server) => ({ params: { id: await queued(server, of, 'getVersion') } }),
    aboutOthers: 404,
  },
  createCommand: { call: ofVehicle, aboutOthers: 404 },
  previewCommand: { call: ofVehicle, aboutOthers: 404 },
  cancelCommand: {
    call: async (of, _, server) => ({ params: { id: await queued(server, of, 'getStatus') } }),
    aboutOthers: 404,
  },
  listCommandRuns: namesNothing,
  listJobs: namesNothing,
  runJob: { call: async (of, _, server) => ({ params: { id: await run(server, of) } }), aboutOthers: 404 },
  cancelJob: { call: async (of, _, server) => ({ params: { id: await run(server, of) } }), aboutOthers: 404 },
  listNodes: namesNothing,
  listRepeatedJobs: namesNothing,
  runRepeatedJob: { call: () => ({ params: { name: 'old-jobs' } }), aboutOthers: 200 },
  createCommandRun: { call: ({ imei }) => ({ body: { imeis: [imei], action: 'trackOnDemand' } }), aboutOthers: 404 },
  readCommandRun: { call: async (of, _, server) => ({ params: { id: await run(server, of) } }), aboutOthers: 404 },
  cancelCommandRun: { call: async (of, _, server) => ({ params: { id: await run(server, of) } }), aboutOthers: 404 },
  confirmControlPassword: {
    call: async ({ imei }, caller, server) => {
      await setByOwner(server, caller);
      return { body: { imei, action: 'engineStop', controlPassword: TEST_CONTROL_PASSWORD } };
    },
    aboutOthers: 404,
  },
  agreeToCommand: {
    call: async (of, caller, server) => {
      const id = await awaitingSecond(server, of);
      await setByOwner(server, caller);
      const confirmed = await server.call('POST', '/api/v1/confirm_control_pass', {
        token: caller.token,
        body: { ...STOP, imei: of.imei, controlPassword: TEST_CONTROL_PASSWORD, commandId: id },
      });
      const { grant = 'cg_of-nobody' } = confirmed.body as { grant?: string };
      return { params: { id }, body: { grant } };
    },
    aboutOthers: 404,
    hasAftermath: true,
  },
  declineCommand: {
    call: async (of, _, server) => ({ params: { id: await awaitingSecond(server, of) }, body: { reason: 'not now' } }),
    aboutOthers: 404,
    hasAftermath: true,
  },
  readControlPassword: namesNothing,
  readControlRules: namesNothing,
  updateControlRules: {
    call: async (_of, caller, server) => {
      await setByOwner(server, caller);
      return { body: { secondPerson: true, controlPassword: TEST_CONTROL_PASSWORD } };
    },
    aboutOthers: 200,
  },
  setControlPassword: ownThing(({ password }) => ({ password, controlPassword: 'another one' })),
};
