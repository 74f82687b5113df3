import { dialects as gl200 } from '../gl200/dialects.ts';
import { dialects as h02 } from '../h02/dialects.ts';
import type { ProtocolName } from '../index.ts';
import { dialects as suntech } from '../suntech/dialects.ts';
import type { Dialects } from './dialect.ts';

/** What may vary, by protocol, one line each. */
export const DIALECTS: Readonly<Partial<Record<ProtocolName, Dialects>>> = { gl200, h02, suntech };
