import type { Belongings } from './belongings.ts';

/** How one call of the contract is tried by whoever it is no business of. */
export interface Probe {
  /** A good call about what `of` has, made by `caller`; when both are the same it succeeds. */
  readonly call: (of: Belongings, caller: Belongings) => RequestParts;
  /** Status when it is about what another account has. 200 for calls that name nothing of anybody. */
  readonly aboutOthers: number;
}

export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type Probes = Readonly<Record<string, Probe>>;

/** For a call that takes no id of anybody. */
export const namesNothing: Probe = { call: () => ({}), aboutOthers: 200 };
