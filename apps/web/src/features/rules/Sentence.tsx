import { isDated, RULE_TRIGGERS, type RuleWord, SEVERITIES, type SentencePart } from '@milepost/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import type { Form } from '../../forms/use-form.ts';
import { VehiclesChoice } from '../../geofences/VehiclesChoice.tsx';
import type { RuleEditor } from '../../paths.ts';
import { WeekCalendar } from '../../rules/WeekCalendar.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Choices } from './Choices.tsx';
import { ConditionsEditor } from './ConditionsEditor.tsx';
import { CASE_PARTS, type CasePart } from './case-form.ts';
import { Days } from './Days.tsx';
import { OthersEditor } from './OthersEditor.tsx';
import { PeopleChoice } from './PeopleChoice.tsx';
import { PlacesEditor } from './PlacesEditor.tsx';
import styles from './RuleForm.module.css';
import { lasts, type RuleValues } from './rule-form.ts';

/** Fields that are outside the sentence. */
const OUTSIDE: ReadonlySet<string> = new Set([
  'name',
  'action',
  'message',
  'needsNote',
  'ownerId',
  'pushTo',
  'webhookIds',
]);

interface Props {
  readonly form: Form<RuleValues>;
  readonly parts: readonly SentencePart[];
  readonly mayEdit: boolean;
  /** All that its conditions can ask for, without an “or”; left out of an own rule. */
  readonly asks?: readonly CasePart[];
  /** The word whose fields are open from the first moment on. */
  readonly opens?: RuleEditor | null;
}

const TIMED_IN_SECONDS: ReadonlySet<string> = new Set(['speed', 'limit', 'vehicleLimit']);

/** The fields behind each word, to mark words with errors. */
const FIELDS: Readonly<Record<RuleWord, readonly string[]>> = {
  vehicles: ['vehicles'],
  trigger: ['trigger'],
  places: ['geofenceIds'],
  duration: ['trigger.minutes', 'trigger.seconds'],
  distance: ['trigger.meters'],
  others: ['trigger.otherIds'],
  speed: ['trigger.kmh'],
  over: ['trigger.overKmh'],
  range: ['trigger.min', 'trigger.max'],
  level: ['trigger.percent', 'trigger.volts'],
  moment: ['trigger.at', 'trigger.days', 'trigger.withinDays'],
  when: ['when', 'when.days', 'when.from', 'when.to'],
  conditions: ['conditions'],
  severity: ['severity'],
  repeat: ['repeatMinutes'],
  people: ['mailTo'],
  escalation: ['escalation', 'escalation.minutes', 'escalation.to'],
};

/** The rule as a sentence. Each word that can be changed is a button that opens its fields. */
export function Sentence({ form, parts, mayEdit, asks, opens = null }: Props) {
  const { t } = useTranslation('rules');
  const wrong = Object.entries(form.messages).filter(([field]) => !OUTSIDE.has(field));
  return (
    <>
      {/* Not a paragraph, which can't have the fields of a word in it. */}
      <div className={styles.sentence}>
        {joined(parts).map(({ part, after }) =>
          'word' in part ? (
            // The mark stays on the line of its word.
            <span key={part.word} className={styles.kept}>
              {mayEdit ? (
                <Popover
                  label={t(`edit.${part.word}`)}
                  opens={opens === part.word}
                  trigger={props => (
                    <button
                      type="button"
                      {...props}
                      className={styles.word}
                      aria-label={`${t(`edit.${part.word}`)}: ${part.text}`}
                      data-wrong={FIELDS[part.word].some(field => field in form.messages) || undefined}
                    >
                      {part.text}
                    </button>
                  )}
                >
                  <div className={styles.editor}>
                    <Editor word={part.word} form={form} asks={asks} />
                  </div>
                </Popover>
              ) : (
                <b>{part.text}</b>
              )}
              {after}
            </span>
          ) : (
            part.text
          ),
        )}
      </div>
      {wrong.length > 0 && (
        <p role="alert" className={styles.wrong}>
          {[...new Set(wrong.map(([, message]) => message))].join(' ')}
        </p>
      )}
    </>
  );
}

/** Each word with the mark that follows it. */
function joined(parts: readonly SentencePart[]): readonly { readonly part: SentencePart; readonly after: string }[] {
  return parts.map((part, nth) => {
    const next = parts[nth + 1];
    if ('word' in part) return { part, after: next && !('word' in next) ? markOf(next.text) : '' };
    return { part: nth === 0 ? part : { text: part.text.slice(markOf(part.text).length) }, after: '' };
  });
}

const markOf = (text: string): string => /^[,.:;…?!]+/.exec(text)?.[0] ?? '';

interface EditorProps extends Pick<Props, 'form'> {
  readonly asks: Props['asks'] | undefined;
  readonly word: RuleWord;
}

function Editor({ word, form, asks }: EditorProps): ReactNode {
  const { t } = useTranslation('rules');
  const system = useMeasureSystem();
  const { values, set } = form;
  switch (word) {
    case 'vehicles':
      return (
        <VehiclesChoice
          value={values.vehicles}
          onChange={vehicles => set('vehicles', vehicles)}
          error={form.messages.vehicles}
        />
      );
    case 'trigger':
      return (
        <Choices
          legend={t('edit.trigger')}
          name="kind"
          options={RULE_TRIGGERS.map(kind => ({ value: kind, label: t(`triggerText.${kind}`) }))}
          chosen={values.kind}
          onChoose={kind => set('kind', kind)}
        />
      );
    case 'places':
      return <PlacesEditor form={form} />;
    case 'duration':
      return TIMED_IN_SECONDS.has(values.kind) ? (
        <TextField {...form.text('trigger.seconds')} label={t('field.seconds')} inputMode="numeric" />
      ) : (
        <TextField {...form.text('trigger.minutes')} label={t('field.minutes')} inputMode="numeric" />
      );
    case 'distance':
      return (
        <TextField
          {...form.text('trigger.meters')}
          label={t('field.distance', { unit: system.distance === 'mi' ? 'ft' : 'm' })}
          inputMode="numeric"
        />
      );
    case 'others':
      return <OthersEditor form={form} />;
    case 'speed':
      return (
        <TextField
          {...form.text('trigger.kmh')}
          label={t('field.speed', { unit: system.distance === 'mi' ? 'mph' : 'km/h' })}
          inputMode="decimal"
        />
      );
    case 'over':
      return (
        <TextField
          {...form.text('trigger.overKmh')}
          label={t('field.over', { unit: system.distance === 'mi' ? 'mph' : 'km/h' })}
          hint={t(values.kind === 'limit' ? 'field.overHint' : 'field.ownLimitHint')}
          inputMode="decimal"
        />
      );
    case 'conditions':
      return (
        <ConditionsEditor
          form={form}
          parts={asks ?? CASE_PARTS.filter(part => part !== 'minutes' || lasts(values.kind))}
          hasOr={asks === undefined}
        />
      );
    case 'range': {
      const unit = system.temperature === 'f' ? '°F' : '°C';
      return (
        <>
          <TextField {...form.text('trigger.min')} label={t('field.colder', { unit })} autoComplete="off" />
          <TextField
            {...form.text('trigger.max')}
            label={t('field.warmer', { unit })}
            hint={t('field.rangeHint')}
            autoComplete="off"
          />
        </>
      );
    }
    case 'level':
      return values.kind === 'voltage' ? (
        <TextField {...form.text('trigger.volts')} label={t('field.volts')} inputMode="decimal" />
      ) : (
        <TextField
          {...form.text('trigger.percent')}
          label={t(values.kind === 'fuel' ? 'field.fuel' : 'field.battery')}
          inputMode="decimal"
        />
      );
    case 'moment':
      if (isDated(values.kind)) {
        return <TextField {...form.text('trigger.withinDays')} label={t('field.withinDays')} inputMode="numeric" />;
      }
      return (
        <>
          <TextField {...form.text('trigger.at')} label={t('field.at')} type="time" />
          <Days chosen={values['trigger.days']} onChange={days => set('trigger.days', days)} />
        </>
      );
    case 'when':
      return (
        <>
          <Choices
            legend={t('edit.when')}
            name="when"
            options={(['always', 'within', 'outside'] as const).map(value => ({
              value,
              label: t(`whenText.${value}`),
            }))}
            chosen={values.when}
            onChoose={when => set('when', when)}
          />
          {values.when !== 'always' && (
            <>
              <div className={styles.times}>
                <TextField {...form.text('when.from')} label={t('field.from')} type="time" />
                <TextField {...form.text('when.to')} label={t('field.to')} type="time" />
              </div>
              <Days chosen={values['when.days']} onChange={days => set('when.days', days)} />
              <WeekCalendar
                when={{
                  ...{ is: values.when, days: [...values['when.days']] },
                  ...{ from: values['when.from'], to: values['when.to'] },
                }}
                label={t('schedule.preview')}
              />
              <p className={styles.quiet}>{t('whenHint')}</p>
            </>
          )}
        </>
      );
    case 'severity':
      return (
        <Choices
          legend={t('edit.severity')}
          name="severity"
          options={SEVERITIES.map(severity => ({ value: severity, label: t(`severityText.${severity}`) }))}
          chosen={values.severity}
          onChoose={severity => set('severity', severity)}
        />
      );
    case 'repeat':
      return (
        <TextField
          {...form.text('repeatMinutes')}
          label={t('field.repeat')}
          hint={t('field.repeatHint')}
          inputMode="numeric"
        />
      );
    case 'people':
      return <PeopleEditor form={form} />;
    case 'escalation':
      return <EscalationEditor form={form} />;
  }
}

function PeopleEditor({ form: { set, values } }: { readonly form: Form<RuleValues> }) {
  const { t } = useTranslation('rules');
  return (
    <PeopleChoice
      legend={t('edit.people')}
      name="people"
      none={t('peopleText.chosen')}
      hint={t('peopleText.hint')}
      value={values.mailTo}
      onChange={people => set('mailTo', people)}
    />
  );
}

function EscalationEditor({ form }: { readonly form: Form<RuleValues> }) {
  const { t } = useTranslation('rules');
  const to = form.values['escalation.to'];
  return (
    <>
      {to !== null && (
        <TextField {...form.text('escalation.minutes')} label={t('field.escalation')} inputMode="numeric" />
      )}
      <PeopleChoice
        legend={t('edit.escalation')}
        name="escalation"
        none={t('peopleText.nobodyElse')}
        hint={t('peopleText.escalationHint')}
        value={to}
        onChange={people => form.set('escalation.to', people)}
      />
    </>
  );
}
