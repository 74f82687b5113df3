import { Pace, type Patience, partOfPast, shareOf, shareOfPast } from './pace.ts';

/** What is new and what is past share what projections may take, and neither waits for the other. */
export class Paces {
  readonly ofTheNew: Pace;
  readonly ofThePast: Pace;
  /** Since then some of the past is to be counted. */
  #pastSinceMs: number | null = null;

  /** `behindMs`: for how long the oldest new position has waited. */
  constructor(behindMs: () => number, patience?: Patience) {
    const partOfThePast = (): number => partOfPast(behindMs(), patience);
    const partOfTheNew = (): number => (this.#pastSinceMs === null ? 1 : 1 - partOfThePast());
    this.ofTheNew = new Pace(used => shareOf(used, behindMs(), patience) * partOfTheNew());
    this.ofThePast = new Pace(used => shareOfPast(used, this.pastWaitedMs) * partOfThePast());
  }

  /** For how long some of the past has waited to be counted. */
  get pastWaitedMs(): number {
    return this.#pastSinceMs === null ? 0 : Date.now() - this.#pastSinceMs;
  }

  /** Whether some of the past is to be counted. */
  pastWaits(isPast: boolean): void {
    this.#pastSinceMs = isPast ? (this.#pastSinceMs ?? Date.now()) : null;
  }

  stop(): void {
    this.ofTheNew.stop();
    this.ofThePast.stop();
  }
}
