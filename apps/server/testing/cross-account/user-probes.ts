import { createHash, randomBytes } from 'node:crypto';
import type { TestHttpServer } from '../http-server.ts';
import { testPicture } from '../picture.ts';
import type { UserWithData } from './account-data.ts';
import { namesNothing, type Probe, type Probes } from './probe.ts';

const colleague = (body?: unknown): Probe => ({
  call: ({ colleagueId }) => ({ params: { id: colleagueId }, ...(body !== undefined && { body }) }),
  aboutOthers: 404,
});
const role = (body?: unknown): Probe => ({
  call: ({ roleId }) => ({ params: { id: roleId }, ...(body !== undefined && { body }) }),
  aboutOthers: 404,
});

/** An invitation link for the colleague; another user's link can't be guessed. */
async function invitationOf(of: UserWithData, caller: UserWithData, { context }: TestHttpServer): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  if (of !== caller) return token;
  await context.db.system
    .insertInto('invitation')
    .values({
      account_id: of.accountId,
      user_id: of.colleagueId,
      token_hash: createHash('sha256').update(token).digest(),
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .execute();
  return token;
}

export const userProbes: Probes = {
  readMyUsers: namesNothing,
  registerUser: {
    // User names are unique in the whole installation; the answer says only that it is taken.
    call: (of, caller) => {
      const userName = of === caller ? `new-${of.marker}` : of.userName;
      const scope = { folderIds: [caller.folderId], departmentIds: [caller.departmentId] };
      return { body: { userName, displayName: 'New', role: 'viewer', scope } };
    },
    aboutOthers: 409,
  },
  updateMyUser: colleague({ displayName: 'Renamed', role: 'viewer' }),
  readUserDependents: colleague(),
  deleteMyUser: colleague(),
  signOutMyUser: colleague(),
  inviteMyUser: colleague(),
  resetSecondFactorOfMyUser: colleague(),
  readInvitation: {
    call: async (of, caller, server) => ({ body: { token: await invitationOf(of, caller, server) } }),
    aboutOthers: 400,
  },
  acceptInvitation: {
    call: async (of, caller, server) => ({
      body: { token: await invitationOf(of, caller, server), password: 'another sentence nobody guesses' },
    }),
    aboutOthers: 400,
  },

  listRoles: { ...namesNothing, isForAll: true },
  createRole: {
    call: (_of, { marker }) => ({
      body: { name: `Night ${marker}`, basedOn: 'viewer', permissions: ['vehicles.read'] },
    }),
    aboutOthers: 201,
  },
  updateRole: role({ permissions: ['vehicles.read', 'drivers.read'] }),
  deleteRole: role(),
  readSecurityPolicy: namesNothing,
  updateSecurityPolicy: { call: () => ({ body: { secondFactor: 'optional' } }), aboutOthers: 200 },

  readImage: {
    call: ({ image }) => ({ params: { file: image } }),
    aboutOthers: 404,
    outOfScope: 200,
    withoutSession: 404,
  },
  updateMyImage: {
    call: async () => {
      const body = new FormData();
      body.append('file', await testPicture('png'), 'me.png');
      return { body };
    },
    aboutOthers: 200,
  },
  deleteMyImage: namesNothing,

  listAudit: namesNothing,
  exportAudit: namesNothing,
};
