import type { ProtocolName } from '../index.ts';
import type { Dialects } from './dialect.ts';
import * as lists from './lists.ts';

/** What may vary, by protocol. */
export const DIALECTS: Readonly<Partial<Record<ProtocolName, Dialects>>> = lists;
