import type { ShownRecord } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { focusInvalid } from '../focus-invalid.ts';
import { isReason, REASON_MAX } from '../reason.ts';
import { useAct } from '../use-act.ts';

interface Props {
  readonly record: ShownRecord;
  readonly onClose: () => void;
}

/** Adds a remark to a record (Appendix A, 4.3.2.6). */
export function RemarkSheet({ record, onClose }: Props) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  return (
    <form
      className={styles.form}
      onSubmit={async event => {
        event.preventDefault();
        setTried(true);
        if (!isReason(text)) return focusInvalid(event.currentTarget);
        if (await run({ kind: 'annotate', record: record.id, text: text.trim() }, t('edit.remarkSaved'))) onClose();
      }}
    >
      <TextField
        label={t('edit.remark')}
        hint={t('edit.reasonHint')}
        error={tried && !isReason(text) ? t('edit.reasonMissing') : undefined}
        value={text}
        maxLength={REASON_MAX}
        autoComplete="off"
        data-autofocus
        onChange={event => setText(event.target.value)}
      />
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {t('edit.save')}
      </Button>
    </form>
  );
}
