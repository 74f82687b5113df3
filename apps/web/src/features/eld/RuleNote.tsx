import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFromNow } from '../../live/view.ts';
import { homeZone } from '../../logbook/home-time.ts';
import { carrierQuery } from './queries.ts';

/** The carrier's rule set and the time zone of its first terminal. */
export function RuleNote() {
  const { t } = useTranslation(['eld', 'logbook']);
  const { data } = useQuery(carrierQuery);
  const timeZone = data?.terminals[0]?.timeZone;
  const zone = useFromNow(ms => (timeZone ? homeZone(ms, timeZone) : ''));
  if (!data) return null;
  return [t(`logbook:ruleSet.${data.ruleSet}`), zone && t('homeTime', { zone })].filter(Boolean).join(' · ');
}
