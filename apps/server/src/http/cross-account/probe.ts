import type { TestHttpServer } from '../../testing/http-server.ts';
import type { UserWithData } from './account-data.ts';

/** How one call of the contract is tried by whoever it is no business of. */
export interface Probe {
  /** A good call about what `of` has, made by `caller`; when both are the same it succeeds. */
  readonly call: (
    of: UserWithData,
    caller: UserWithData,
    server: TestHttpServer,
  ) => RequestParts | Promise<RequestParts>;
  /** Status when it is about what another account has. 200 for calls that name nothing of anybody. */
  readonly aboutOthers: number;
  /** Status when it is about what somebody of the same account has who is out of the caller's scope, where it is another. */
  readonly outOfScope?: number;
  /** What it tells is for everybody of the account, whatever their scope. */
  readonly isForAll?: true;
  /** Status without a session, where the route is public and that is not its good answer. */
  readonly withoutSession?: number;
  /** The audit log of the other account says that somebody tried. */
  readonly isNoted?: true;
}

export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Another bearer than the caller's session: a capability of its own. */
  readonly token?: string;
}

export type Probes = Readonly<Record<string, Probe>>;

/** For a call that takes no id of anybody. */
export const namesNothing: Probe = { call: () => ({}), aboutOthers: 200 };

/** What is the caller's own, whoever else there is. */
export const ownThing = (body: (caller: UserWithData) => unknown, status = 200): Probe => ({
  call: (_of, caller) => ({ body: body(caller) }),
  aboutOthers: status,
});
