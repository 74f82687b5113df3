import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { OPEN_PARAMETER } from '../paths.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './LeaveGuard.module.css';

/** Where the user was going when they were asked. */
interface Wish {
  readonly url: URL;
  /** The history entry to go back or forward to. */
  readonly key: string | null;
}

/**
 * Whether a navigation leaves the form. Changing only filters or a search doesn't: the form stays with its page and
 * drawer.
 */
export const leaves = (from: URL, to: URL): boolean =>
  from.pathname !== to.pathname || from.searchParams.get(OPEN_PARAMETER) !== to.searchParams.get(OPEN_PARAMETER);

/**
 * Asks before the user leaves unsaved changes by a link, by back or forward, or by closing the page. It cancels the
 * browser's own navigation (HTML, "navigate event"), so it works without the router.
 */
export function LeaveGuard({ dirty }: { readonly dirty: boolean }) {
  const { t } = useTranslation('forms');
  const navigate = useNavigate();
  const [wish, setWish] = useState<Wish | null>(null);
  /** The user has agreed to leave: let the next navigation through. */
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
    // Browsers without the Navigation API still ask before the page is closed.
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
