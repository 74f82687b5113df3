import type { ShownStatus } from '@milepost/contract';

/** In the order of the buttons. The contract's own list would bring its schemas along. */
export const STATUSES = ['OFF', 'SB', 'D', 'ON', 'PC', 'YM'] as const satisfies readonly ShownStatus[];
