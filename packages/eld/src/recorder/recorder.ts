import { type EpochMs, epochMs } from '@milepost/units';
import {
  DUTY_CODES,
  type DutyState,
  ENGINE_CODES,
  INDICATION_CODES,
  INTERMEDIATE_CODES,
  type Indication,
  type RecordOrigin,
  SESSION_CODES,
} from '../event/codes.ts';
import type { Mark, RecorderInput, RecorderRefusal, RecorderState, Step } from './recorder-state.ts';
import { AT_REST, atTime, stopsAt, withSpeed } from './vehicle-motion.ts';

/**
 * What a device records automatically (Appendix A, 4.3.2, 4.4.1, 4.5.1.2, 4.5.1.6): driving when the vehicle moves, on
 * duty when it has stopped and the driver has not answered, intermediate logs, engine and sign-in events. A pure
 * function of its inputs: the same samples give the same events, however often the clock ticks in between.
 */

/** Stopped while driving: the driver is asked after five minutes, and has one minute to answer (4.4.1.2). */
const ASK_AFTER_MS = 5 * 60_000;
const ANSWER_WITHIN_MS = 60_000;
const INTERMEDIATE_EVERY_MS = 60 * 60_000;

const NOTHING_ALLOWED = { 'personal-use': false, 'yard-move': false };
const NOBODY = { driver: null, status: 'ON', isFirst: false, mayIndicate: NOTHING_ALLOWED } as const;

export const newRecorder = (at: EpochMs): RecorderState => ({
  ...{ at, ...NOBODY, indication: 'none' },
  motion: AT_REST,
  engineOn: null,
  standingSince: null,
  question: null,
  lastLogAt: null,
});

/** The next state, and the events to record. Input older than the last is ignored. */
export function advanceRecorder(state: RecorderState, input: RecorderInput): Step {
  if (input.at < state.at) return { state, marks: [], refusal: null };
  const run = new Run(state);
  run.passTime(input.at);
  const refusal = run.take(input);
  return { state: run.state, marks: run.marks, refusal };
}

/** When the next `tick` will change something if nothing else happens; null if it never will. */
export function nextMoment(state: RecorderState): EpochMs | null {
  const stop = stopsAt(state.motion);
  if (stop !== null) return stop;
  if (state.status !== 'D' || state.standingSince === null || state.motion.moving) return null;
  if (state.question?.kind === 'still-driving') return epochMs(state.question.askedAt + ANSWER_WITHIN_MS);
  return epochMs(state.standingSince + ASK_AFTER_MS);
}

class Run {
  state: RecorderState;
  readonly marks: Mark[] = [];

  constructor(state: RecorderState) {
    this.state = state;
  }

  #set(change: Partial<RecorderState>): void {
    this.state = { ...this.state, ...change };
  }

  #mark(type: Mark['type'], code: number, origin: RecordOrigin, reduced = this.state.indication === 'personal-use') {
    const { at, driver } = this.state;
    this.marks.push({ at, type, code, origin, driver, reduced });
    if (type <= 2) this.#set({ lastLogAt: at });
  }

  /** Applies everything that became due in the meantime, each at its own moment. */
  passTime(until: EpochMs): void {
    for (let due = nextMoment(this.state); due !== null && due <= until; due = nextMoment(this.state)) {
      this.#set({ at: epochMs(Math.max(due, this.state.at)) });
      this.#due();
    }
    this.#set({ at: until });
  }

  #due(): void {
    const { at, motion, question } = this.state;
    if (stopsAt(motion) !== null) this.#set({ motion: atTime(motion, at), standingSince: at });
    else if (question?.kind === 'still-driving') {
      this.#set({ question: null });
      this.#setStatus('ON', 'automatic');
    } else this.#set({ question: { kind: 'still-driving', askedAt: at } });
  }

  take(input: RecorderInput): RecorderRefusal | null {
    switch (input.kind) {
      case 'sample':
        this.#engine(input.engineOn);
        this.#speed(input);
        return null;
      case 'tick':
        return null;
      case 'select-status':
        return this.#select(input.status);
      case 'indicate':
        return this.#indicate(input.indication);
      case 'confirm':
        return this.#confirm();
      case 'sign-in':
        return this.#signIn(input);
      case 'sign-out':
        return this.#signOut();
    }
  }

  #engine(on: boolean): void {
    const before = this.state.engineOn;
    if (on === before) return;
    if (!on && before === null) {
      this.#set({ engineOn: false });
      return;
    }
    const reduced = this.state.indication === 'personal-use';
    const code: keyof typeof ENGINE_CODES = on
      ? reduced
        ? 'power-up-reduced'
        : 'power-up'
      : reduced
        ? 'shut-down-reduced'
        : 'shut-down';
    this.#set({ engineOn: on });
    this.#mark(6, ENGINE_CODES[code], 'automatic');
    // An engine that was on when recording began was not restarted.
    if (!on || before === null) return;
    // A power cycle ends a yard move; personal use must be confirmed (4.3.2.2.2(e), 4.7.3(c)).
    if (this.state.indication === 'yard-move') this.#endIndication('automatic');
    if (reduced) this.#set({ question: { kind: 'personal-use', askedAt: this.state.at } });
  }

  #speed({ at, speed }: Extract<RecorderInput, { kind: 'sample' }>): void {
    const motion = withSpeed(this.state.motion, at, speed);
    if (!motion.moving) {
      this.#set({ motion, standingSince: this.state.standingSince ?? at });
      return;
    }
    this.#set({ motion, standingSince: null });
    if (this.state.question?.kind === 'still-driving') this.#set({ question: null });
    if (this.state.question?.kind === 'personal-use') this.#endIndication('automatic');
    const { indication, status, lastLogAt } = this.state;
    if (indication === 'none' && status !== 'D') this.#setStatus('D', 'automatic');
    else if (lastLogAt === null || at - lastLogAt >= INTERMEDIATE_EVERY_MS) {
      this.#mark(2, INTERMEDIATE_CODES[indication === 'personal-use' ? 'reduced' : 'normal'], 'automatic');
    }
  }

  #setStatus(status: DutyState, origin: RecordOrigin): void {
    this.#set({ status, isFirst: false, ...(this.state.question?.kind === 'still-driving' && { question: null }) });
    this.#mark(1, DUTY_CODES[status], origin, false);
  }

  #endIndication(origin: RecordOrigin): void {
    if (this.state.indication === 'none') return;
    this.#mark(3, INDICATION_CODES.none, origin);
    this.#set({
      indication: 'none',
      question: this.state.question?.kind === 'personal-use' ? null : this.state.question,
    });
  }

  #refusedNow(): RecorderRefusal | null {
    if (this.state.driver === null) return 'nobody-signed-in';
    return this.state.motion.moving ? 'in-motion' : null;
  }

  #select(status: DutyState): RecorderRefusal | null {
    const refusal = this.#refusedNow();
    if (refusal) return refusal;
    const isNew = status !== this.state.status || this.state.isFirst === true;
    if (!isNew && this.state.indication === 'none') return 'no-change';
    this.#endIndication('driver');
    if (isNew) this.#setStatus(status, 'driver');
    return null;
  }

  #indicate(indication: Indication): RecorderRefusal | null {
    const refusal = this.#refusedNow();
    if (refusal) return refusal;
    if (indication === this.state.indication) return 'no-change';
    if (indication !== 'none' && !this.state.mayIndicate[indication]) return 'not-allowed';
    this.#endIndication('driver');
    if (indication === 'none') return null;
    const status = indication === 'personal-use' ? 'OFF' : 'ON';
    if (this.state.status !== status || this.state.isFirst) this.#setStatus(status, 'driver');
    this.#set({ indication });
    this.#mark(3, INDICATION_CODES[indication], 'driver');
    return null;
  }

  #confirm(): RecorderRefusal | null {
    const { question, at } = this.state;
    if (question === null) return 'nothing-asked';
    this.#set({ question: null, ...(question.kind === 'still-driving' && { standingSince: at }) });
    return null;
  }

  #signIn({
    driver,
    status,
    mayIndicate,
    isFirst = false,
    inTeam,
  }: Extract<RecorderInput, { kind: 'sign-in' }>): RecorderRefusal | null {
    if (this.state.motion.moving) return 'in-motion';
    if (inTeam) this.#stopDriving();
    else if (this.state.driver !== null) this.#signOut();
    this.#endUnidentifiedDriving();
    this.#set({ driver, status, mayIndicate, isFirst, lastLogAt: null, question: null });
    if (inTeam) return null;
    this.#mark(5, SESSION_CODES.login, 'automatic');
    return null;
  }

  /** Unidentified driving ends when a driver signs in. */
  #endUnidentifiedDriving(): void {
    if (this.state.driver === null && this.state.status === 'D') this.#setStatus('ON', 'automatic');
  }

  #stopDriving(): void {
    this.#endIndication('driver');
    if (this.state.status === 'D') this.#setStatus('ON', 'automatic');
  }

  #signOut(): RecorderRefusal | null {
    const refusal = this.#refusedNow();
    if (refusal) return refusal;
    this.#stopDriving();
    this.#mark(5, SESSION_CODES.logout, 'automatic');
    this.#set({ ...NOBODY, question: null, lastLogAt: null });
    return null;
  }
}
