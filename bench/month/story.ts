import { randomFrom } from '../../apps/simulator/src/drive/random.ts';

/** What happens in a month of a fleet with logs. All times are whole seconds since the beginning of the story. */

export type Rested = 'OFF' | 'SB' | 'ON';
export type Tap =
  | { readonly kind: 'sign-in'; readonly asCoDriver?: true }
  | { readonly kind: 'sign-out'; readonly status: Rested }
  | { readonly kind: 'status'; readonly status: Rested | 'PC' | 'YM' }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'ask-co-driver'; readonly other: number }
  | { readonly kind: 'co-driver'; readonly other: number };

/** `go` is the first report above 5 mph, `stop` the first at zero. */
export type Happening = { readonly at: number; readonly vehicle: number } & (
  | { readonly kind: 'engine'; readonly on: boolean }
  | { readonly kind: 'go' | 'stop' }
  | { readonly kind: 'tap'; readonly driver: number; readonly tap: Tap }
);

export interface Story {
  readonly drivers: number;
  readonly vehicles: number;
  readonly seconds: number;
  /** In order of time; no two in one second at one vehicle. */
  readonly happenings: readonly Happening[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every fifth and sixth driver are a team; every fourth vehicle more is a spare one that others take for a day. */
export function makeStory(seed: number, drivers: number, days: number): Story {
  const random = randomFrom('month', seed, drivers, days);
  const happenings: Happening[] = [];
  const seconds = days * DAY;
  const spares = Math.ceil(drivers / 4);
  const taken: { readonly vehicle: number; readonly from: number; readonly to: number }[] = [];
  for (let driver = 0; driver < drivers; driver++) {
    const isTeam = driver % 6 === 4 && driver + 1 < drivers;
    if (driver % 6 === 5) continue;
    const script = new Script(random, isTeam ? [driver, driver + 1] : [driver], driver);
    for (;;) {
      const from = script.at;
      const before = script.happenings.length;
      script.shift();
      const to = script.at;
      if (to > seconds - HOUR) {
        script.happenings.length = before;
        break;
      }
      const spare = drivers + Math.floor(random() * spares);
      const isFree = taken.every(one => one.vehicle !== spare || one.to < from - 60 || one.from - 60 > to);
      if (!isTeam && random() < 0.25 && isFree) {
        taken.push({ vehicle: spare, from, to });
        for (let i = before; i < script.happenings.length; i++) {
          const one = script.happenings[i];
          if (one) script.happenings[i] = { ...one, vehicle: spare };
        }
      } else script.nobodyDrives();
      script.rest();
    }
    happenings.push(...script.happenings);
  }
  return { drivers, vehicles: drivers + spares, seconds, happenings: happenings.sort((a, b) => a.at - b.at) };
}

class Script {
  readonly happenings: Happening[] = [];
  at: number;
  readonly #vehicle: number;
  /** Who is at the wheel comes first. */
  #crew: number[];
  readonly #random: () => number;

  constructor(random: () => number, crew: readonly number[], vehicle: number) {
    this.#random = random;
    this.#crew = [...crew];
    this.#vehicle = vehicle;
    this.at = Math.floor(this.#between(1 * HOUR, 9 * HOUR));
  }

  #between = (from: number, to: number): number => Math.round(from + this.#random() * (to - from));
  #chance = (share: number): boolean => this.#random() < share;
  #rested = (): Rested => (['OFF', 'SB', 'ON'] as const)[Math.floor(this.#random() * 3)] ?? 'OFF';
  #wait(from: number, to: number): void {
    this.at += this.#between(from, to);
  }
  #engine(on: boolean): void {
    this.happenings.push({ at: this.at, vehicle: this.#vehicle, kind: 'engine', on });
  }
  #tap(tap: Tap, driver = this.#crew[0] ?? 0): void {
    this.happenings.push({ at: this.at, vehicle: this.#vehicle, kind: 'tap', driver, tap });
  }
  #move(from: number, to: number): void {
    this.happenings.push({ at: this.at, vehicle: this.#vehicle, kind: 'go' });
    const until = this.at + this.#between(from, to);
    // Whoever tries to go off duty at the wheel is refused.
    if (this.#chance(0.04)) {
      this.at += this.#between(10, until - this.at - 10);
      this.#tap({ kind: 'status', status: this.#rested() });
    }
    const [, rider] = this.#crew;
    if (rider !== undefined && until - this.at > 10 * MINUTE && this.#chance(0.5)) {
      this.at += this.#between(10, 5 * MINUTE);
      this.#tap({ kind: 'status', status: this.#rested() }, rider);
    }
    this.at = until;
    this.happenings.push({ at: this.at, vehicle: this.#vehicle, kind: 'stop' });
  }

  shift(): void {
    const [, rider] = this.#crew;
    this.#engine(true);
    this.#wait(10, 90);
    this.#tap({ kind: 'sign-in' });
    this.#wait(10, 120);
    if (rider !== undefined) {
      this.#tap({ kind: 'ask-co-driver', other: rider });
      this.#wait(20, 90);
      this.#tap({ kind: 'sign-in', asCoDriver: true }, rider);
      this.#wait(20, 90);
    }
    if (this.#chance(0.8)) this.#tap({ kind: 'status', status: 'ON' });
    this.#wait(5 * MINUTE, 25 * MINUTE);
    if (this.#chance(0.3)) this.#movesInYard();
    const legs = this.#between(2, 6);
    for (let leg = 0; leg < legs; leg++) {
      this.#move(10 * MINUTE, 170 * MINUTE);
      for (let stops = this.#between(0, 2); stops > 0; stops--) {
        this.#wait(4, 4 * MINUTE);
        this.#move(2 * MINUTE, 40 * MINUTE);
      }
      if (leg < legs - 1) this.#pause();
    }
    this.#wait(5, 5 * MINUTE);
    if (this.#chance(0.25)) this.#usesPersonally();
    if (this.#chance(0.6)) {
      this.#tap({ kind: 'status', status: this.#rested() });
      this.#wait(10, 12 * MINUTE);
    }
    if (rider !== undefined) {
      this.#tap({ kind: 'sign-out', status: this.#chance(0.5) ? 'OFF' : 'SB' }, this.#crew[1]);
      this.#wait(10, 60);
    }
    this.#tap({ kind: 'sign-out', status: this.#chance(0.5) ? 'OFF' : 'SB' });
    this.#wait(10, 60);
    this.#engine(false);
    if (rider !== undefined && this.#chance(0.5)) this.#crew.reverse();
  }

  /** Between two legs. */
  #pause(): void {
    const [wheel, rider] = this.#crew;
    if (this.#chance(0.2)) {
      // Still driving, says the driver.
      this.#wait(5 * MINUTE + 10, 6 * MINUTE - 5);
      this.#tap({ kind: 'confirm' });
      this.#wait(30, 8 * MINUTE);
    } else if (this.#chance(0.6)) {
      this.#wait(5, 5 * MINUTE);
      this.#tap({ kind: 'status', status: this.#rested() });
      this.#wait(5 * MINUTE, 90 * MINUTE);
    } else this.#wait(6 * MINUTE, 50 * MINUTE);
    if (wheel !== undefined && rider !== undefined && this.#chance(0.6)) {
      this.#tap({ kind: 'co-driver', other: rider }, this.#chance(0.5) ? wheel : rider);
      this.#crew.reverse();
      this.#wait(10, 120);
      if (this.#chance(0.7)) this.#tap({ kind: 'status', status: this.#chance(0.7) ? 'SB' : 'OFF' }, wheel);
      this.#wait(10, 10 * MINUTE);
    }
    if (this.#chance(0.3)) {
      this.#engine(false);
      this.#wait(5 * MINUTE, 60 * MINUTE);
      this.#engine(true);
      this.#wait(10, 3 * MINUTE);
    }
  }

  #movesInYard(): void {
    this.#tap({ kind: 'status', status: 'YM' });
    this.#wait(10, 60);
    this.#move(MINUTE, 8 * MINUTE);
    this.#wait(10, 4 * MINUTE);
    if (this.#chance(0.4)) {
      // The yard move is over with a power cycle.
      this.#engine(false);
      this.#wait(20, 5 * MINUTE);
      this.#engine(true);
    } else this.#tap({ kind: 'status', status: 'ON' });
    this.#wait(10, 10 * MINUTE);
  }

  #usesPersonally(): void {
    this.#tap({ kind: 'status', status: 'PC' });
    this.#wait(10, 20 * MINUTE);
    this.#move(5 * MINUTE, 30 * MINUTE);
    this.#wait(10, 20 * MINUTE);
    if (this.#chance(0.5)) {
      this.#engine(false);
      this.#wait(MINUTE, 40 * MINUTE);
      this.#engine(true);
      this.#wait(10, 60);
      // Without an answer it is driving (4.7.3(c)).
      if (this.#chance(0.5)) this.#tap({ kind: 'confirm' });
      this.#wait(10, 60);
      this.#move(5 * MINUTE, 15 * MINUTE);
      this.#wait(10, 20 * MINUTE);
    }
  }

  rest(): void {
    if (this.#chance(0.15)) this.#wait(30 * HOUR, 60 * HOUR);
    else this.#wait(7 * HOUR, 14 * HOUR);
  }

  /** Someone who has no log moves the vehicle. */
  nobodyDrives(): void {
    if (!this.#chance(0.2)) return;
    this.#wait(MINUTE, 60 * MINUTE);
    this.#engine(true);
    this.#wait(10, 5 * MINUTE);
    this.happenings.push({ at: this.at, vehicle: this.#vehicle, kind: 'go' });
    this.#wait(5 * MINUTE, 40 * MINUTE);
    this.happenings.push({ at: this.at, vehicle: this.#vehicle, kind: 'stop' });
    this.#wait(10, 10 * MINUTE);
    this.#engine(false);
  }
}
