import { IconAntennaBarsOff, IconParking, IconPolygon, IconRoute } from '@tabler/icons-react';
import { ICON_OF_KIND } from '../../alerts/alert-icons.ts';
import type { Happening } from './happenings.ts';

const ICONS = { trip: IconRoute, stop: IconParking, gap: IconAntennaBarsOff, visit: IconPolygon } as const;

/** Icon of an event; its text is beside it. */
export function HappeningIcon({ what, size }: { readonly what: Happening['what']; readonly size: number }) {
  const Icon = what.kind === 'alert' ? ICON_OF_KIND[what.alert.kind] : ICONS[what.kind];
  return <Icon size={size} stroke={1.75} aria-hidden />;
}
