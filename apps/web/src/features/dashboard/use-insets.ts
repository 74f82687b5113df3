import { useMemo } from 'react';
import type { Insets } from '../../map/camera.ts';
import type { Layout } from './use-layout.ts';

/** The floating card with its distance to the edge. */
const CARD_PX = 352 + 12;
const TRAY_PX = 40 + 12;
/** A phone's search bar and status chips. */
const PHONE_TOP_PX = 116;

/** What lies on the map in each layout: the camera looks at the part that is free. */
export function useInsets(layout: Layout, hasCard: boolean, hasTray: boolean, panelHeight: number): Insets {
  return useMemo(() => {
    if (layout === 'phone') return { top: PHONE_TOP_PX, right: 0, bottom: panelHeight, left: 0 };
    const bottom = (hasTray ? TRAY_PX : 0) + (layout === 'tablet' ? panelHeight : 0);
    const card = layout === 'desktop' && hasCard ? CARD_PX : 0;
    // The card stands at the end of the line.
    const isRtl = document.documentElement.dir === 'rtl';
    return { top: 0, right: isRtl ? 0 : card, bottom, left: isRtl ? card : 0 };
  }, [layout, hasCard, hasTray, panelHeight]);
}
