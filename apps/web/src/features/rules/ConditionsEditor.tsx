import { RULE_OR_MAX } from '@milepost/contract';
import { IconPlus } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { Form } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { CasePartField } from './CasePartField.tsx';
import { BEGUN, CASE_PARTS, type CasePart, type CaseValues, NO_CASE } from './case-form.ts';
import styles from './RuleForm.module.css';
import type { RuleValues } from './rule-form.ts';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

interface Props {
  readonly form: Form<RuleValues>;
  /** What can be asked for. */
  readonly parts: readonly CasePart[];
  /** Whether there may be an “or”. */
  readonly hasOr: boolean;
}

/** What else must be true: lists of things that must all be, of which one list is enough. */
export function ConditionsEditor({ form: { messages, set, values }, parts, hasOr }: Props) {
  const { t } = useTranslation('rules');
  const cases = values.conditions;
  const change = (nth: number, one: CaseValues): void => set('conditions', cases.with(nth, one));
  return (
    <>
      {messages.conditions && (
        <p role="alert" className={styles.wrong}>
          {messages.conditions}
        </p>
      )}
      {cases.map((one, nth) => {
        const offered = CASE_PARTS.filter(part => parts.includes(part) || one[part] !== null);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that a case is known by
          <fieldset key={nth} className={styles.case}>
            <legend>{t(nth === 0 ? 'conditions.first' : 'conditions.or')}</legend>
            {offered.map(part => (
              <Fragment key={part}>
                <Checkbox
                  checked={one[part] !== null}
                  onChange={event => change(nth, { ...one, [part]: event.currentTarget.checked ? BEGUN[part] : null })}
                >
                  {t(`conditions.part.${part}`)}
                </Checkbox>
                {one[part] !== null && (
                  <div className={styles.casePart}>
                    <CasePartField part={part} nth={nth} value={one} onChange={next => change(nth, next)} />
                  </div>
                )}
              </Fragment>
            ))}
            {nth > 0 && (
              <Button onClick={() => set('conditions', cases.toSpliced(nth, 1))}>{t('conditions.removeCase')}</Button>
            )}
          </fieldset>
        );
      })}
      {hasOr && cases.length <= RULE_OR_MAX && CASE_PARTS.some(part => cases.at(-1)?.[part] !== null) && (
        <Button icon={<IconPlus {...ICON} />} onClick={() => set('conditions', [...cases, NO_CASE])}>
          {t('conditions.addCase')}
        </Button>
      )}
    </>
  );
}
