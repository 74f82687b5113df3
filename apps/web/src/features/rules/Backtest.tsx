import { type NewRule, newRuleSchema } from '@milepost/contract';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../base/describe-error.ts';
import { formatCount, numberFormat } from '../../format/locale.ts';
import { type Tested, useBacktest } from '../../rules/use-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import styles from './Backtest.module.css';
import { BacktestResults } from './BacktestResults.tsx';
import form from './RuleForm.module.css';
import { variantsOf } from './rule-form.ts';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const PERIODS = ['7', '30', '60'] as const;

interface Props {
  /** Null for a rule that isn't saved. */
  readonly ruleId: string | null;
  readonly draft: NewRule;
  readonly mayEdit: boolean;
  /** Uses another duration: minutes, or seconds for a rule about speed. */
  readonly onTry: (duration: number) => void;
}

/** The parts of a rule that decide when it alerts, without those that decide who is told. */
const termsOf = ({ conditions, geofenceIds, repeatMinutes, trigger, vehicles, when, where }: NewRule) => ({
  ...{ conditions, geofenceIds, repeatMinutes, trigger, vehicles, when, where },
});

/** Shows what the rule would have alerted in the past, before it alerts anyone. */
export function Backtest({ ruleId, draft, mayEdit, onTry }: Props) {
  const { t } = useTranslation('rules');
  const [days, setDays] = useState<(typeof PERIODS)[number]>('30');
  const { run, stop, tested } = useBacktest();
  const terms = termsOf(draft);
  const isValid = newRuleSchema.safeParse({ ...terms, name: '-' }).success;
  const isOld = tested !== null && JSON.stringify(tested.rule) !== JSON.stringify(terms);
  const isRunning = tested?.state === 'running';
  const start = (): void => run(terms, Number(days), variantsOf(terms.trigger));
  return (
    <section className={form.card} aria-label={t('test.title')} aria-busy={isRunning || undefined}>
      <div className={styles.testHead}>
        <h3>{t('test.title')}</h3>
        <SelectField
          label={t('test.period')}
          value={days}
          options={PERIODS.map(value => ({ value, label: t('test.days', { count: Number(value) }) }))}
          onChange={event => setDays(event.currentTarget.value as (typeof PERIODS)[number])}
        />
        {isRunning ? (
          <Button onClick={stop}>{t('test.stop')}</Button>
        ) : (
          <Button icon={<IconHistory {...ICON} />} disabled={!isValid} onClick={start}>
            {t(tested ? 'test.again' : 'test.run')}
          </Button>
        )}
      </div>
      {!isValid && <p className={form.quiet}>{t('test.incomplete')}</p>}
      {tested === null && isValid && <p className={form.quiet}>{t('test.text')}</p>}
      {tested && (
        <>
          <Progress tested={tested} />
          {tested.error && (
            <Notice tone="critical" role="alert">
              {describeError(tested.error).message}
            </Notice>
          )}
          {isOld && <Notice tone="warning">{t('test.old')}</Notice>}
          <BacktestResults ruleId={ruleId} tested={tested} mayTry={mayEdit} onTry={onTry} />
        </>
      )}
    </section>
  );
}

function Progress({ tested }: { readonly tested: Tested }) {
  const { t } = useTranslation('rules');
  const { positions, state, tookMs, total, vehicles } = tested;
  const figures = {
    done: formatCount(vehicles.size),
    count: total,
    positions: formatCount(positions),
    seconds: numberFormat({ maximumFractionDigits: 1 }).format(tookMs / 1000),
  };
  return (
    <div role="status" className={styles.progress}>
      {state === 'running' && <progress max={Math.max(1, total)} value={vehicles.size} aria-label={t('test.title')} />}
      <p className={form.quiet}>
        {t(state === 'done' ? 'test.done' : state === 'running' ? 'test.running' : 'test.stopped', figures)}
      </p>
    </div>
  );
}
