import type { ProtocolName } from '../index.ts';
import type { Dialects } from './dialect.ts';
import * as lists from './lists.ts';

/** The dialects of each protocol. */
export const DIALECTS: Readonly<Partial<Record<ProtocolName, Dialects>>> = lists;
