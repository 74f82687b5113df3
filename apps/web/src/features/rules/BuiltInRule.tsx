import {
  type BuiltInRule as BuiltIn,
  type BuiltInKind,
  builtInRuleChangeSchema,
  isAboutVehicle,
  isReported,
  may,
  readNotificationSettings,
} from '@milepost/contract';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../base/api.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { paths } from '../../paths.ts';
import { MuteMenu, MuteNotes } from '../../rules/Mute.tsx';
import { Reach } from '../../rules/Reach.tsx';
import { useBuiltInSentence } from '../../rules/rule-words.ts';
import { changeBuiltInRule } from '../../rules/use-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { BuiltInTest } from './BuiltInTest.tsx';
import { builtInBody, builtInValues } from './built-in.ts';
import { Channels } from './Channels.tsx';
import { Instructions } from './Instructions.tsx';
import { MutedVehicles } from './MutedVehicles.tsx';
import styles from './RuleForm.module.css';
import { Sentence } from './Sentence.tsx';
import { useEditorOfAddress } from './use-editor-of-address.ts';

interface Props {
  readonly rule: BuiltIn;
  readonly onClose: () => void;
}

/** One built-in alert: when it comes, how severe it is, and who gets it. Owners and admins can change or turn it off. */
export function BuiltInRule({ rule, onClose }: Props) {
  const { t } = useTranslation(['rules', 'alerts', 'forms', 'registry']);
  const { kind } = rule;
  const system = useMeasureSystem();
  const opens = useEditorOfAddress();
  const mayEdit = useSession(({ me }) => me !== null && may(me, 'settings.write')) && kind !== 'secondPerson';
  const mayReach = useSession(({ me }) => me !== null && may(me, 'rules.write'));
  const sentence = useBuiltInSentence();
  /** Whether the pressed button turns it on or off; null if neither. */
  const turns = useRef<boolean | null>(null);
  const name = t(`alerts:kind.${kind}`);
  const form = useForm({
    schema: builtInRuleChangeSchema,
    initial: builtInValues(rule, system),
    toBody: values => builtInBody({ ...values, isOn: turns.current ?? values.isOn }, rule, system),
    save: body => changeBuiltInRule(kind as Exclude<BuiltInKind, 'secondPerson'>, body),
    held: saved => builtInValues(saved, system),
    onSaved: saved =>
      toast(t(rule.isOn === saved.isOn ? 'saved' : saved.isOn ? 'turnedOn' : 'builtIn.turnedOff', { name })),
  });
  const { minutes = rule.minutes, ...draft } = builtInBody(form.values, rule, system);
  const parts = sentence({ ...rule, ...draft, minutes });
  const send = (isOn: boolean | null): void => {
    turns.current = isOn;
    form.submit();
  };
  return (
    <FormFrame form={form} guarded label={name} className={styles.form}>
      <header className={styles.formHead}>
        <h2>{name}</h2>
        <Chip tone={rule.isOn ? 'ok' : 'neutral'}>{t(rule.isOn ? 'isOn' : 'isOff')}</Chip>
        <Chip tone="neutral">{t('builtIn.title')}</Chip>
        <span className={styles.headEnd}>
          {rule.isOn && kind !== 'secondPerson' && <MuteMenu id={kind} name={name} mayEdit={mayEdit} />}
          <IconButton label={t('registry:closeDrawer')} tooltip="bottom-end" onClick={onClose}>
            <IconX size={18} stroke={1.75} aria-hidden />
          </IconButton>
        </span>
      </header>
      <div className={styles.body}>
        <div className={styles.main}>
          <MuteNotes id={kind} name={name} mutes={rule.mutes} mayEdit={mayEdit} />
          {isAboutVehicle(kind) && <MutedVehicles about={kind} rule={rule} />}
          <section className={styles.card} aria-label={t('sentence.title')}>
            <Sentence
              form={form}
              parts={parts}
              mayEdit={mayEdit}
              opens={opens}
              asks={!isAboutVehicle(kind) ? [] : isReported(kind) ? ['drivers', 'fromKmh', 'ignition'] : ['drivers']}
            />
            <p className={styles.quiet}>
              {t(kind === 'secondPerson' ? 'builtIn.request' : mayEdit ? 'sentence.hint' : 'builtIn.fixed')}
            </p>
            <Links kind={kind} />
          </section>
          {kind !== 'secondPerson' && (
            <BuiltInTest
              kind={kind}
              rule={{
                ...{ vehicles: draft.vehicles ?? null, when: draft.when ?? null },
                ...{ conditions: draft.conditions ?? null, repeatMinutes: draft.repeatMinutes ?? 0 },
              }}
            />
          )}
        </div>
        <aside className={styles.aside} aria-label={t('after.title')}>
          <section className={styles.card}>
            <h3>{t('after.title')}</h3>
            <Channels form={form} mayEdit={mayEdit} opens={opens} isBuiltIn isOfTask={!isAboutVehicle(kind)} />
            {mayEdit && mayReach && isAboutVehicle(kind) && <Reach rule={draft} kind={kind} />}
            {kind !== 'secondPerson' && <Instructions form={form} mayEdit={mayEdit} name={name} />}
            <p className={styles.quiet}>
              {t('alerts', { count: rule.alerts.count })}
              {rule.alerts.count > 0 && ` ${t('alertsAcknowledged', { count: rule.alerts.acknowledged })}`}
            </p>
          </section>
        </aside>
      </div>
      {mayEdit && (
        <footer className={styles.foot}>
          <Button onClick={form.discard} disabled={form.changed.length === 0}>
            {t('forms:discard')}
          </Button>
          <span className={styles.gap} />
          <Button busy={form.saving && turns.current !== null} onClick={() => send(!rule.isOn)}>
            {t(rule.isOn ? 'turnOff' : 'turnOn')}
          </Button>
          <Button
            variant="primary"
            busy={form.saving && turns.current === null}
            disabled={form.changed.length === 0}
            onClick={() => send(null)}
          >
            {t('save')}
          </Button>
        </footer>
      )}
    </FormFrame>
  );
}

/** Other settings that decide about it. */
function Links({ kind }: { readonly kind: BuiltInKind }) {
  const { t } = useTranslation('rules');
  const mayRead = useSession(({ me }) => me !== null && may(me, 'settings.read'));
  const { data } = useQuery({
    queryKey: ['notification-settings'],
    queryFn: () => call(readNotificationSettings),
    enabled: mayRead,
  });
  const settings = data?.settings;
  const mail = settings && (settings.mail ? (settings.kinds.includes(kind) ? 'on' : 'off') : 'none');
  return (
    <>
      {mail && <p>{t(`builtIn.mail.${mail}`)}</p>}
      <p className={styles.links}>
        {mayRead && <Link to={paths.settings('notifications')}>{t('builtIn.choose')}</Link>}
        {kind === 'restricted' && <Link to={paths.geofence()}>{t('builtIn.geofences')}</Link>}
        <Link to={`${paths.alerts()}?kind=${kind}`}>{t('builtIn.alerts')}</Link>
      </p>
    </>
  );
}
