import { listFrames, listTrackerPorts, type TrackerProtocol } from '@milepost/contract';
import { explainFrame } from '@milepost/decoders';
import { askEveryNode, serveNode } from '../../bus/ask-every-node.ts';
import type { Context } from '../../context.ts';
import type { Visibility } from '../../fleet/visibility.ts';
import type { Http } from '../../http/server.ts';
import type { KeptFrame, RecentFrames } from '../../ingest/recent-frames.ts';
import { fixesIn } from './fixes-in.ts';

export interface FrameParts {
  readonly visibility: Visibility;
  readonly recentFrames: RecentFrames;
  /** Where this server listens, once it does. */
  readonly trackerPorts: ReadonlyMap<TrackerProtocol, number>;
}

const FRAMES = 'recent-frames';
type FrameJson = Omit<KeptFrame, 'bytes'> & { readonly bytes: string };
const toJson = ({ bytes, ...rest }: KeptFrame): FrameJson => ({
  ...rest,
  bytes: Buffer.from(bytes).toString('base64'),
});
const fromJson = ({ bytes, ...rest }: FrameJson): KeptFrame => ({ ...rest, bytes: Buffer.from(bytes, 'base64') });

/** What trackers really sent, and where they send it to. */
export function registerFrames(
  http: Http,
  context: Pick<Context, 'bus' | 'db'>,
  { visibility, recentFrames, trackerPorts }: FrameParts,
): void {
  serveNode(context.bus, FRAMES, vehicleId => JSON.stringify(recentFrames.of(Number(vehicleId)).map(toJson)));
  /** Newest first; a tracker may have sent to one server now, and to another before. */
  const framesOf = async (vehicleId: number): Promise<KeptFrame[]> => {
    if (!context.bus.isShared) return recentFrames.of(vehicleId);
    const answers = await askEveryNode(context, FRAMES, String(vehicleId));
    return answers
      .flatMap(answer => (JSON.parse(answer) as FrameJson[]).map(fromJson))
      .sort((a, b) => b.receivedAt - a.receivedAt);
  };

  http.handle(listFrames, async ({ session, params, query }) => {
    const vehicle = visibility.vehicle(session, Number(params.id));
    const moment = query.receivedAt === undefined ? null : Date.parse(query.receivedAt);
    const answer = [];
    for (const frame of await framesOf(vehicle.id)) {
      if (answer.length === query.limit) break;
      if (moment !== null && frame.receivedAt !== moment) continue;
      const fixes = fixesIn(frame, vehicle.imei);
      // One of which nothing is known any more is judged as one without a card.
      const sent = fixes.length > 0 ? fixes : [{ rfid: null, time: frame.receivedAt }];
      if (!sent.every(({ rfid, time }) => visibility.seesPosition(session, vehicle, rfid, time))) continue;
      answer.push({
        receivedAt: new Date(frame.receivedAt).toISOString(),
        protocol: frame.protocol,
        over: frame.over,
        length: frame.length,
        bytes: Buffer.from(frame.bytes).toString('hex'),
        fixes: fixes.map(({ time }) => new Date(time).toISOString()),
        parts: [...explainFrame(frame.protocol, frame.bytes)],
      });
    }
    return answer;
  });

  http.handle(listTrackerPorts, () => [...trackerPorts].map(([protocol, port]) => ({ protocol, port })));
}
