import {
  type CommandEncoder,
  type CommandParameters,
  type HeardCommand,
  type PositionMessage,
  protocols,
  type Registration,
} from '@milepost/decoders';
import type { Stream } from './stream.ts';

/** A command received from the server, and the way to answer it on its connection. */
export interface Order {
  /** What the vehicle should do; null for a command whose effect reports do not show. */
  readonly task: Task | null;
  /** Confirms or refuses the command. `last` is the newest position. */
  answer(done: boolean, last: PositionMessage): void;
}

/** An order from a command received on a connection that `write` writes to. */
export const orderFrom = (protocol: string, command: HeardCommand, write: (bytes: Uint8Array) => void): Order => ({
  task: taskIn(protocol, command.text),
  answer: (done, last) => {
    const reply = command.reply(done, last);
    if (reply) write(reply);
  },
});

const registered: Readonly<Record<string, Registration>> = protocols;

/** From now on, commands among the server's answers on a connection become orders. */
export function takeOrders(
  protocol: string,
  imei: string,
  stream: Stream,
  onOrder: (order: Order) => void = () => {},
): void {
  const hear = registered[protocol]?.tracker?.hear;
  if (hear)
    stream.listen(
      bytes => hear(imei, bytes),
      command => onOrder(orderFrom(protocol, command, stream.write)),
    );
}

/** What commands change about a vehicle and its reports; other commands are only answered. */
export type Task =
  | { readonly kind: 'trackOnDemand' }
  | { readonly kind: 'engineStop' }
  | { readonly kind: 'engineResume' }
  | { readonly kind: 'setGprsInterval'; readonly seconds: number }
  | { readonly kind: 'setOdometer'; readonly metres: number };

const TASKS: readonly Task['kind'][] = [
  'trackOnDemand',
  'engineStop',
  'engineResume',
  'setGprsInterval',
  'setOdometer',
];

/** A task by its name and parameters, as sent over MQTT. */
export function taskOf(kind: string, parameters: CommandParameters): Task | null {
  const known = TASKS.find(task => task === kind);
  switch (known) {
    case undefined:
      return null;
    case 'setGprsInterval':
      return { kind: known, seconds: Number(parameters.seconds) };
    case 'setOdometer':
      return { kind: known, metres: Number(parameters.metres) };
    default:
      return { kind: known };
  }
}

/**
 * The task for a command text of a protocol: the one for which its encoder gives the same text. Numbers and passwords
 * are found by trying the parts of the text itself.
 */
export function taskIn(protocol: string, words: string): Task | null {
  for (const encoder of registered[protocol]?.commands ?? []) {
    if (!TASKS.some(kind => kind === encoder.command)) continue;
    const parameters = parametersIn(encoder, words);
    if (parameters) return taskOf(encoder.command, parameters);
  }
  return null;
}

/** The units that makers count in: ten seconds, minutes, hundreds and thousands of meters, hours. */
const UNITS = [1, 10, 60, 100, 1000, 3600];

function parametersIn({ parameters, text }: CommandEncoder, words: string): CommandParameters | null {
  const names = parameters.map(name => name.replace('?', ''));
  const pieces = new Set(words.split(/[^A-Za-z0-9]+/));
  const texts = names.filter(name => name === 'password' || name === 'model');
  for (const piece of texts.length > 0 ? [...pieces, null] : [null]) {
    const named = piece === null ? {} : Object.fromEntries(texts.map(name => [name, piece]));
    if (text(named) === words) return named;
    for (const number of names.some(name => name === 'seconds' || name === 'metres') ? numbersIn(words) : []) {
      const counted = { ...named, seconds: number, metres: number };
      if (text(counted) === words) return counted;
    }
  }
  return null;
}

/** Every number that a part of the text can mean, decimal or hexadecimal, in every unit. */
function numbersIn(words: string): Set<number> {
  const numbers = new Set<number>();
  for (const [run] of words.matchAll(/[0-9A-F]+/g)) {
    for (let from = 0; from < run.length; from++) {
      for (let to = from + 1; to <= run.length; to++) {
        const piece = run.slice(from, to);
        for (const radix of /^\d+$/.test(piece) ? [10, 16] : [16]) {
          for (const unit of UNITS) numbers.add(Number.parseInt(piece, radix) * unit);
        }
      }
    }
  }
  return numbers;
}
