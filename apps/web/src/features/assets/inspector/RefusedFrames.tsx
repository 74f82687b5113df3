import { listRefusedFrames, type listRefusedReports, type RouteAnswer } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { describeError } from '../../../base/describe-error.ts';
import { formatMoment } from '../../../format/time.ts';
import { FrameView } from '../../../frames/lazy.ts';
import { useNow } from '../../../live/view.ts';
import styles from './RefusedReports.module.css';

interface Props {
  readonly vehicleId: string;
  readonly refused: Pick<RouteAnswer<typeof listRefusedReports>[number], 'cause' | 'protocol' | 'lastSeenAt'>;
}

/** The bytes of the last refused reports. */
export function RefusedFrames({ vehicleId, refused: { cause, lastSeenAt, protocol } }: Props) {
  const { t } = useTranslation('assets');
  const nowMs = useNow();
  const { data, error } = useQuery({
    queryKey: ['refused-frames', vehicleId, lastSeenAt],
    queryFn: () => call(listRefusedFrames, { params: { id: vehicleId } }),
  });
  if (!data) return <p aria-busy={!error}>{error ? describeError(error).message : ''}</p>;
  const frames = data.filter(frame => frame.cause === cause && frame.protocol === protocol);
  if (frames.length === 0) return <p>{t('refused.none')}</p>;
  return (
    <ul className={styles.frames}>
      {frames.map(frame => (
        <li key={`${frame.receivedAt} ${frame.bytes}`}>
          <small>
            {[formatMoment(Date.parse(frame.receivedAt), nowMs), frame.remoteAddress].filter(Boolean).join(' · ')}
          </small>
          <Part fallback={<div aria-busy="true" />}>
            <FrameView frame={frame} />
          </Part>
        </li>
      ))}
    </ul>
  );
}
