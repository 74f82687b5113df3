import { useMemo } from 'react';
import type { Insets } from '../../map/camera.ts';
import type { Stage } from './state/dashboard-state.ts';
import type { Layout } from './use-layout.ts';

/** Width of the floating card, including its distance to the edge. */
const CARD_PX = 352 + 12;
const TRAY_PX = 40 + 12;
/** Height of the legend in the corner, and of the folded alerts above it while a card is open. */
export const LEGEND_PX = 46;
const ALERTS_PX = 54;
/** Height of a phone's search bar and status chips. */
const PHONE_TOP_PX = 116;
/** Height of the caption at the bottom of the wall display. */
const CAPTION_PX = 120;

interface Parts {
  readonly layout: Layout;
  readonly stage: Stage;
  readonly hasCard: boolean;
  readonly hasTray: boolean;
  /** Height of the panel that holds the card, or of the phone's sheet. */
  readonly cardHeight: number;
}

/** How much of the map is covered in each layout; the camera uses the free part. */
export function useInsets({ layout, stage, hasCard, hasTray, cardHeight }: Parts): Insets {
  return useMemo(() => {
    if (stage === 'wall') return { top: 0, right: 0, bottom: CAPTION_PX, left: 0 };
    if (layout === 'phone') return { top: PHONE_TOP_PX, right: 0, bottom: cardHeight, left: 0 };
    const floats = layout === 'desktop' || (layout === 'wide' && stage === 'full');
    const card = floats && hasCard ? CARD_PX : 0;
    const corner = layout === 'tablet' ? cardHeight : LEGEND_PX + (hasCard ? ALERTS_PX : 0);
    const bottom = (hasTray ? TRAY_PX : 0) + corner;
    // The card is at the end side: on the right, or on the left in right-to-left languages.
    const isRtl = document.documentElement.dir === 'rtl';
    return { top: 0, right: isRtl ? 0 : card, bottom, left: isRtl ? card : 0 };
  }, [layout, stage, hasCard, hasTray, cardHeight]);
}
