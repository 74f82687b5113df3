import { listUnknownFrames, type RouteAnswer, readUnknownFrame, TRACKERS } from '@milepost/contract';
import { IconChevronDown, IconChevronUp, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { copyText } from '../../../base/copy-text.ts';
import { describeError } from '../../../base/describe-error.ts';
import { formatMoment } from '../../../format/time.ts';
import { FrameView } from '../../../frames/lazy.ts';
import { useNow } from '../../../live/view.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from './UnknownFrames.module.css';

type UnknownFrame = RouteAnswer<typeof listUnknownFrames>[number];

/** Frames that no decoder could read. Operators can look at them and copy them for a bug report. */
export function UnknownFrames({ version }: { readonly version: string }) {
  const { t } = useTranslation('settings');
  const { data, error } = useQuery({ queryKey: ['unknown-frames'], queryFn: () => call(listUnknownFrames) });
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Card title={t('system.frames.title')} text={t('system.frames.text')}>
      {error && (
        <p role="alert">
          {t('system.frames.failed')}: {describeError(error).message}
        </p>
      )}
      {data?.length === 0 && <p>{t('system.frames.none')}</p>}
      <ul className={styles.frames} aria-busy={!data && !error}>
        {data?.map(frame => (
          <Row
            key={frame.id}
            frame={frame}
            version={version}
            isOpen={frame.id === open}
            onToggle={() => setOpen(frame.id === open ? null : frame.id)}
          />
        ))}
      </ul>
    </Card>
  );
}

interface RowProps {
  readonly frame: UnknownFrame;
  readonly version: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Row({ frame, version, isOpen, onToggle }: RowProps) {
  const { t } = useTranslation('settings');
  const id = useId();
  const { at, code, imei, protocol, receivedAt, remoteAddress } = frame;
  const time = formatMoment(Date.parse(receivedAt), useNow());
  const why = t(`system.frames.why.${code}` as 'system.frames.why.bad-field', { defaultValue: code });
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <li>
      <button type="button" className={styles.row} aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
        <span>
          <b>
            {TRACKERS[protocol].title}: {why}, {t('system.frames.at', { at })}
          </b>
          <small>
            {imei === null
              ? t('system.frames.stranger', { address: remoteAddress ?? '?' })
              : t('system.frames.tracker', { imei })}{' '}
            · {time}
          </small>
        </span>
        <Chevron size={16} stroke={1.75} aria-hidden />
      </button>
      <div id={id}>{isOpen && <Opened frame={frame} version={version} />}</div>
    </li>
  );
}

function Opened({ frame, version }: { readonly frame: UnknownFrame; readonly version: string }) {
  const { t } = useTranslation(['settings', 'forms']);
  const { data, error } = useQuery({
    queryKey: ['unknown-frames', frame.id],
    queryFn: () => call(readUnknownFrame, { params: { id: frame.id } }),
  });
  const report = reportOf(frame, version);
  if (!data) return <p aria-busy={!error}>{error ? describeError(error).message : ''}</p>;
  return (
    <div className={styles.opened}>
      <Part fallback={<div aria-busy="true" />}>
        <FrameView frame={{ bytes: data.frame, length: data.length, parts: data.parts }} />
      </Part>
      <h3>{t('system.frames.reportTitle')}</h3>
      <p>{t('system.frames.report')}</p>
      <pre>{report}</pre>
      <Button onClick={() => void copyText(report, t('system.frames.reportCopied'), t('forms:copyFailed'))}>
        <IconCopy size={16} stroke={1.75} aria-hidden />
        {t('system.frames.copyReport')}
      </Button>
    </div>
  );
}

/** For developers, so in English. Contains no account, address or time. */
const reportOf = ({ protocol, code, at, length, frame }: UnknownFrame, version: string): string =>
  [`Milepost ${version} could not read a ${protocol} frame.`, `${code} at byte ${at} of ${length}`, frame].join('\n');
