import { useMedia } from '../../base/use-media.ts';

/**
 * - `phone`: the map fills the page; list and card share a sheet
 * - `tablet`: the list, or the card as a panel at the bottom
 * - `desktop`: the list beside the map, with the card floating on it
 * - `wide`: the card, too, is beside the map
 */
export type Layout = 'phone' | 'tablet' | 'desktop' | 'wide';

/** By the breakpoints 600, 1024 and 1920 px [R9.09], in em as in the shell. */
export function useLayout(): Layout {
  const tablet = useMedia('(min-width: 37.5em)');
  const desktop = useMedia('(min-width: 64em)');
  const wide = useMedia('(min-width: 120em)');
  return wide ? 'wide' : desktop ? 'desktop' : tablet ? 'tablet' : 'phone';
}
