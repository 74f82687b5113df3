import { listFrames } from '@milepost/contract';
import { IconArrowLeft, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { describeError } from '../../../base/describe-error.ts';
import { formatClock } from '../../../format/time.ts';
import { FrameView } from '../../../frames/lazy.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import styles from './RawFrame.module.css';

interface Props {
  readonly vehicleId: string;
  /** When the message was received, and the time of its fix. */
  readonly receivedAt: string;
  readonly fixMs: number;
  readonly onBack: () => void;
  /** Null: there is none. */
  readonly onNewer: (() => void) | null;
  readonly onOlder: (() => void) | null;
}

/** The frame that brought a message, byte by byte. */
export function RawFrame({ vehicleId, receivedAt, fixMs, onBack, onNewer, onOlder }: Props) {
  const { t } = useTranslation('dashboard');
  const { data, error } = useQuery({
    queryKey: ['frames', vehicleId, receivedAt],
    queryFn: () => call(listFrames, { params: { id: vehicleId }, query: { receivedAt, limit: 50 } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const frame = data?.find(({ fixes }) => fixes.some(fix => Date.parse(fix) === fixMs)) ?? data?.[0];
  return (
    <section className={styles.frame} aria-label={t('raw.frameOf', { time: formatClock(fixMs) })}>
      <header className={styles.head}>
        <IconButton ref={back} label={t('raw.back')} tooltip="right" onClick={onBack}>
          <IconArrowLeft size={16} stroke={1.75} aria-hidden />
        </IconButton>
        <b>{t('raw.frameOf', { time: formatClock(fixMs) })}</b>
        {frame && <span>{`${frame.protocol} · ${frame.over.toUpperCase()}`}</span>}
        <IconButton label={t('raw.newer')} tooltip="left" disabled={!onNewer} onClick={() => onNewer?.()}>
          <IconChevronUp size={16} stroke={1.75} aria-hidden />
        </IconButton>
        <IconButton label={t('raw.older')} tooltip="left" disabled={!onOlder} onClick={() => onOlder?.()}>
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </header>
      {frame ? (
        <Part fallback={<div aria-busy="true" />}>
          <FrameView key={`${receivedAt}${frame.bytes.length}`} frame={frame} />
        </Part>
      ) : (
        <p className={styles.none} role={error ? 'alert' : 'status'} aria-busy={!data && !error}>
          {error ? `${t('raw.frameFailed')}: ${describeError(error).message}` : data ? t('raw.frameGone') : ''}
        </p>
      )}
    </section>
  );
}
