import type { CommandEffect } from '@milepost/contract';
import { IconCheck, IconHourglass, IconQuestionMark, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatClock } from '../../format/time.ts';
import styles from './Timeline.module.css';
import { isTold, type Mark, type Moment } from './timeline.ts';

const ICONS: Readonly<Record<Mark, typeof IconCheck | null>> = {
  done: IconCheck,
  now: IconHourglass,
  bad: IconX,
  unknown: IconQuestionMark,
  future: null,
};

const clock = (iso: string): string => formatClock(Date.parse(iso));

interface Props {
  readonly moments: readonly Moment[];
  /** The effect that the vehicle's reports would show. */
  readonly effect: CommandEffect | null;
  /** The tracker's reply. */
  readonly answer?: string | null;
}

/** A command's past, current and expected steps. Shows only what is known. */
export function Timeline({ moments, effect, answer = null }: Props) {
  const { t } = useTranslation('commands');
  return (
    <ol className={styles.timeline}>
      {moments.map((moment, at) => {
        const { mark, title } = moment;
        const Icon = ICONS[mark];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: moments are only added at the end.
          <li key={at} data-mark={mark}>
            <span className={styles.dot}>{Icon && <Icon size={13} stroke={2.25} aria-hidden />}</span>
            <div className={styles.what}>
              <b>{t(`moment.${title}`)}</b>
              {moment.at && (
                <time dateTime={moment.at}>
                  {mark === 'now' ? t('since', { time: clock(moment.at) }) : clock(moment.at)}
                </time>
              )}
              <Details moment={moment} effect={effect} answer={answer} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Details({ moment, effect, answer }: { moment: Moment } & Pick<Props, 'effect' | 'answer'>) {
  const { t } = useTranslation('commands');
  const { title, by, why, note, interlock } = moment;
  const lines: string[] = [];
  if (by) lines.push(by);
  if (isTold(why) && title !== 'waitSafeStop') lines.push(t(`why.${why}`));
  if (note) lines.push(t('note', { note }));
  if (title === 'waitSafeStop') {
    lines.push(
      interlock
        ? t('checks', {
            time: clock(interlock.checkedAt),
            failed: interlock.checks.filter(({ holds }) => !holds).length,
            all: interlock.checks.length,
          })
        : t('checksNone'),
    );
  }
  if ((title === 'acknowledged' || title === 'refused') && moment.mark !== 'future' && answer) {
    lines.push(t('answered', { answer }));
  }
  if ((title === 'effect' || title === 'waitEffect') && effect) lines.push(t(`effect.${effect}`));
  return lines.map(line => <p key={line}>{line}</p>);
}
