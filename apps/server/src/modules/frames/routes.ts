import { listFrames, listTrackerPorts, type TrackerProtocol } from '@milepost/contract';
import { explainFrame } from '@milepost/decoders';
import type { Visibility } from '../../fleet/visibility.ts';
import type { Http } from '../../http/server.ts';
import type { RecentFrames } from '../../ingest/recent-frames.ts';
import { fixesIn } from './fixes-in.ts';

export interface FrameParts {
  readonly visibility: Visibility;
  readonly recentFrames: RecentFrames;
  /** Where this server listens, once it does. */
  readonly trackerPorts: ReadonlyMap<TrackerProtocol, number>;
}

/** What trackers really sent, and where they send it to. */
export function registerFrames(http: Http, { visibility, recentFrames, trackerPorts }: FrameParts): void {
  http.handle(listFrames, ({ session, params, query }) => {
    const vehicle = visibility.vehicle(session, Number(params.id));
    const moment = query.receivedAt === undefined ? null : Date.parse(query.receivedAt);
    const answer = [];
    for (const frame of recentFrames.of(vehicle.id)) {
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
