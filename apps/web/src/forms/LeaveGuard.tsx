import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { OPEN_PARAMETER } from '../paths.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './LeaveGuard.module.css';

/** Where the user wanted to go when they were asked. */
interface Wish {
  readonly url: URL;
  /** The entry of the history to go back or forward to. */
  readonly key: string | null;
}

/** A form stays open while its page and drawer stay, so filters and searches don't discard it. */
export const leaves = (from: URL, to: URL): boolean =>
  from.pathname !== to.pathname || from.searchParams.get(OPEN_PARAMETER) !== to.searchParams.get(OPEN_PARAMETER);

/**
 * Asks before unsaved changes are left behind: by a link, by back and forward, or by closing the page. It cancels the
 * browser's own navigation (HTML, "navigate event"), so no router has to know of it.
 */
export function LeaveGuard({ dirty }: { readonly dirty: boolean }) {
  const { t } = useTranslation('forms');
  const navigate = useNavigate();
  const [wish, setWish] = useState<Wish | null>(null);
  /** The next navigation is the one that was asked about. */
  const goingOn = useRef(false);

  useEffect(() => {
    if (!dirty) return;
    const onNavigate = (event: NavigateEvent): void => {
      if (goingOn.current) {
        goingOn.current = false;
        return;
      }
      const url = new URL(event.destination.url);
      if (!event.cancelable || !event.destination.sameDocument || !leaves(new URL(location.href), url)) return;
      event.preventDefault();
      setWish({ url, key: event.navigationType === 'traverse' ? event.destination.key : null });
    };
    // A browser without it still asks before the page is closed.
    const navigation = 'navigation' in window ? window.navigation : null;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    navigation?.addEventListener('navigate', onNavigate);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      navigation?.removeEventListener('navigate', onNavigate);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [dirty]);

  const stay = () => setWish(null);
  const leave = (): void => {
    if (!wish) return;
    const { url, key } = wish;
    setWish(null);
    goingOn.current = true;
    if (key !== null) window.navigation.traverseTo(key);
    else void navigate(url.pathname + url.search + url.hash);
  };

  return (
    <Dialog open={wish !== null} onClose={stay} title={t('leave.title')} closeLabel={t('close')}>
      <p>{t('leave.text')}</p>
      <div className={styles.actions}>
        <Button onClick={leave}>{t('leave.leave')}</Button>
        <Button variant="primary" onClick={stay} data-autofocus>
          {t('leave.stay')}
        </Button>
      </div>
    </Dialog>
  );
}
