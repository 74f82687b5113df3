import type { IconMap2 } from '@tabler/icons-react';
import type { Findable } from './find.ts';

/** Groups in display order. */
export const GROUPS = ['filter', 'vehicles', 'people', 'places', 'pages', 'actions'] as const;
export type Group = (typeof GROUPS)[number];

/** An item that the user can find and choose. */
export interface PaletteItem extends Findable {
  /** The same on every visit, so that recently chosen items can be found again. */
  readonly id: string;
  readonly group: Group;
  readonly Icon: typeof IconMap2;
  /** Shown as a plate. */
  readonly isVehicle?: true;
  /** Not kept among recent items, because its ID alone isn't enough to run it again. */
  readonly once?: true;
  readonly run: () => void;
}
