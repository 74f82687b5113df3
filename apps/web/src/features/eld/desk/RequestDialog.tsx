import { type BoardRow, requestCertification } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { formatCount } from '../../../format/locale.ts';
import { homeMoment, homeTime } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { FactList } from '../../../ui/FactList.tsx';
import { isAskedToday } from '../is-asked-today.ts';
import { useWrite } from '../use-write.ts';

interface Props {
  /** The drivers of the list, as it is searched and filtered. */
  readonly rows: readonly BoardRow[];
  readonly nowMs: number;
  readonly onClose: () => void;
}

/** Asks all drivers of the list who have days to certify; says who has how many, and who was asked when. */
export function RequestDialog({ rows, nowMs, onClose }: Props) {
  const { t } = useTranslation(['eld', 'forms']);
  const waiting = rows.filter(({ uncertifiedDays }) => uncertifiedDays > 0);
  const asked = waiting.filter(row => !isAskedToday(row, nowMs));
  const count = asked.length;
  const { isPending, mutate } = useWrite(
    () => call(requestCertification, { body: { driverIds: asked.map(({ driverId }) => driverId) } }),
    ({ asked: those }) => t('request.done', { count: those.length, n: formatCount(those.length) }),
    onClose,
  );
  const state = (row: BoardRow): string => {
    const { certificationAskedAt: at, timeZone, uncertifiedDays } = row;
    const days = t('request.days', { count: uncertifiedDays, n: formatCount(uncertifiedDays) });
    if (at === null) return days;
    const ms = Date.parse(at);
    const when = isAskedToday(row, nowMs)
      ? t('request.today', { time: homeTime(ms, timeZone) })
      : t('request.askedAt', { time: homeMoment(ms, timeZone) });
    return `${days} · ${when}`;
  };
  return (
    <Dialog open onClose={onClose} title={t('request.title')} closeLabel={t('forms:close')}>
      <p>{t(waiting.length === 0 ? 'request.none' : count === 0 ? 'request.allAsked' : 'request.text')}</p>
      <FactList facts={waiting.map(row => [row.name, state(row)] as const)} />
      <DialogActions>
        <Button onClick={onClose}>{t(count === 0 ? 'forms:close' : 'forms:cancel')}</Button>
        {count > 0 && (
          <Button variant="primary" busy={isPending} onClick={() => mutate()}>
            {t('request.action', { count, n: formatCount(count) })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
