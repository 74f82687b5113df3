import type { ShownStatus } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { isReason, REASON_MAX } from '../reason.ts';
import { useAct } from '../use-act.ts';

/**
 * Asks before a status change: shows a field for a note and, before personal use, what doesn't count as personal use.
 */
export function Component({ status, onClose }: { readonly status: ShownStatus | null; readonly onClose: () => void }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  return (
    <Dialog
      open={status !== null}
      onClose={onClose}
      title={status === null ? '' : t('change.title', { status: t(`logbook:status.${status}`) })}
      closeLabel={t('change.close')}
    >
      {status !== null && <Form status={status} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ status, onClose }: { readonly status: ShownStatus; readonly onClose: () => void }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const { busy, run } = useAct();
  const [note, setNote] = useState('');
  const [agreed, setAgreed] = useState(false);
  const [tried, setTried] = useState(false);
  // Driving that no tracker has recorded needs a reason in the log.
  const needsNote = status === 'D' || status === 'PC' || status === 'YM';
  const isFine = note.trim() === '' ? !needsNote : isReason(note);
  const isAllowed = status !== 'PC' || agreed;
  const excluded = t('change.pc', { returnObjects: true }) as readonly string[];

  async function save(): Promise<void> {
    setTried(true);
    if (!isFine || !isAllowed) return;
    const saved = t('change.saved', { status: t(`logbook:status.${status}`) });
    if (await run({ kind: 'status', status, note: note.trim() }, saved)) onClose();
  }

  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault();
        void save();
      }}
    >
      {status === 'D' && <p>{t('change.driving')}</p>}
      {status === 'YM' && <p>{t('change.ym')}</p>}
      {status === 'PC' && (
        <>
          <h3>{t('change.pcTitle')}</h3>
          <ul className={styles.bullets}>
            {excluded.map(one => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <Checkbox className={styles.check} checked={agreed} onChange={event => setAgreed(event.target.checked)}>
            {t('change.pcAgree')}
          </Checkbox>
        </>
      )}
      <TextField
        label={t('change.note')}
        optional={needsNote ? undefined : t('change.optional')}
        hint={t('change.noteHint')}
        error={tried && !isFine ? t('change.noteMissing') : undefined}
        value={note}
        maxLength={REASON_MAX}
        autoComplete="off"
        onChange={event => setNote(event.target.value)}
      />
      <Button type="submit" variant="primary" size="large" wide busy={busy} disabled={!isAllowed} data-autofocus>
        {t('change.save')}
      </Button>
      <Button size="large" wide onClick={onClose}>
        {t('change.cancel')}
      </Button>
    </form>
  );
}
