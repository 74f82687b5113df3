import type { Rule } from '@milepost/contract';

/** Ten alerts or more, of which people acknowledged fewer than one in five. */
export const isNoisy = ({ alerts: { acknowledged, count } }: Pick<Rule, 'alerts'>): boolean =>
  count >= 10 && acknowledged < count / 5;
