import { type Actor, may } from '@milepost/contract';

/** Whoever only makes links sees their own. */
export const mayUseShares = (me: Actor | null): boolean =>
  me !== null && (may(me, 'shares.read') || may(me, 'shares.write'));
