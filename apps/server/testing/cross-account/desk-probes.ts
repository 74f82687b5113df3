import {
  coachingNote,
  disputed,
  evidenceOf,
  handedFile,
  inspectionReport,
  isOwnLog,
  keptFile,
  keptLog,
} from './kept-log.ts';
import { namesNothing, ownThing, type Probes } from './probe.ts';

/** What the desk does with files, inspections and performance. */
export const deskProbes: Probes = {
  listLogExports: {
    call: async (of, _caller, server) => {
      await keptFile(server, of);
      return {};
    },
    aboutOthers: 200,
  },
  readLogExport: {
    call: async (of, _caller, server) => ({ params: { id: await keptFile(server, of) } }),
    aboutOthers: 404,
  },
  readOutputFile: {
    call: async (of, caller, server) => {
      await keptLog(server, of);
      if (of.userId === caller.userId) await isOwnLog(server, of);
      return { query: { driverId: of.driverId } };
    },
    aboutOthers: 404,
  },
  handOverFile: {
    call: async (_of, caller, server) => {
      await keptLog(server, caller);
      await isOwnLog(server, caller);
      return { body: { comment: 'K7Q2' } };
    },
    madeBy: 'driver',
    aboutOthers: 200,
  },
  readHandedFile: {
    call: async (of, caller, server) => {
      // Whoever has the code reads the file: that is what it is for. The other's log stays unread.
      await keptFile(server, of);
      return { params: { token: await handedFile(server, caller) } };
    },
    aboutOthers: 200,
  },
  mailHandedFile: {
    call: async (of, _caller, server) => {
      const id = await keptFile(server, of);
      return { params: { id }, body: { to: 'officer@example.com' } };
    },
    madeBy: 'driver',
    aboutOthers: 404,
  },
  readVerifiableLog: {
    call: async (of, caller, server) => {
      await keptLog(server, of);
      if (of.userId === caller.userId) await isOwnLog(server, of);
      return { query: { driverId: of.driverId } };
    },
    aboutOthers: 404,
  },
  readPerformance: namesNothing,
  readDriverPerformance: { call: ({ driverId }) => ({ params: { driverId } }), aboutOthers: 404 },
  readMyPerformance: {
    call: async (_of, caller, server) => {
      await evidenceOf(server, caller);
      return {};
    },
    aboutOthers: 200,
  },
  updatePerformanceWeights: ownThing(() => ({ speeding: 7 })),
  disputeEvidence: {
    call: async (of, caller, server) => {
      await evidenceOf(server, caller);
      return { body: { evidence: await evidenceOf(server, of), text: 'A deer on the road' } };
    },
    aboutOthers: 404,
  },
  answerDispute: {
    call: async (of, _caller, server) => ({
      params: { driverId: of.driverId },
      body: { evidence: await disputed(server, of), accept: true, text: 'You are right' },
    }),
    aboutOthers: 404,
  },
  createCoaching: {
    call: ({ driverId }) => ({ params: { driverId }, body: { text: 'Keep your distance', dueOn: '2026-12-10' } }),
    aboutOthers: 404,
  },
  updateCoaching: {
    call: async (of, _caller, server) => ({
      params: { driverId: of.driverId, id: await coachingNote(server, of) },
      body: { done: true },
    }),
    aboutOthers: 404,
  },
  listInspections: {
    call: async (of, _caller, server) => {
      await inspectionReport(server, of);
      return {};
    },
    aboutOthers: 200,
  },
  certifyRepair: {
    call: async (of, _caller, server) => ({
      params: { id: await inspectionReport(server, of) },
      body: { repaired: true },
    }),
    aboutOthers: 404,
  },
};
