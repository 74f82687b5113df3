/**
 * A process of trackers that report by Teltonika datagrams, all from one socket, because one process may not open
 * twenty thousand connections. Reports are spread evenly over every second; unacknowledged ones are not sent again.
 */
import { createSocket } from 'node:dgram';
import { protocols } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import { driveLeg } from '../../apps/simulator/src/drive/leg-run.ts';
import { randomFrom } from '../../apps/simulator/src/drive/random.ts';
import { readTours } from '../../apps/simulator/src/drive/tour-file.ts';
import { shuttleAt } from '../../apps/simulator/src/load/shuttle.ts';

export interface DatagramPlan {
  readonly port: number;
  readonly imeis: readonly string[];
  /** Reports per second of all vehicles. */
  readonly rate: number;
}

export type ToLoad = { readonly type: 'plan'; readonly plan: DatagramPlan } | { readonly type: 'count' };
export interface FromLoad {
  readonly type: 'counted';
  readonly sent: number;
  readonly acknowledged: number;
}

const TICK_MS = 20;

let sent = 0;
let acknowledged = 0;

process.on('message', (message: ToLoad) => {
  if (message.type === 'plan') start(message.plan);
  else process.send?.({ type: 'counted', sent, acknowledged } satisfies FromLoad);
});
process.on('disconnect', () => process.exit(0));

function start({ imeis, port, rate }: DatagramPlan): void {
  const tracker = protocols.teltonika.datagramTracker;
  if (!tracker) throw new Error('Teltonika has no datagrams');
  const runs = readTours()
    .cityRounds.flat()
    .map((leg, number) => driveLeg(leg, randomFrom('load', number)));
  const socket = createSocket('udp4');
  socket.on('message', () => acknowledged++);
  const begun = Date.now();
  setInterval(() => {
    for (const due = ((Date.now() - begun) / 1000) * rate; sent < due; sent++) {
      const vehicle = sent % imeis.length;
      const run = runs[vehicle % runs.length];
      const imei = imeis[vehicle];
      if (!run || !imei) throw new Error('There are no vehicles to drive');
      // Vehicles follow each other on the same streets, a few minutes apart.
      const position = { ...shuttleAt(run, Math.floor(Date.now() / 1000) + vehicle * 97) };
      const frame = tracker.reports(imei, [{ ...position, time: epochMs(Date.now()) }], sent)[0];
      if (frame) socket.send(frame, port, '127.0.0.1');
    }
  }, TICK_MS);
}
