import { namesNothing, type Probe, type Probes } from './probe.ts';

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/**
 * With the token of the caller's own link; anyone with another link's token may see it, which is the purpose of
 * links.
 */
const visit: Probe['call'] = ({ share }, caller) => ({ params: { key: share.key }, token: caller.share.token });

export const shareProbes: Probes = {
  listShares: namesNothing,
  listOwnShares: namesNothing,
  createShare: {
    call: ({ vehicleId }) => ({
      body: { deviceIds: [vehicleId], expiresAt: inHours(1), showTrail: true, showSpeed: false },
    }),
    aboutOthers: 404,
  },
  updateShare: {
    call: ({ share }) => ({ params: { id: share.id }, body: { expiresAt: inHours(2) } }),
    aboutOthers: 404,
  },
  revokeShare: { call: ({ share }) => ({ params: { id: share.id } }), aboutOthers: 404 },
  revokeSharesBy: { call: ({ userId }) => ({ query: { createdBy: userId } }), aboutOthers: 404 },
  readShared: { call: visit, aboutOthers: 200 },
  readSharedTrail: { call: visit, aboutOthers: 404 },
  visitShared: { call: visit, aboutOthers: 200 },
};
