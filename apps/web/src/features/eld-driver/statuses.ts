import type { ShownStatus } from '@milepost/contract';

/** In the order of the buttons. Importing the contract's list would add its schemas to the bundle. */
export const STATUSES = ['OFF', 'SB', 'D', 'ON', 'PC', 'YM'] as const satisfies readonly ShownStatus[];
