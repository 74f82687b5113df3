import { randomUUID } from 'node:crypto';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../../testing/control-password.ts';
import type { TestHttpServer } from '../../testing/http-server.ts';
import type { Somebody } from './belongings.ts';
import { namesNothing, ownThing, type Probe, type Probes } from './probe.ts';

/** A command that waits for its tracker; nobody's where they may not ask for one. */
async function queued(server: TestHttpServer, { imei, token }: Somebody, action: string): Promise<string> {
  const { body } = await server.call('POST', '/api/v1/command', { token, body: { imei, action } });
  return (body as { id?: string }).id ?? randomUUID();
}
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
      await setTestControlPassword(server, caller);
      return { body: { imei, action: 'engineStop', controlPassword: TEST_CONTROL_PASSWORD } };
    },
    aboutOthers: 404,
  },
  readControlPassword: namesNothing,
  setControlPassword: ownThing(({ password }) => ({ password, controlPassword: 'another one' })),
};
