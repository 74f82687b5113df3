/**
 * Event sequence ids (Appendix A, 4.4.4.1 and 7.24): each event of a device gets the next one, whoever makes it and
 * however often the device was turned off; 0 follows 65,535. Written as one to four hexadecimal digits.
 */
export const SEQUENCE_IDS = 0x1_0000;

export const nextSequence = (sequence: number): number => (sequence + 1) % SEQUENCE_IDS;
/** The id of the event at a position in its device's chain, counted from 0. */
export const sequenceAt = (position: number): number => position % SEQUENCE_IDS;
export const formatSequence = (sequence: number): string => sequence.toString(16).toUpperCase();
