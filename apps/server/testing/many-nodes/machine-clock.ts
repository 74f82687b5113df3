import { existsSync, globSync, writeFileSync } from 'node:fs';

/** Debian's package `libfaketime`: what is loaded with it has another clock. Null if it is not installed. */
export const findFakeTime = (): string | null =>
  globSync('/usr/lib/*/faketime/libfaketimeMT.so.1').find(path => existsSync(path)) ?? null;

/** The clock of the machine that a server runs on, which may jump at any time. The monotonic one goes on as it does. */
export class MachineClock {
  /** For the server's process. */
  readonly env: Readonly<Record<string, string>>;
  readonly #file: string;

  constructor(file: string, library: string) {
    this.#file = file;
    this.right();
    this.env = {
      ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' },
      ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' },
    };
  }

  /** A second later at most it is so far ahead, or behind. */
  jump(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  }

  right(): void {
    this.jump(0);
  }
}
