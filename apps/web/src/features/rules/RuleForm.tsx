import { isDated, may, type NewRule, newRuleSchema, type Rule } from '@milepost/contract';
import { IconCheck, IconCopy, IconTrash, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { MuteMenu, MuteNotes } from '../../rules/Mute.tsx';
import { Reach } from '../../rules/Reach.tsx';
import { useRuleSentence, useRuleTexts } from '../../rules/rule-words.ts';
import { addRule, changeRule } from '../../rules/use-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Backtest } from './Backtest.tsx';
import { Channels } from './Channels.tsx';
import { Instructions } from './Instructions.tsx';
import { MutedVehicles } from './MutedVehicles.tsx';
import { usePeople } from './PeopleChoice.tsx';
import styles from './RuleForm.module.css';
import { bodyOf, valuesOf } from './rule-form.ts';
import { Sentence } from './Sentence.tsx';
import { useEditorOfAddress } from './use-editor-of-address.ts';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

interface Props {
  /** Null to add a rule. */
  readonly rule: Rule | null;
  /** The rule that a new one is copied from. */
  readonly from: Rule | null;
  /** The geofence of a new rule. */
  readonly geofenceId: string | null;
  readonly onSaved: (rule: Rule) => void;
  readonly onClose: () => void;
  readonly onDelete: () => void;
  readonly onDuplicate: () => void;
}

/** One rule: its sentence, its test on the past, and who is alerted. */
export function RuleForm({ rule, from, geofenceId, onSaved, onClose, onDelete, onDuplicate }: Props) {
  const { t } = useTranslation(['rules', 'forms', 'registry']);
  const system = useMeasureSystem();
  const mayEdit = useSession(({ me }) => me !== null && may(me, 'rules.write'));
  const sentence = useRuleSentence();
  const texts = useRuleTexts();
  const people = usePeople();
  const opens = useEditorOfAddress();
  /** Whether the pressed button turns the rule on or off; null if neither. */
  const turns = useRef<boolean | null>(null);
  const begun: NewRule | null = from
    ? { ...from, name: t('copyOf', { name: from.name }), isOn: false, ownerId: null }
    : geofenceId === null
      ? null
      : { name: '', trigger: { kind: 'stay', minutes: 30 }, geofenceIds: [geofenceId] };
  const form = useForm({
    schema: newRuleSchema,
    initial: valuesOf(rule ?? begun, system),
    toBody: values => {
      const body = bodyOf({ ...values, isOn: turns.current ?? values.isOn }, system, rule ?? begun);
      // A new rule belongs to the user who creates it.
      return rule === null && body.ownerId === null ? { ...body, ownerId: undefined } : body;
    },
    problemFields: { 'rule-name-taken': 'name' },
    save: body => (rule ? changeRule(rule.id, body) : addRule(body)),
    held: saved => valuesOf(saved, system),
    onSaved: saved => {
      toast(t(rule?.isOn === saved.isOn ? 'saved' : saved.isOn ? 'turnedOn' : 'savedOff', { name: saved.name }));
      onSaved(saved);
    },
  });
  const { values } = form;
  const draft = bodyOf(values, system, rule ?? begun);
  const parts = sentence(draft);
  const send = (isOn: boolean | null): void => {
    turns.current = isOn;
    form.submit();
  };
  const title = rule?.name ?? t('new');

  return (
    <FormFrame form={form} guarded label={title} className={styles.form}>
      <header className={styles.formHead}>
        <h2>{title}</h2>
        <Chip tone={rule?.isOn ? 'ok' : 'neutral'}>{t(rule ? (rule.isOn ? 'isOn' : 'isOff') : 'isDraft')}</Chip>
        <span className={styles.headEnd}>
          {rule?.isOn && <MuteMenu id={rule.id} name={rule.name} mayEdit={mayEdit} />}
          {mayEdit && rule && (
            <IconButton label={t('duplicate')} tooltip="bottom-end" onClick={onDuplicate}>
              <IconCopy {...ICON} size={18} />
            </IconButton>
          )}
          {mayEdit && rule && (
            <IconButton label={t('delete')} tooltip="bottom-end" onClick={onDelete}>
              <IconTrash {...ICON} size={18} />
            </IconButton>
          )}
          <IconButton label={t('registry:closeDrawer')} tooltip="bottom-end" onClick={onClose}>
            <IconX {...ICON} size={18} />
          </IconButton>
        </span>
      </header>
      <div className={styles.body}>
        <div className={styles.main}>
          {rule && <MuteNotes id={rule.id} name={rule.name} mutes={rule.mutes} mayEdit={mayEdit} />}
          {rule && <MutedVehicles about={rule.id} rule={rule} />}
          <section className={styles.card} aria-label={t('sentence.title')}>
            {mayEdit && (
              <TextField {...form.text('name')} label={t('name')} autoComplete="off" placeholder={t('nameHint')} />
            )}
            <Sentence form={form} parts={parts} mayEdit={mayEdit} opens={opens} />
            {mayEdit && <p className={styles.quiet}>{t('sentence.hint')}</p>}
          </section>
          {isDated(draft.trigger.kind) ? (
            <p className={styles.quiet}>{t('test.dated')}</p>
          ) : (
            <Backtest
              ruleId={rule?.id ?? null}
              draft={draft}
              onTry={duration =>
                form.set('seconds' in draft.trigger ? 'trigger.seconds' : 'trigger.minutes', String(duration))
              }
              mayEdit={mayEdit}
            />
          )}
        </div>
        <aside className={styles.aside} aria-label={t('after.title')}>
          <section className={styles.card}>
            <h3>{t('after.title')}</h3>
            <Channels form={form} mayEdit={mayEdit} opens={opens} />
            {mayEdit && <Reach rule={draft} ruleId={rule?.id ?? null} />}
            {mayEdit ? (
              <SelectField
                label={t('owner')}
                value={values.ownerId}
                options={[
                  { value: '', label: t(rule ? 'ownerNone' : 'ownerMe') },
                  ...people.map(({ displayName, id }) => ({ value: id, label: displayName })),
                ]}
                onChange={event => form.set('ownerId', event.currentTarget.value)}
              />
            ) : (
              rule?.ownerId && (
                <p>
                  <b>{t('owner')}</b> {people.find(({ id }) => id === rule.ownerId)?.displayName ?? texts.word.someone}
                </p>
              )
            )}
            <Instructions form={form} mayEdit={mayEdit} name={form.values.name.trim() || t('new')} />
            {rule && (
              <p className={styles.quiet}>
                {t('alerts', { count: rule.alerts.count })}
                {rule.alerts.count > 0 && ` ${t('alertsAcknowledged', { count: rule.alerts.acknowledged })}`}
              </p>
            )}
          </section>
        </aside>
      </div>
      {mayEdit && (
        <footer className={styles.foot}>
          <Button onClick={form.discard} disabled={form.changed.length === 0}>
            {t('forms:discard')}
          </Button>
          <span className={styles.gap} />
          {rule?.isOn && <Button onClick={() => send(false)}>{t('turnOff')}</Button>}
          <Button
            variant={rule?.isOn ? 'primary' : 'default'}
            busy={form.saving && turns.current === null}
            disabled={rule !== null && form.changed.length === 0}
            onClick={() => send(null)}
          >
            {t(rule?.isOn ? 'save' : 'saveDraft')}
          </Button>
          {!rule?.isOn && (
            <Button
              variant="primary"
              icon={<IconCheck {...ICON} />}
              busy={form.saving && turns.current === true}
              onClick={() => send(true)}
            >
              {t('turnOn')}
            </Button>
          )}
        </footer>
      )}
    </FormFrame>
  );
}
