import { randomUUID } from 'node:crypto';
import { testPicture } from '../picture.ts';
import {
  enrolledPhone,
  inspectionPhoto,
  keptLog,
  ownLog,
  proposedChange,
  unidentifiedDrive,
  waitingSignIn,
} from './kept-log.ts';
import { namesNothing, ownThing, type Probes } from './probe.ts';

const START = Date.parse('2026-02-02T12:00:00Z');

export const logbookProbes: Probes = {
  readCarrier: { ...namesNothing, isForAll: true },
  updateCarrier: ownThing(({ marker }) => ({ name: marker, usdotNumber: '1234567' })),
  listRoster: namesNothing,
  updateLogSettings: {
    call: ({ driverId, marker }) => ({ params: { driverId }, body: { isExempt: true, exemptReason: marker } }),
    aboutOthers: 404,
  },
  readMyDuty: {
    call: async (_of, caller, server) => {
      await ownLog(server, caller);
      return {};
    },
    aboutOthers: 200,
  },
  recordDuty: {
    call: async (_of, caller, server) => {
      await ownLog(server, caller);
      const input = { id: randomUUID(), at: new Date().toISOString(), action: { kind: 'status', status: 'ON' } };
      return { body: { inputs: [input] } };
    },
    madeBy: 'driver',
    aboutOthers: 200,
  },
  addInspectionPhoto: {
    call: async (of, caller, server) => {
      await ownLog(server, caller);
      const body = new FormData();
      body.append('file', await testPicture('png'), 'tire.png');
      body.append('photoId', randomUUID());
      body.append('vehicleId', of.vehicleId);
      return { body };
    },
    madeBy: 'driver',
    aboutOthers: 404,
  },
  enrollPhone: {
    call: async (_of, caller, server) => {
      await ownLog(server, caller);
      const publicKey = { kty: 'EC', crv: 'P-256', x: 'a'.repeat(43), y: 'b'.repeat(43) };
      const after = { position: -1, hash: '0'.repeat(64) };
      return { body: { id: randomUUID(), name: 'Phone', publicKey, after } };
    },
    madeBy: 'driver',
    aboutOthers: 200,
  },
  listMyPhones: {
    call: async (of, caller, server) => {
      await ownLog(server, caller);
      await enrolledPhone(server, of);
      return {};
    },
    aboutOthers: 200,
  },
  endMyPhone: {
    call: async (of, caller, server) => {
      await ownLog(server, caller);
      return { params: { id: await enrolledPhone(server, of) } };
    },
    madeBy: 'driver',
    aboutOthers: 404,
  },
  listDriverPhones: {
    call: async (of, _caller, server) => {
      await enrolledPhone(server, of);
      return { params: { driverId: of.driverId } };
    },
    aboutOthers: 404,
  },
  endDriverPhone: {
    call: async (of, _caller, server) => ({ params: { driverId: of.driverId, id: await enrolledPhone(server, of) } }),
    aboutOthers: 404,
  },
  readInspectionPhoto: {
    call: async (of, caller, server) => {
      if (of === caller) await ownLog(server, caller);
      return { params: { id: await inspectionPhoto(server, of) } };
    },
    aboutOthers: 404,
  },
  certifyDays: {
    call: async (_of, caller, server) => {
      await ownLog(server, caller);
      return { body: { dates: ['2026-02-03'] } };
    },
    madeBy: 'driver',
    aboutOthers: 200,
  },
  readBoard: {
    call: async (of, _caller, server) => {
      await keptLog(server, of);
      return {};
    },
    aboutOthers: 200,
  },
  readLogDay: {
    call: async (of, _caller, server) => {
      await keptLog(server, of);
      return { params: { driverId: of.driverId, date: '2026-02-03' } };
    },
    aboutOthers: 404,
  },
  listLogDays: {
    call: async (of, _caller, server) => {
      await keptLog(server, of);
      return { query: { driverId: of.driverId, from: '2026-02-02', to: '2026-02-04' } };
    },
    aboutOthers: 200,
  },
  proposeEdit: {
    call: async (of, _caller, server) => ({
      body: {
        ...{ driverId: of.driverId, replaces: await keptLog(server, of), status: 'OFF' },
        ...{ at: '2026-02-03T14:00:00Z', reason: 'Off duty, not on duty', place: 'Joliet yard' },
      },
    }),
    aboutOthers: 404,
  },
  withdrawProposal: {
    call: async (of, _caller, server) => ({ params: { id: await proposedChange(server, of) } }),
    aboutOthers: 404,
  },
  listProposals: {
    call: async (of, _caller, server) => {
      await keptLog(server, of);
      return {};
    },
    aboutOthers: 200,
  },
  readAvailability: {
    call: async (of, _caller, server) => {
      await keptLog(server, of);
      return { params: { driverId: of.driverId } };
    },
    aboutOthers: 404,
  },
  remindDriver: {
    call: async (of, _caller, server) => {
      await keptLog(server, of);
      return { params: { driverId: of.driverId }, body: { about: 'certification' } };
    },
    aboutOthers: 404,
  },
  dismissSignIn: {
    call: async (of, _caller, server) => {
      await waitingSignIn(server, of);
      return { params: { driverId: of.driverId }, body: { reason: `Lost ${of.marker}` } };
    },
    aboutOthers: 404,
  },
  requestCertification: {
    call: async (of, _caller, server) => {
      await keptLog(server, of);
      return { body: { driverIds: [of.driverId] } };
    },
    aboutOthers: 404,
  },
  annotateRecord: {
    call: async (of, _caller, server) => ({
      body: { log: `driver:${of.driverId}`, record: await keptLog(server, of), text: 'Waited at the dock' },
    }),
    aboutOthers: 404,
  },
  listUnidentified: {
    call: async (of, _caller, server) => {
      await unidentifiedDrive(server, of);
      return {};
    },
    aboutOthers: 200,
  },
  assignUnidentified: {
    call: async (of, _caller, server) => {
      await keptLog(server, of);
      const record = await unidentifiedDrive(server, of);
      return { params: { vehicleId: of.vehicleId, record }, body: { driverId: of.driverId } };
    },
    aboutOthers: 404,
  },
  listMalfunctions: {
    call: async (of, _caller, server) => {
      await unidentifiedDrive(server, of);
      return {};
    },
    aboutOthers: 200,
  },
  // Calculates from its input only and reads no data.
  evaluateDutyLog: ownThing(() => ({
    ruleset: 'US_PROPERTY_70_8',
    timezone: 'America/Chicago',
    segments: [{ status: 'D', start: START, end: START + 3_600_000 }],
    asOf: START + 3_600_000,
  })),
};
