import { useMemo } from 'react';
import type { Insets } from '../../map/camera.ts';
import type { Stage } from './state/dashboard-state.ts';
import type { Layout } from './use-layout.ts';

/** The floating card with its distance to the edge. */
const CARD_PX = 352 + 12;
const TRAY_PX = 40 + 12;
/** A phone's search bar and status chips. */
const PHONE_TOP_PX = 116;
/** What the wall says below. */
const CAPTION_PX = 120;

interface Parts {
  readonly layout: Layout;
  readonly stage: Stage;
  readonly hasCard: boolean;
  readonly hasTray: boolean;
  /** The panel that holds the card, or the phone's sheet. */
  readonly cardHeight: number;
}

/** Parts of the map covered in each layout; the camera uses the free part. */
export function useInsets({ layout, stage, hasCard, hasTray, cardHeight }: Parts): Insets {
  return useMemo(() => {
    if (stage === 'wall') return { top: 0, right: 0, bottom: CAPTION_PX, left: 0 };
    if (layout === 'phone') return { top: PHONE_TOP_PX, right: 0, bottom: cardHeight, left: 0 };
    const bottom = (hasTray ? TRAY_PX : 0) + (layout === 'tablet' ? cardHeight : 0);
    const floats = layout === 'desktop' || (layout === 'wide' && stage === 'full');
    const card = floats && hasCard ? CARD_PX : 0;
    // The card stands at the end of the line.
    const isRtl = document.documentElement.dir === 'rtl';
    return { top: 0, right: isRtl ? 0 : card, bottom, left: isRtl ? card : 0 };
  }, [layout, stage, hasCard, hasTray, cardHeight]);
}
