import { EXCEPTIONS, type Exception, type ExemptionName, isExemption, isRuleSetId, ruleSets } from '@milepost/hos';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { homeMoment, homeTime, momentInSentence } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { focusInvalid } from '../focus-invalid.ts';
import { isReason, REASON_MAX } from '../reason.ts';
import { clocksAt } from '../store/clocks.ts';
import { useAct } from '../use-act.ts';
import type { SheetProps } from './sheet-props.ts';

/** Exceptions of the driver's rules, which only the driver can know about; an exemption can also be ended. */
export function ExceptionSheet({ duty, onClose }: SheetProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { declared, exempt } = clocksAt(duty, Date.parse(duty.now));
  const { ruleset } = duty.dutyLog;
  const known = isRuleSetId(ruleset) ? ruleSets[ruleset].exceptions : {};
  const offered = EXCEPTIONS.filter(one => one in known && !declared.includes(one));
  const ofShift = declared.filter(one => one !== exempt);
  return (
    <div className={styles.form}>
      {isExemption(exempt) && <InForce duty={duty} onClose={onClose} exemption={exempt} />}
      {ofShift.length > 0 && (
        <Notice tone="ok">
          {t('exception.declared')}
          <ul className={styles.bullets}>
            {ofShift.map(one => (
              <li key={one}>{[t(`exception.names.${one}`), sinceOf(duty, one)].filter(Boolean).join(' · ')}</li>
            ))}
          </ul>
        </Notice>
      )}
      {offered.length > 0 && (
        <Declare offered={offered} onClose={onClose} variant={isExemption(exempt) ? 'default' : 'primary'} />
      )}
      {offered.length === 0 && declared.length === 0 && <p>{t('exception.none')}</p>}
    </div>
  );
}

const HOURS_16_MS = 16 * 3_600_000;

/** When it was declared, in the home terminal's time. */
function sinceOf({ dutyLog, now }: SheetProps['duty'], wanted: Exception): string | null {
  const since = dutyLog.declarations.findLast(({ exception }) => exception === wanted)?.start;
  if (!since) return null;
  const sinceMs = Date.parse(since);
  const isOfToday = Date.parse(now) - sinceMs < HOURS_16_MS;
  return (isOfToday ? homeTime : homeMoment)(sinceMs, dutyLog.timezone);
}

function InForce({ duty, exemption, onClose }: SheetProps & { readonly exemption: ExemptionName }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const since = duty.dutyLog.declarations.findLast(({ exception }) => exception === exemption)?.start;
  return (
    <section className={styles.form} aria-label={t(`exception.names.${exemption}`)}>
      <h3>{t(`exception.names.${exemption}`)}</h3>
      {since && <p>{t('exception.since', { time: momentInSentence(Date.parse(since), duty.dutyLog.timezone) })}</p>}
      <Button
        variant="primary"
        size="large"
        wide
        busy={busy}
        onClick={async () => {
          if (await run({ kind: 'end-exemption', exception: exemption }, t('exception.ended'))) onClose();
        }}
      >
        {t('exception.end')}
      </Button>
    </section>
  );
}

interface DeclareProps extends Pick<SheetProps, 'onClose'> {
  readonly offered: readonly Exception[];
  readonly variant: 'primary' | 'default';
}

function Declare({ offered, onClose, variant }: DeclareProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const [chosen, setChosen] = useState<string>('adverseDriving');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const exception = offered.find(one => one === chosen) ?? offered[0];
  if (!exception) return null;
  return (
    <form
      className={styles.form}
      onSubmit={async event => {
        event.preventDefault();
        setTried(true);
        if (!isReason(reason)) return focusInvalid(event.currentTarget);
        if (await run({ kind: 'declare', exception, reason: reason.trim() }, t('exception.saved'))) onClose();
      }}
    >
      <SelectField
        label={t('exception.which')}
        hint={t(`exception.text.${exception}`)}
        options={offered.map(one => ({ value: one, label: t(`exception.names.${one}`) }))}
        value={exception}
        onChange={event => setChosen(event.target.value)}
      />
      <TextField
        label={t('exception.reason')}
        hint={t('edit.reasonHint')}
        error={tried && !isReason(reason) ? t('edit.reasonMissing') : undefined}
        value={reason}
        maxLength={REASON_MAX}
        autoComplete="off"
        onChange={event => setReason(event.target.value)}
      />
      <Button type="submit" variant={variant} size="large" wide busy={busy}>
        {t('exception.save')}
      </Button>
    </form>
  );
}
