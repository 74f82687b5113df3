import { answerDispute, type PerformanceDays } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useWrite } from '../use-write.ts';
import styles from './Inspector.module.css';

interface Props {
  readonly driverId: string;
  readonly name: string;
  readonly days: PerformanceDays;
  readonly evidence: string;
}

/** The contract's limit. */
const ANSWER_MAX = 500;

/** The desk's decision about what a driver disputes, and its reason, which the driver reads. */
export function DisputeAnswer({ driverId, name, days, evidence }: Props) {
  const { t } = useTranslation(['eld', 'forms']);
  const [text, setText] = useState('');
  const { mutate, isPending, variables } = useWrite(
    (accept: boolean) =>
      call(answerDispute, { params: { driverId }, query: { days }, body: { evidence, accept, text: text.trim() } }),
    t('dispute.answered', { name }),
  );
  return (
    <div className={styles.answer}>
      <TextField
        label={t('dispute.answer')}
        optional={t('forms:optional')}
        hint={t('dispute.answerHint', { name })}
        value={text}
        maxLength={ANSWER_MAX}
        autoComplete="off"
        onChange={event => setText(event.currentTarget.value)}
      />
      <div className={styles.actions}>
        <Button busy={isPending && variables === true} onClick={() => !isPending && mutate(true)}>
          {t('dispute.accept')}
        </Button>
        <Button busy={isPending && variables === false} onClick={() => !isPending && mutate(false)}>
          {t('dispute.reject')}
        </Button>
      </div>
    </div>
  );
}
