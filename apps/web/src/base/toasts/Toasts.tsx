import { IconAlertCircle, IconCircleCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/IconButton.tsx';
import { onSessionEnd } from '../session/session.ts';
import styles from './Toasts.module.css';
import { dismissToast, forgetToasts, staysOpen, TOAST_MS, type Toast, useToasts } from './toast.ts';

onSessionEnd(forgetToasts);

const ICONS = { ok: IconCircleCheck, info: IconInfoCircle, error: IconAlertCircle } as const;

/** Short messages at the bottom, one at a time. A message stays while it is hovered or focused. */
export function Toasts() {
  const first = useToasts(({ queue }) => queue[0]);
  return (
    <div className={styles.place}>
      {/* The live region must be in the page before its text, or screen readers don't read it. */}
      <div role="status">{first && first.tone !== 'error' && <ToastBar toast={first} />}</div>
      <div role="alert">{first?.tone === 'error' && <ToastBar toast={first} />}</div>
    </div>
  );
}

function ToastBar({ toast }: { readonly toast: Toast }) {
  const { t } = useTranslation('shell');
  const [held, setHeld] = useState(false);
  const Icon = ICONS[toast.tone];

  useEffect(() => {
    if (held || staysOpen(toast)) return;
    const timer = setTimeout(() => dismissToast(toast), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast, held]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: holding the toast is a courtesy to pointers; nothing needs it.
    <div
      className={styles.toast}
      data-tone={toast.tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} stroke={1.75} aria-hidden />
      <span>{toast.message}</span>
      {toast.action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            toast.action?.run();
            dismissToast(toast);
          }}
        >
          {toast.action.label}
        </button>
      )}
      <IconButton label={t('close')} tooltip="none" className={styles.close} onClick={() => dismissToast(toast)}>
        <IconX size={16} stroke={1.75} aria-hidden />
      </IconButton>
    </div>
  );
}
