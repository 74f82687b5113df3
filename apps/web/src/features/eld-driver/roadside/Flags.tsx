import type { LogDay, MyDuty } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Chip } from '../../../ui/Chip.tsx';
import view from './Roadside.module.css';
import { isMalfunction } from './readiness.ts';

const MINUTE_MS = 60_000;

/** Malfunctions, data diagnostics and unidentified driving, whether there are any or not. */
export function Flags({ duty, day }: { readonly duty: MyDuty; readonly day: LogDay }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const now = duty.row.faults;
  const ofDay = day.records.flatMap(({ fault, type }) => (type === 7 && fault !== null ? [fault] : []));
  const codes = [...new Set([...now, ...ofDay])].toSorted();
  const malfunctions = codes.filter(isMalfunction).join(', ');
  const diagnostics = codes.filter(code => !isMalfunction(code)).join(', ');
  const minutes = duty.unclaimed
    .filter(({ from, to }) => from < day.to && (to ?? duty.now) > day.from)
    .reduce((sum, { from, to }) => sum + (Date.parse(to ?? duty.now) - Date.parse(from)) / MINUTE_MS, 0);
  return (
    <p className={view.flags}>
      {malfunctions === '' ? (
        <Chip tone="ok">{t('roadside.noMalfunction')}</Chip>
      ) : (
        <Chip tone="critical">{t('roadside.malfunction', { codes: malfunctions })}</Chip>
      )}
      {diagnostics === '' ? (
        <Chip tone="ok">{t('roadside.noDiagnostic')}</Chip>
      ) : (
        <Chip tone="warning">{t('roadside.diagnostic', { codes: diagnostics })}</Chip>
      )}
      <Chip tone={minutes > 0 ? 'warning' : 'neutral'}>
        {t('roadside.unidentified', { count: Math.round(minutes) })}
      </Chip>
    </p>
  );
}
