import type { IconMap2 } from '@tabler/icons-react';
import type { Findable } from './find.ts';

/** In display order. */
export const GROUPS = ['filter', 'vehicles', 'people', 'places', 'pages', 'actions'] as const;
export type Group = (typeof GROUPS)[number];

/** Something that can be found and chosen. */
export interface PaletteItem extends Findable {
  /** Stable across visits, to find earlier choices. */
  readonly id: string;
  readonly group: Group;
  readonly Icon: typeof IconMap2;
  /** Drawn as a plate. */
  readonly isVehicle?: true;
  /** What it does cannot be done again by its name alone, so it is not remembered. */
  readonly once?: true;
  readonly run: () => void;
}
