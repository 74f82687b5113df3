import type { MyDuty } from '@milepost/contract';

/** Today and the days before that an officer may see. The driver has more on the phone, to certify. */
export const officersDays = ({ days, officerDays }: Pick<MyDuty, 'days' | 'officerDays'>): MyDuty['days'] =>
  days.slice(0, officerDays ?? days.length);
