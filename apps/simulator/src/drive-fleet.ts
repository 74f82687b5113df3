import { createHttpClient, type HttpClient } from '@milepost/client';
import { listDrivers, listVehicles, type Vehicle } from '@milepost/contract';
import { randomFrom } from './drive/random.ts';
import { readTours } from './drive/tour-file.ts';
import { characters } from './fleet/character.ts';
import { withDueBreak } from './fleet/due-break.ts';
import { type DrivenVehicle, driveVehicle } from './fleet/vehicle.ts';
import { missingPast } from './missing-past.ts';
import type { Target } from './target.ts';
import { type Behaviour, obeying } from './tracker/behaviour.ts';
import { linkFor } from './tracker/open-link.ts';
import type { Order } from './tracker/order.ts';
import { createOutbox, type Outbox } from './tracker/outbox.ts';

export interface DrivenFleet {
  readonly vehicles: readonly DrivenVehicle[];
  stop(): void;
}

const A_DAY_S = 86_400;
const AN_HOUR_S = 3600;
/** Sent first, so that every vehicle is standing or moving on the map within seconds. */
const AT_ONCE_S = AN_HOUR_S / 2;
const TICK_MS = 1000;
/** A spare's engine runs for a while in its yard: whenever the demo starts, a rule has something to say. */
const WARM_UP = { afterS: 20, untilS: 260 };

/** Gives each vehicle of the target a tracker that uses its protocol, and drives them until stopped. */
export async function driveFleet(
  target: Target,
  say: (text: string) => void,
  daysBehind: number,
  behaviour: Behaviour | null = null,
): Promise<DrivenFleet> {
  const http = createHttpClient({ baseUrl: target.url, getToken: () => target.token });
  const registered = new Map((await http.call(listVehicles)).map(vehicle => [vehicle.imei, vehicle]));
  const named = target.fleet ?? [...registered.values()].map(({ imei, deviceName: name }) => ({ imei, name }));
  const fleet = named.toSorted((a, b) => a.name.localeCompare(b.name));
  const startedAt = Math.floor(Date.now() / 1000);
  const warn = throttled(say);
  const cards = new Map((await http.call(listDrivers)).map(({ id, card }) => [id, card]));
  const fleetCharacters = characters(
    fleet.map(({ imei, name }) => {
      const card = cards.get(registered.get(imei)?.usualDriverId ?? '') ?? null;
      return { imei, name, card };
    }),
    readTours(),
    behaviour,
  );

  const outboxes: Outbox[] = [];
  const vehicles: DrivenVehicle[] = [];
  const unreachable = new Map<Vehicle, string>();
  for (const [index, { imei }] of fleet.entries()) {
    const vehicle = registered.get(imei);
    if (!vehicle) continue;
    const protocol = vehicle.protocol ?? 'teltonika';
    // One Teltonika in six reports over UDP.
    const open = await linkFor(vehicle, protocol, target, http, { overUdp: index % 6 === 5 });
    const planned = fleetCharacters[index];
    if (!open) unreachable.set(vehicle, protocol);
    if (!open || !planned) continue;
    const character = withDueBreak(planned, Math.floor(Date.parse(vehicle.createdAt) / 1000));
    let obey: (order: Order) => void = () => {};
    const outbox = createOutbox(
      open,
      text => warn(`${vehicle.deviceName}: ${text}`),
      order => obey(order),
    );
    const driven = driveVehicle(character, outbox, startedAt);
    obey = obeying(driven, character.behaviour, randomFrom('answers', character.imei));
    // The first report goes out at once instead of at a parked vehicle's next interval. It includes the time since it
    // was parked, because the server tells when a stop began from its reports.
    driven.recall(Math.min(startedAt - AT_ONCE_S, driven.parkedSince(startedAt) - 1), startedAt);
    outboxes.push(outbox);
    vehicles.push(driven);
  }
  vehicles.find(
    vehicle => vehicle.character.isSpare && vehicle.warmUp(startedAt + WARM_UP.afterS, startedAt + WARM_UP.untilS),
  );
  say(`Driving ${vehicles.length} vehicles`);
  if (unreachable.size > 0) {
    const off = [...new Set(unreachable.values())].join(', ');
    say(`${unreachable.size} vehicles can’t report: GATEWAYS or MQTT_PORT turn off ${off}`);
  }

  const ticking = setInterval(() => {
    const now = Math.floor(Date.now() / 1000);
    for (const vehicle of vehicles) vehicle.drive(now);
  }, TICK_MS);
  const beginning = startedAt - daysBehind * A_DAY_S;
  void loadPast({ registered, vehicles, outboxes, http, startedAt, beginning, say }).catch(error =>
    warn(String(error)),
  );

  return {
    vehicles,
    stop: () => {
      clearInterval(ticking);
      for (const outbox of outboxes) outbox.close();
    },
  };
}

interface Recall {
  /** By IMEI. */
  readonly registered: ReadonlyMap<string, Vehicle>;
  readonly vehicles: readonly DrivenVehicle[];
  readonly outboxes: readonly Outbox[];
  readonly http: HttpClient;
  /** Epoch seconds. */
  readonly startedAt: number;
  /** How far back the trackers' history goes. */
  readonly beginning: number;
  readonly say: (text: string) => void;
}

/**
 * The trackers send what the server lacks: all their history at first, later what they measured while the server was
 * down.
 */
async function loadPast({ registered, vehicles, outboxes, http, startedAt, beginning, say }: Recall): Promise<void> {
  for (const driven of vehicles) {
    const vehicle = registered.get(driven.character.imei);
    if (!vehicle) continue;
    const span = { from: beginning * 1000, to: (startedAt - AT_ONCE_S) * 1000 };
    for (const { from, to } of await missingPast(vehicle, http, span)) {
      driven.recall(Math.floor(from / 1000), Math.floor(to / 1000));
    }
  }
  const begun = Date.now();
  while (!outboxes.every(outbox => outbox.pastDelivered)) {
    await new Promise(resolve => setTimeout(resolve, TICK_MS).unref());
  }
  say(`The fleet's history is complete after ${Math.round((Date.now() - begun) / 1000)} s`);
}

/** Reports the same problem of forty vehicles only once in a while. */
function throttled(say: (text: string) => void): (text: string) => void {
  let quietUntil = 0;
  return text => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + 30_000;
    say(text);
  };
}
