import { COMMAND_STATES, type Command, type CommandReason, type CommandState } from '@milepost/contract';

/** What can happen to a command. */
export const COMMAND_EVENTS = [
  /** The second person confirms it, */
  'agreed',
  /** or does not. */
  'declined',
  /** Its tracker is not there. */
  'asleep',
  /** The vehicle does not stand safely, and the command may wait for it. */
  'armed',
  /** The vehicle does not stand safely, and the command was for now or never. */
  'unsafe',
  /** Given to the connection. */
  'published',
  /** Given to a connection again, without an answer to the last time. */
  'publishedAgain',
  /** Taken back at the last moment: no byte has left. */
  'heldBack',
  /** The network says that it arrived. */
  'delivered',
  /** The tracker says that it did it, or answers what was asked; */
  'answered',
  /** or that it does not. */
  'refused',
  /** No answer in time, */
  'silent',
  /** though the reports show that it worked. */
  'proved',
  /** An answer after that. */
  'answeredLate',
  'refusedLate',
  /** The tracker's protocol has no such command. */
  'unsupported',
  /** Too late to leave. */
  'expired',
  'cancelled',
  /** A newer command stands against it, or the vehicle has another tracker now. */
  'superseded',
  /** The reports of its tracker can't all be true. */
  'contradicted',
  'rightsLost',
  'vehicleGone',
  /** The server was started again. */
  'restarted',
] as const;
export type CommandEvent = (typeof COMMAND_EVENTS)[number];

export interface Transition {
  readonly to: CommandState;
  readonly reason: CommandReason | null;
  readonly waitingFor: Command['waitingFor'];
}

const to = (
  state: CommandState,
  reason: CommandReason | null = null,
  waitingFor: Command['waitingFor'] = null,
): Transition => ({ to: state, reason, waitingFor });
/** It changes nothing. */
const no = null;

/** A cell for each state, in their order. */
type Cells<States extends readonly CommandState[]> = { readonly [State in keyof States]: Transition | null };
type Table = Readonly<Record<CommandEvent, Cells<typeof COMMAND_STATES>>>;

const UNKNOWN = to('failed', 'outcome-unknown');
const SILENT = to('failed', 'no-answer');
const REFUSED = to('failed', 'refused-by-tracker');
const PROVED = to('acknowledged', 'proved-by-effect');
const GONE = to('failed', 'vehicle-gone');
const AGAIN = to('published', 'sent-again');
const DONE = to('acknowledged');

/**
 * What each event makes of a command, by the state that it is in. Events that are no news in a state stand as `no`: a
 * second answer, an end after the end. What waits for a second person is queued by nothing but their `agreed`. Before its
 * bytes have left a command can be called back; afterwards only its tracker and the clock decide. `failed` is left by a
 * late answer alone.
 */
// biome-ignore format: a table is read by its columns
const TABLE: Table = {
  //                awaiting-second                              queued                                       published             delivered     acknowledged failed                              expired cancelled
  agreed:         [to('queued', 'agreed'),                      no,                                          no,                   no,           no,          no,                                 no,     no],
  declined:       [to('cancelled', 'declined'),                 no,                                          no,                   no,           no,          no,                                 no,     no],
  asleep:         [no,                                          to('queued', 'tracker-asleep', 'tracker'),    no,                   no,           no,          no,                                 no,     no],
  armed:          [no,                                          to('queued', 'armed', 'safe-stop'),           no,                   no,           no,          no,                                 no,     no],
  unsafe:         [no,                                          to('failed', 'interlock-failed'),             no,                   no,           no,          no,                                 no,     no],
  published:      [no,                                          to('published'),                              no,                   no,           no,          no,                                 no,     no],
  publishedAgain: [no,                                          no,                                           AGAIN,                AGAIN,        no,          no,                                 no,     no],
  heldBack:       [no,                                          no,                                           to('queued'),         no,           no,          no,                                 no,     no],
  delivered:      [no,                                          no,                                           to('delivered'),      no,           no,          no,                                 no,     no],
  answered:       [no,                                          no,                                           DONE,                 DONE,         DONE,        no,                                 no,     no],
  refused:        [no,                                          no,                                           REFUSED,              REFUSED,      no,          no,                                 no,     no],
  silent:         [no,                                          no,                                           SILENT,               SILENT,       no,          no,                                 no,     no],
  proved:         [no,                                          no,                                           PROVED,               PROVED,       no,          no,                                 no,     no],
  answeredLate:   [no,                                          no,                                           no,                   no,           no,          to('acknowledged', 'answered-late'), no,    no],
  refusedLate:    [no,                                          no,                                           no,                   no,           no,          REFUSED,                            no,     no],
  unsupported:    [no,                                          to('failed', 'not-supported'),                no,                   no,           no,          no,                                 no,     no],
  expired:        [to('expired', 'no-second-person'),           to('expired', 'too-late'),                    no,                   no,           no,          no,                                 no,     no],
  cancelled:      [to('cancelled', 'by-user'),                  to('cancelled', 'by-user'),                   no,                   no,           no,          no,                                 no,     no],
  superseded:     [to('cancelled', 'no-longer-applies'),        to('cancelled', 'no-longer-applies'),         no,                   no,           no,          no,                                 no,     no],
  contradicted:   [to('cancelled', 'contradicting-reports'),    to('cancelled', 'contradicting-reports'),     no,                   no,           no,          no,                                 no,     no],
  rightsLost:     [to('cancelled', 'sender-lost-rights'),       to('cancelled', 'sender-lost-rights'),        no,                   no,           no,          no,                                 no,     no],
  vehicleGone:    [to('cancelled', 'vehicle-gone'),             to('cancelled', 'vehicle-gone'),              GONE,                 GONE,         no,          no,                                 no,     no],
  restarted:      [to('awaiting-second', 'restart'),            to('queued', 'restart'),                      UNKNOWN,              UNKNOWN,      no,          no,                                 no,     no],
};

/** Null when the event is no news in this state. */
export function transitionOf(state: CommandState, event: CommandEvent): Transition | null {
  return TABLE[event][COMMAND_STATES.indexOf(state)] ?? null;
}

/** Not at their end. */
export const OPEN_STATES = ['awaiting-second', 'queued', 'published', 'delivered'] as const satisfies CommandState[];
const OPEN: ReadonlySet<CommandState> = new Set(OPEN_STATES);
export const isOpen = (state: CommandState): boolean => OPEN.has(state);
/** No byte of it has left. */
export const isBeforeSending = (state: CommandState): boolean => state === 'awaiting-second' || state === 'queued';
/** Its bytes have left, and no answer has come. */
export const isAwaitingAnswer = (state: CommandState): boolean => state === 'published' || state === 'delivered';

/** How long things may take, in milliseconds. */
export const PATIENCE = {
  /** For an answer, from the moment at which the bytes left. */
  answerMs: 90_000,
  /** An answer after that still counts, if nothing else waits for one. */
  lateAnswerMs: 600_000,
} as const;
/** What only asks or sets is sent again when its tracker dials in again without having answered; a control never is. */
export const SENDS_AT_MOST = 3;
