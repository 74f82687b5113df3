import { randomUUID } from 'node:crypto';
import type { TestHttpServer } from '../http-server.ts';
import { testPicture } from '../picture.ts';
import type { UserWithData } from './account-data.ts';
import { namesNothing, type Probe, type Probes } from './probe.ts';

const DAY = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };

/** The driver of these data signs in as this user: only drivers have tasks of their own. */
async function drives({ driverId, userId }: UserWithData, { context, organisation }: TestHttpServer): Promise<void> {
  await context.db.system.updateTable('driver').set({ user_id: userId }).where('id', '=', Number(driverId)).execute();
  await context.feed.settled();
  await organisation.roster.settled();
}

/** A call of the driver: about others, the caller is no driver there. */
const ofDriver = (body: () => unknown): Probe => ({
  call: async (of, caller, server) => {
    if (of === caller) await drives(of, server);
    return { params: { id: of.taskId }, body: await body() };
  },
  aboutOthers: 404,
});

export const taskProbes: Probes = {
  listTasks: { call: () => ({ query: DAY }), aboutOthers: 200 },
  listTaskFits: {
    call: () => ({ body: { stops: [{ name: 'Dock 9', lat: 41.9, lon: -87.68 }] } }),
    aboutOthers: 200,
  },
  createTask: {
    call: ({ driverId, vehicleId, marker }) => ({ body: { title: `${marker} load`, driverId, vehicleId } }),
    aboutOthers: 404,
  },
  updateTask: {
    call: ({ taskId, driverId, marker }) => ({ params: { id: taskId }, body: { title: `${marker} dock`, driverId } }),
    aboutOthers: 404,
  },
  cancelTask: { call: ({ taskId }) => ({ params: { id: taskId }, body: { reason: 'Sold' } }), aboutOthers: 404 },
  deleteTask: { call: ({ pastTaskId }) => ({ params: { id: pastTaskId } }), aboutOthers: 404 },
  readTaskFile: {
    call: async (of, caller, server) => {
      if (of === caller) await drives(of, server);
      return { params: { id: of.taskId, part: '0' } };
    },
    aboutOthers: 404,
  },
  listMyTasks: {
    ...namesNothing,
    call: async (_of, caller, server) => {
      await drives(caller, server);
      return {};
    },
  },
  reportTask: ofDriver(() => ({ reportId: randomUUID(), step: 'enroute', at: new Date().toISOString() })),
  addTaskProof: ofDriver(async () => {
    const body = new FormData();
    body.append('file', await testPicture('png'), 'dock.png');
    body.append('proofId', randomUUID());
    body.append('kind', 'photo');
    return body;
  }),
};
