import type { PositionRow } from './stored-position.ts';

/**
 * The card that identifies a report's driver. Anyone can write a card into an OsmAnd URL, so that one does not count
 * and brings no vehicle into anyone's scope.
 */
export const believedCard = (report: Pick<PositionRow, 'protocol' | 'rfid'> | null | undefined): string | null =>
  report && report.protocol !== 'osmand' ? report.rfid : null;

const PLAIN = /^[0-9A-Z]+$/;
/** A card without separators; the contract's `cardSchema` stores cards in this form. */
export const plainCard = (card: string): string =>
  PLAIN.test(card) ? card : card.replace(/[\s:-]/g, '').toUpperCase();

/** Both. */
export function driverCard(report: Pick<PositionRow, 'protocol' | 'rfid'>): string | null {
  const card = believedCard(report);
  return card === null ? null : plainCard(card);
}
