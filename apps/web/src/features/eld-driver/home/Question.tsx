import type { MyDuty } from '@milepost/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { homeTime } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import styles from '../Driver.module.css';
import { useAct } from '../use-act.ts';

/** If the question gets no answer in this time, the driver goes on duty (Appendix A, 4.4.1.2). */
const ANSWER_WITHIN_MS = 60_000;
const INSTEAD = ['ON', 'OFF', 'SB'] as const;

interface Props {
  readonly duty: MyDuty;
  readonly question: NonNullable<MyDuty['question']>;
  readonly now: number;
}

/** The question after five minutes at rest, or at an engine start during personal use. */
export function Question({ duty, question: { askedAt, kind }, now }: Props) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const { busy, run } = useAct();
  const [closed, setClosed] = useState<string | null>(null);
  const endsMs = Date.parse(askedAt) + ANSWER_WITHIN_MS;
  const leftS = Math.ceil((endsMs - now) / 1000);
  useEffect(() => {
    // Vibrate once for each question.
    if (askedAt !== '') navigator.vibrate?.([200, 100, 200]);
  }, [askedAt]);
  const close = () => setClosed(askedAt);
  const text =
    kind === 'personal-use'
      ? t('question.personalText')
      : leftS > 0
        ? t('question.text', { count: leftS })
        : t('question.over', { time: homeTime(endsMs, duty.dutyLog.timezone) });
  return (
    <Dialog
      open={closed !== askedAt}
      onClose={close}
      role="alertdialog"
      title={t(`question.${kind}`)}
      describedBy="duty-question"
      closeLabel={t('change.close')}
    >
      <div className={styles.form}>
        <p id="duty-question">{text}</p>
        <Button
          variant="primary"
          size="large"
          wide
          busy={busy}
          data-autofocus
          onClick={() =>
            void run({ kind: 'confirm' }, t('change.saved', { status: t(`logbook:status.${duty.row.status}`) }))
          }
        >
          {t(kind === 'personal-use' ? 'question.yesPersonal' : 'question.yes')}
        </Button>
        {INSTEAD.map(status => (
          <Button
            key={status}
            size="large"
            wide
            busy={busy}
            onClick={() =>
              void run(
                { kind: 'status', status, note: '' },
                t('change.saved', { status: t(`logbook:status.${status}`) }),
              )
            }
          >
            {t(`logbook:status.${status}`)}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}
