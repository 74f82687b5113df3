/**
 * The life cycle of the live connection as a table: what each event does in each state. The compiler keeps it complete;
 * the property test in `live-messaging.test.ts` runs through it at random.
 */

export const LIVE_STATES = [
  /** No connection is wanted. */
  'idle',
  /** Requesting a valid credential. */
  'authorising',
  /** The socket is opening and the broker has not answered yet. */
  'connecting',
  'connected',
  /** Closed unexpectedly; the next attempt comes shortly. */
  'waiting',
  /** Disconnecting; the socket is not closed yet. */
  'closing',
  /** The same, but a connection is wanted again. */
  'reopening',
  /** The server no longer knows this session. Only a new `connect` leaves this state. */
  'signed-out',
] as const;
export type LiveState = (typeof LIVE_STATES)[number];

export const LIVE_EVENTS = [
  'connect',
  'disconnect',
  'credential',
  'no-credential',
  'credential-failed',
  'opened',
  'refused',
  'closed',
  'retry',
] as const;
export type LiveEvent = (typeof LIVE_EVENTS)[number];

export type LiveEffect =
  | 'ask'
  /** Drop the pending credential request. */
  | 'stop-asking'
  | 'open'
  /** Subscribe to everything wanted. */
  | 'replay'
  /** The socket is gone: release it, and call all pending callbacks with "Connection closed" [R8.04]. */
  | 'release'
  /** Unsubscribe, disconnect, close [R4.12]. */
  | 'leave'
  /** Close a socket over which nothing was sent yet. */
  | 'abort'
  | 'wait'
  | 'stop-waiting'
  /** Drop all subscriptions. */
  | 'clear';

export interface Transition {
  readonly to: LiveState;
  readonly effects: readonly LiveEffect[];
}

const go = (to: LiveState, ...effects: LiveEffect[]): Transition => ({ to, effects });
/** Nothing to do: already wanted, already over, or too late to matter. */
const ignored = null;

export const TRANSITIONS: Readonly<Record<LiveState, Readonly<Record<LiveEvent, Transition | null>>>> = {
  idle: {
    connect: go('authorising', 'ask'),
    disconnect: go('idle', 'clear'),
    credential: ignored,
    'no-credential': ignored,
    'credential-failed': ignored,
    opened: ignored,
    refused: ignored,
    closed: ignored,
    retry: ignored,
  },
  authorising: {
    connect: ignored,
    disconnect: go('idle', 'stop-asking', 'clear'),
    credential: go('connecting', 'open'),
    'no-credential': go('signed-out'),
    'credential-failed': go('waiting', 'wait'),
    opened: ignored,
    refused: ignored,
    closed: ignored,
    retry: ignored,
  },
  connecting: {
    connect: ignored,
    disconnect: go('closing', 'abort', 'clear'),
    credential: ignored,
    'no-credential': ignored,
    'credential-failed': ignored,
    opened: go('connected', 'replay'),
    refused: go('signed-out', 'release'),
    closed: go('waiting', 'release', 'wait'),
    retry: ignored,
  },
  connected: {
    connect: ignored,
    disconnect: go('closing', 'leave', 'clear'),
    credential: ignored,
    'no-credential': ignored,
    'credential-failed': ignored,
    opened: ignored,
    refused: go('signed-out', 'release'),
    closed: go('waiting', 'release', 'wait'),
    retry: ignored,
  },
  waiting: {
    connect: go('authorising', 'stop-waiting', 'ask'),
    disconnect: go('idle', 'stop-waiting', 'clear'),
    credential: ignored,
    'no-credential': ignored,
    'credential-failed': ignored,
    opened: ignored,
    refused: ignored,
    closed: ignored,
    retry: go('authorising', 'stop-waiting', 'ask'),
  },
  closing: {
    connect: go('reopening'),
    disconnect: go('closing', 'clear'),
    credential: ignored,
    'no-credential': ignored,
    'credential-failed': ignored,
    opened: ignored,
    refused: go('idle', 'release'),
    closed: go('idle', 'release'),
    retry: ignored,
  },
  reopening: {
    connect: ignored,
    disconnect: go('closing', 'clear'),
    credential: ignored,
    'no-credential': ignored,
    'credential-failed': ignored,
    opened: ignored,
    refused: go('authorising', 'release', 'ask'),
    closed: go('authorising', 'release', 'ask'),
    retry: ignored,
  },
  'signed-out': {
    connect: go('authorising', 'ask'),
    disconnect: go('idle', 'clear'),
    credential: ignored,
    'no-credential': ignored,
    'credential-failed': ignored,
    opened: ignored,
    refused: ignored,
    closed: ignored,
    retry: ignored,
  },
};

/** The specification's names for these states [R4.12]. */
export const LIVE_PHASES: Readonly<Record<LiveState, 'idle' | 'connecting' | 'connected' | 'signed-out'>> = {
  idle: 'idle',
  authorising: 'connecting',
  connecting: 'connecting',
  connected: 'connected',
  waiting: 'connecting',
  closing: 'idle',
  reopening: 'connecting',
  'signed-out': 'signed-out',
};
