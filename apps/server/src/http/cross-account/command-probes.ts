import { randomUUID } from 'node:crypto';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../../testing/control-password.ts';
import { signedIn, type TestHttpServer } from '../../testing/http-server.ts';
import { eventually } from '../../testing/processes.ts';
import { receivedPosition, storePositions } from '../../testing/stored-positions.ts';
import { UNKNOWN_IDS, type UserWithData } from './account-data.ts';
import { namesNothing, ownThing, type Probe, type Probes } from './probe.ts';

/** A command that waits for its tracker; nobody's where they may not ask for one. */
async function queued(server: TestHttpServer, { imei, token }: UserWithData, action: string): Promise<string> {
  const { body } = await server.call('POST', '/api/v1/command', { token, body: { imei, action } });
  return (body as { id?: string }).id ?? randomUUID();
}
const STOP = { action: 'engineStop', mode: 'immediate' } as const;

/** A command of a colleague that waits for a second person. */
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
  // Nothing changes any more once it is told.
  const told = server.context.db.system.selectFrom('alert').select('id').where('command_id', '=', id);
  await eventually(async () => (await told.executeTakeFirst()) !== undefined);
  return id;
}
/** Set by whoever may for all of the account. */
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
  },
  declineCommand: {
    call: async (of, _, server) => ({ params: { id: await awaitingSecond(server, of) }, body: { reason: 'not now' } }),
    aboutOthers: 404,
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
