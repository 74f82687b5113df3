import { parseArgs } from 'node:util';
import { createHttpClient } from '@milepost/client';
import { signIn, TRACKER_PROTOCOLS } from '@milepost/contract';
import type { LoadPlan } from './load/load.ts';
import { type Target, USUAL_PORTS } from './target.ts';
import { BEHAVIOURS, type Behaviour } from './tracker/behaviour.ts';

/** The demo fleet's history in days: four weeks, the four before for comparison, and today so far. */
const DEMO_DAYS = '57';

export const USAGE = `npm run simulate -- --user NAME --password PASSWORD [--url http://127.0.0.1:8080] [--ports '{"teltonika":5027}']
  drives every vehicle of the account over its tracker's protocol, with --days N of history. The trackers carry out
  commands, or with --behaviour asleep|refusing|silent connect only now and then, refuse them, or don't answer;
… --rate 1000 [--vehicles 1000] [--protocol ${TRACKER_PROTOCOLS.join('|')}] [--seconds 60]
  sends that many positions a second instead, from vehicles named "Load …" that it adds to the account.
… replay FILE [--host 127.0.0.1] [--port N] [--speed 1]
  plays a recording, such as samples/teltonika.jsonl, to its gateway; a vehicle must have that tracker's number.`;

export interface ReplayOrder {
  readonly file: string;
  readonly host: string;
  /** Null: the protocol's usual port, or the one in MILEPOST_TRACKER_PORTS. */
  readonly port: number | null;
  readonly ports: Target['ports'];
  readonly speed: number;
}

/** Null if this is not a replay command; throws an error with a message for the user. */
export function readReplay(args: readonly string[], environment: NodeJS.ProcessEnv): ReplayOrder | null {
  if (args[0] !== 'replay') return null;
  const { values, positionals } = parseArgs({
    args: args.slice(1),
    allowPositionals: true,
    options: {
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string' },
      speed: { type: 'string', default: '1' },
    },
  });
  const [file] = positionals;
  const speed = Number(values.speed);
  if (file === undefined) throw new Error(`Name the recording to play.\n${USAGE}`);
  if (!(speed > 0)) throw new Error(`--speed is "${values.speed}" but must be a number above 0.`);
  const port = values.port === undefined ? null : wholeNumber('port', values.port);
  const ports = readPorts(environment.MILEPOST_TRACKER_PORTS ?? JSON.stringify(USUAL_PORTS));
  return { file, host: values.host, port, ports, speed };
}

export interface Order {
  readonly target: Target;
  /** Null: drive the account's own vehicles. */
  readonly load: LoadPlan | null;
  /** How many days of history the vehicles' trackers have. */
  readonly daysBehind: number;
  /** How all trackers respond to commands; null: according to each vehicle's character. */
  readonly behaviour: Behaviour | null;
}

/** Reads the launcher's environment and the command line; throws an error with a message for the user. */
export async function readOrder(args: string[], environment: NodeJS.ProcessEnv): Promise<Order> {
  const { MILEPOST_FLEET, MILEPOST_URL, MILEPOST_TOKEN, MILEPOST_TRACKER_PORTS } = environment;
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string', default: MILEPOST_URL ?? 'http://127.0.0.1:8080' },
      user: { type: 'string' },
      password: { type: 'string' },
      ports: { type: 'string', default: MILEPOST_TRACKER_PORTS ?? JSON.stringify(USUAL_PORTS) },
      days: { type: 'string', default: MILEPOST_TOKEN ? DEMO_DAYS : '0' },
      behaviour: { type: 'string' },
      rate: { type: 'string' },
      vehicles: { type: 'string' },
      protocol: { type: 'string', default: 'teltonika' },
      seconds: { type: 'string', default: '60' },
    },
  });
  const daysBehind = wholeNumber('days', values.days, 0);
  const behaviour = readBehaviour(values.behaviour);
  const load = values.rate === undefined ? null : readLoad({ ...values, rate: values.rate });
  const { url, user, password } = values;
  if (!URL.canParse(url)) throw new Error(`${url} is not the address of a server.`);
  const token = MILEPOST_TOKEN ?? (user && password ? await tokenOf(url, user, password) : null);
  if (token === null) throw new Error(`Say whose vehicles to drive.\n${USAGE}`);
  const target = {
    ...{ url, token, host: new URL(url).hostname, ports: readPorts(values.ports) },
    ...(MILEPOST_FLEET && { fleet: JSON.parse(MILEPOST_FLEET) as NonNullable<Target['fleet']> }),
  };
  return { target, load, daysBehind, behaviour };
}

function readBehaviour(text: string | undefined): Behaviour | null {
  if (text === undefined) return null;
  const known = BEHAVIOURS.find(each => each === text);
  if (known) return known;
  throw new Error(`--behaviour is "${text}" but must be one of ${BEHAVIOURS.join(', ')}.`);
}

interface LoadOptions {
  readonly rate: string;
  readonly vehicles?: string | undefined;
  readonly protocol: string;
  readonly seconds: string;
}

function readLoad({ rate, vehicles = rate, protocol, seconds }: LoadOptions): LoadPlan {
  const known = TRACKER_PROTOCOLS.find(each => each === protocol);
  if (!known) throw new Error(`The protocol is "${protocol}" but must be one of ${TRACKER_PROTOCOLS.join(', ')}.`);
  const plan: LoadPlan = {
    rate: wholeNumber('rate', rate),
    vehicles: wholeNumber('vehicles', vehicles),
    protocol: known,
    seconds: wholeNumber('seconds', seconds),
  };
  // Two fixes in the same second count as one, because several protocols have whole seconds only.
  if (plan.vehicles < plan.rate) {
    throw new Error(`A tracker reports once a second at most: ${plan.rate} positions a second need as many vehicles.`);
  }
  return plan;
}

function wholeNumber(name: string, text: string, least = 1): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`--${name} is "${text}" but must be a whole number from ${least}.`);
}

async function tokenOf(url: string, userName: string, password: string): Promise<string> {
  const http = createHttpClient({ baseUrl: url, getToken: () => null });
  return (await http.call(signIn, { body: { userName, password } })).token;
}

function readPorts(text: string): Target['ports'] {
  try {
    return JSON.parse(text) as Target['ports'];
  } catch {
    throw new Error(`The ports are not JSON: ${text}`);
  }
}
