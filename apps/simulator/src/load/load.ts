import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpClient, type HttpClient } from '@milepost/client';
import type { TrackerProtocol } from '@milepost/contract';
import { driveLeg } from '../drive/leg-run.ts';
import { randomFrom } from '../drive/random.ts';
import { readTours } from '../drive/tour-file.ts';
import type { Target } from '../target.ts';
import { linkFor } from '../tracker/open-link.ts';
import { createOutbox, type Outbox } from '../tracker/outbox.ts';
import { loadVehicles } from './load-vehicles.ts';
import { shuttleAt } from './shuttle.ts';
import { createTally, type Tally, timed } from './tally.ts';

export interface LoadPlan {
  /** Positions per second, over all vehicles. */
  readonly rate: number;
  readonly vehicles: number;
  readonly protocol: TrackerProtocol;
  readonly seconds: number;
}

export interface LoadFigures {
  readonly protocol: TrackerProtocol;
  readonly vehicles: number;
  readonly sent: number;
  readonly acknowledged: number;
  readonly acknowledgedPerSecond: number;
  readonly ackMsP50: number;
  readonly ackMsP99: number;
}

const TICK_MS = 20;
const SAY_EVERY_MS = 5000;
const LINKS_AT_ONCE = 50;
/** How long to wait at the end for pending acknowledgements. */
const TIMEOUT_MS = 30_000;

/** Sends positions at a steady rate, one report per message, and prints the result. */
export async function sendLoad(target: Target, plan: LoadPlan, say: (text: string) => void): Promise<LoadFigures> {
  const http = createHttpClient({ baseUrl: target.url, getToken: () => target.token });
  const tally = createTally();
  const outboxes = await connect(target, plan, http, tally, say);
  const acknowledged = () => outboxes.reduce((sum, outbox) => sum + outbox.acknowledged, 0);
  const { cityRounds } = readTours();
  const runs = cityRounds.flat().map((leg, number) => driveLeg(leg, randomFrom('load', number)));

  const begun = Date.now();
  const firstSecond = Math.floor(begun / 1000);
  const total = plan.rate * plan.seconds;
  let sent = 0;
  for (let saidAt = begun; sent < total; await sleep(TICK_MS)) {
    for (const due = Math.min(total, ((Date.now() - begun) / 1000) * plan.rate); sent < due; sent++) {
      const vehicle = sent % outboxes.length;
      const run = runs[vehicle % runs.length];
      if (run) outboxes[vehicle]?.add([shuttleAt(run, firstSecond + Math.floor(sent / plan.rate))]);
    }
    if (Date.now() - saidAt < SAY_EVERY_MS) continue;
    saidAt = Date.now();
    say(`${sent} sent, ${acknowledged()} acknowledged, half of them within ${tally.within(0.5)} ms`);
  }
  const patience = Date.now() + TIMEOUT_MS;
  while (!outboxes.every(outbox => outbox.empty) && Date.now() < patience) await sleep(TICK_MS);
  const seconds = (Date.now() - begun) / 1000;
  for (const outbox of outboxes) outbox.close();
  return {
    protocol: plan.protocol,
    vehicles: outboxes.length,
    sent,
    acknowledged: acknowledged(),
    acknowledgedPerSecond: Math.round(acknowledged() / seconds),
    ackMsP50: tally.within(0.5),
    ackMsP99: tally.within(0.99),
  };
}

async function connect(
  target: Target,
  { vehicles: count, protocol }: LoadPlan,
  http: HttpClient,
  tally: Tally,
  say: (text: string) => void,
): Promise<Outbox[]> {
  const vehicles = await loadVehicles(count, protocol, http);
  const outboxes: Outbox[] = [];
  for (let first = 0; first < vehicles.length; first += LINKS_AT_ONCE) {
    const some = vehicles.slice(first, first + LINKS_AT_ONCE);
    const links = await Promise.all(some.map(vehicle => linkFor(vehicle, protocol, target, http)));
    for (const open of links) {
      if (!open) throw new Error(`The gateway of ${protocol} is off.`);
      outboxes.push(createOutbox(timed(open, tally)));
    }
  }
  say(`${outboxes.length} vehicles over ${protocol}`);
  return outboxes;
}
