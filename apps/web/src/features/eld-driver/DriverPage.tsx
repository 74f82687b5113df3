import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { withTexts } from '../../base/chunks/with-texts.ts';
import { useConnectivity } from '../../base/connectivity.ts';
import { useSession } from '../../base/session/session.ts';
import { stripOnly } from '../../base/strip-only.ts';
import styles from './Driver.module.css';
import { HomeView } from './home/HomeView.tsx';
import { LATER_TEXTS } from './later-texts.ts';
import { OPENED } from './opened.ts';
import { useRoadside } from './roadside/roadside.ts';
import { useDriverDuty } from './store/driver-duty.ts';
import { useDuty, useKeptInStep } from './store/use-duty.ts';
import { useView } from './view.ts';

/** Only if a phone that has no log yet can't load it. */
const ReadState = lazyChunk(async () => (await import('../../registry/ReadState.tsx')).ReadState);
const RoadsideView = withTexts(
  async () => ({ Component: (await import('./roadside/RoadsideView.tsx')).RoadsideView }),
  LATER_TEXTS,
);
const PinGate = withTexts(async () => ({ Component: (await import('./home/PinGate.tsx')).PinGate }), LATER_TEXTS);
const NoLog = withTexts(async () => ({ Component: (await import('./NoLog.tsx')).NoLog }), LATER_TEXTS);
const Views = withTexts(async () => ({ Component: (await import('./Views.tsx')).Views }), LATER_TEXTS);

/** A driver's own log on a phone. */
export function Component() {
  const { t } = useTranslation(['eldDriver', 'shell']);
  const owner = useSession(session => session.me?.id ?? null);
  // Without a connection the clocks must stay visible, so only a strip says that it is lost.
  useEffect(stripOnly, []);
  return (
    <>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      {owner !== null && <DriverLog owner={owner} />}
    </>
  );
}

function DriverLog({ owner }: { readonly owner: string }) {
  const { t } = useTranslation('eldDriver');
  const { error, retry } = useKeptInStep(owner);
  const hasNoLog = useDriverDuty(state => state.hasNoLog);
  const duty = useDuty();
  const online = useConnectivity(state => state.status === 'online');
  const { view } = useView();
  const roadside = useRoadside(state => state.mode);
  const isEnrolled = useDriverDuty(state => Boolean(state.enrollment));
  const [isOpen, setOpen] = useState(() => sessionStorage.getItem(OPENED) === owner);
  const noteOpen = () => {
    sessionStorage.setItem(OPENED, owner);
    setOpen(true);
  };
  if (hasNoLog) {
    return (
      <Part>
        <NoLog />
      </Part>
    );
  }
  if (isEnrolled && !isOpen && sessionStorage.getItem(OPENED) !== owner && roadside === null) {
    return (
      <Part>
        <PinGate onOpen={noteOpen} />
      </Part>
    );
  }
  if (duty === null) {
    return (
      <div className={styles.page}>
        <h1>{t('title')}</h1>
        {!online && <p>{t('nothingKept')}</p>}
        <Part>{online && error && <ReadState error={error} onRetry={retry} />}</Part>
        {online && !error && <div className={styles.hoursLoading} aria-busy />}
      </div>
    );
  }
  if (roadside !== null) {
    return (
      <Part>
        <RoadsideView duty={duty} mode={roadside} />
      </Part>
    );
  }
  return (
    <>
      {view !== 'log' && <HomeView duty={duty} />}
      <Part>{view !== null && <Views view={view} duty={duty} />}</Part>
    </>
  );
}
