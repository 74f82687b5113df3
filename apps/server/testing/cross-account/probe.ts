import type { TestHttpServer } from '../http-server.ts';
import type { UserWithData } from './account-data.ts';

/** How to test a route with callers who must not have access. */
export interface Probe {
  /** A valid call about the data of `of`, made by `caller`; it succeeds if both are the same. */
  readonly call: (
    of: UserWithData,
    caller: UserWithData,
    server: TestHttpServer,
  ) => RequestParts | Promise<RequestParts>;
  /** The status if the data belongs to another account. 200 for calls without IDs. */
  readonly aboutOthers: number;
  /** The status if the data belongs to a user of the same account out of the caller's scope, if different. */
  readonly outOfScope?: number;
  /** Who can make the call, if not an owner: a driver, who is the one in their data. */
  readonly madeBy?: 'driver';
  /** The response is for everyone in the account, whatever their scope. */
  readonly isForAll?: true;
  /** The status without a session, if the route is public and this is not its normal status. */
  readonly withoutSession?: number;
  /** Preparing the call deletes data of the caller, who is of no use to other calls afterwards. */
  readonly usesUp?: true;
  /** Preparing the call writes more a moment later: states, figures and alerts. */
  readonly hasAftermath?: true;
  /** The attempt is recorded in the other account's audit log. */
  readonly isNoted?: true;
}

export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another bearer token than the caller's session. */
  readonly token?: string;
}

export type Probes = Readonly<Record<string, Probe>>;

/** For a call without IDs. */
export const namesNothing: Probe = { call: () => ({}), aboutOthers: 200 };

/** For a call about the caller's own data only. */
export const ownThing = (body: (caller: UserWithData) => unknown, status = 200): Probe => ({
  call: (_of, caller) => ({ body: body(caller) }),
  aboutOthers: status,
});
