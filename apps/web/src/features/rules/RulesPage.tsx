import { may, RULE_ALERT_DAYS, type Rule, sentenceText } from '@milepost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ICON_OF_KIND, ICON_OF_SEVERITY } from '../../alerts/alert-icons.ts';
import { lazyPart } from '../../base/chunks/lazy-part.tsx';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { toast } from '../../base/toasts/toast.ts';
import { Question } from '../../forms/Question.tsx';
import { RegistryState } from '../../registry/RegistryState.tsx';
import list from '../../registry/SideList.module.css';
import { SideRow } from '../../registry/SideRow.tsx';
import { useRegistry } from '../../registry/use-registry.ts';
import { MuteLine } from '../../rules/Mute.tsx';
import { useBuiltInSentence, useRuleSentence } from '../../rules/rule-words.ts';
import { useMinutesBehind } from '../../rules/rules-behind.ts';
import { removeRule, useBuiltInRules, useRules } from '../../rules/use-rules.ts';
import { Button } from '../../ui/Button.tsx';
import hidden from '../../ui/hidden.module.css';
import { Notice } from '../../ui/Notice.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { isBuiltIn } from './built-in.ts';
import { isNoisy } from './noisy.ts';
import { RuleIcon } from './RuleIcon.tsx';
import { RulesOverview } from './RulesOverview.tsx';
import styles from './RulesPage.module.css';
import { useSearchedVehicle } from './rules-of-vehicle.ts';

const BuiltInRule = lazyPart(async () => (await import('./BuiltInRule.tsx')).BuiltInRule);
const RuleForm = lazyPart(async () => (await import('./RuleForm.tsx')).RuleForm);

const NEW_RULE = 'new';
/** Parameter with the geofence for a new rule. */
const GEOFENCE_PARAMETER = 'geofence';
type View = 'all' | 'on' | 'noisy' | 'builtIn';

/** `/rules`: what the account is alerted about. Each rule is a sentence that can be edited and tested on the past. */
export function Component() {
  const { t } = useTranslation(['rules', 'shell', 'forms']);
  const mayEdit = useSession(({ me }) => me !== null && may(me, 'rules.write'));
  const { data: rules, error, refetch, isFetching } = useRules();
  const registry = useRegistry();
  const { open, openRow, query } = registry;
  const [parameters] = useSearchParams();
  const [view, setView] = useState<View>('all');
  const [deleting, setDeleting] = useState<Rule | null>(null);
  /** The rule that a new one is copied from. */
  const [copied, setCopied] = useState<Rule | null>(null);
  const begin = (from: Rule | null): void => {
    setCopied(from);
    openRow(NEW_RULE);
  };
  // What is begun after it was closed is no copy.
  const [was, setWas] = useState(open);
  if (was !== open) {
    setWas(open);
    if (open !== NEW_RULE) setCopied(null);
  }
  const search = useRef<HTMLInputElement>(null);
  const sentence = useRuleSentence();
  useShortcuts([{ keys: ['f'], label: t('search'), group: t('title'), run: () => search.current?.focus() }]);

  const wanted = plainText(query.trim());
  const vehicle = useSearchedVehicle(query);
  const found = (rules ?? []).filter(
    rule =>
      (view === 'all' || (view === 'on' && rule.isOn) || (view === 'noisy' && isNoisy(rule))) &&
      (vehicle?.isFor(rule) || plainText(`${rule.name} ${sentenceText(sentence(rule))}`).includes(wanted)),
  );
  const opened = rules?.find(({ id }) => id === open) ?? null;
  const { data: builtInRules } = useBuiltInRules();
  const builtIn = builtInRules?.find(({ kind }) => kind === open) ?? null;
  const isKnown = rules !== undefined && !isFetching;
  const isGone = open !== null && open !== NEW_RULE && !isBuiltIn(open) && isKnown && opened === null;
  useEffect(() => {
    if (!isGone || deleting !== null) return;
    toast(t('gone'), 'info');
    openRow(null);
  }, [isGone, deleting, openRow, t]);
  const isNew = open === NEW_RULE && mayEdit;

  return (
    <div className={styles.page} data-page="flow" data-open={opened !== null || isNew || builtIn !== null || undefined}>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <h1 className={hidden.hidden}>{t('title')}</h1>
      <section className={`${styles.side} ${list.side}`} aria-label={t('list')}>
        <div className={list.head}>
          <SearchBox
            ref={search}
            value={query}
            onSearch={registry.search}
            label={t('search')}
            placeholder={rules ? t('count', { count: rules.length }) : t('search')}
            clearLabel={t('clearSearch')}
          />
          {mayEdit && (
            <Button
              variant="primary"
              icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
              aria-label={t('new')}
              onClick={() => begin(null)}
            >
              {t('add')}
            </Button>
          )}
        </div>
        <Segments
          label={t('views.label')}
          segments={(['all', 'on', 'noisy', 'builtIn'] as const).map(id => ({
            ...{ id, label: t(`views.${id}`) },
            count: (id === 'noisy' && rules?.filter(isNoisy).length) || undefined,
          }))}
          chosen={view}
          onChoose={setView}
        />
        <Behind />
        {vehicle && view !== 'builtIn' && (
          <p className={styles.noisy} role="status">
            {t('ofVehicle', { name: vehicle.name })}
          </p>
        )}
        {view === 'noisy' && found.length > 0 && <p className={styles.noisy}>{t('noisyText')}</p>}
        {view === 'builtIn' ? (
          <BuiltInList wanted={wanted} open={open} onOpen={openRow} />
        ) : found.length === 0 && view !== 'all' && query === '' && rules?.length ? (
          <p className={list.nobody}>{t(view === 'on' ? 'noneOn' : 'noneNoisy')}</p>
        ) : found.length === 0 ? (
          <RegistryState
            total={rules?.length}
            error={error}
            onRetry={() => void refetch()}
            onClear={registry.clear}
            empty={{
              title: t('none'),
              text: t('noneText'),
              action: mayEdit && <Button onClick={() => begin(null)}>{t('new')}</Button>,
            }}
          />
        ) : (
          <ul className={list.list}>
            {found.map(rule => {
              const Icon = ICON_OF_SEVERITY[rule.severity];
              return (
                <SideRow
                  key={rule.id}
                  icon={<RuleIcon icon={Icon} severity={rule.severity} isOn={rule.isOn} />}
                  name={rule.name}
                  text={sentenceText(sentence(rule))}
                  isLong
                  note={<MuteLine mutes={rule.mutes} />}
                  off={rule.isOn ? null : t('off')}
                  count={rule.alerts.count}
                  counted={t('inDays', { days: RULE_ALERT_DAYS })}
                  isOpen={rule.id === open}
                  onOpen={() => openRow(rule.id)}
                />
              );
            })}
          </ul>
        )}
      </section>
      {builtIn ? (
        <BuiltInRule key={builtIn.kind} rule={builtIn} onClose={() => openRow(null)} />
      ) : opened || isNew ? (
        <RuleForm
          key={opened?.id ?? NEW_RULE}
          rule={opened}
          from={copied}
          geofenceId={parameters.get(GEOFENCE_PARAMETER)}
          onSaved={({ id }) => openRow(id)}
          onClose={() => openRow(null)}
          onDelete={() => setDeleting(opened)}
          onDuplicate={() => begin(opened)}
        />
      ) : (
        <RulesOverview rules={rules} builtIn={builtInRules} onOpen={openRow} />
      )}
      {deleting && (
        <DeleteDialog
          rule={deleting}
          onClose={() => setDeleting(null)}
          onDeleted={() => {
            setDeleting(null);
            openRow(null);
          }}
        />
      )}
    </div>
  );
}

interface BuiltInListProps {
  readonly wanted: string;
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
}

/** Alerts that need no rule. */
function BuiltInList({ wanted, open, onOpen }: BuiltInListProps) {
  const { t } = useTranslation(['rules', 'alerts']);
  const sentence = useBuiltInSentence();
  const { data: rules, error, refetch } = useBuiltInRules();
  if (!rules) {
    return (
      <RegistryState
        total={undefined}
        error={error}
        onRetry={() => void refetch()}
        onClear={() => {}}
        empty={{ title: '', text: '' }}
      />
    );
  }
  const found = rules
    .map(rule => ({ rule, name: t(`alerts:kind.${rule.kind}`), text: sentenceText(sentence(rule)) }))
    .filter(({ name, text }) => plainText(`${name} ${text}`).includes(wanted));
  if (found.length === 0) return <p className={list.nobody}>{t('builtIn.none')}</p>;
  return (
    <ul className={list.list}>
      {found.map(({ name, rule: { alerts, isOn, kind, mutes, severity }, text }) => {
        const Icon = ICON_OF_KIND[kind];
        return (
          <SideRow
            key={kind}
            icon={<RuleIcon icon={Icon} severity={severity} isOn={isOn} />}
            name={name}
            text={text}
            isLong
            note={<MuteLine mutes={mutes} />}
            off={isOn ? null : t('off')}
            count={alerts.count}
            counted={t('inDays', { days: RULE_ALERT_DAYS })}
            isOpen={kind === open}
            onOpen={() => onOpen(kind)}
          />
        );
      })}
    </ul>
  );
}

/** For comparing texts: figures have narrow spaces before their units. */
const plainText = (text: string): string => text.replace(/\s/g, ' ').toLocaleLowerCase();

interface DeleteProps {
  readonly rule: Rule;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteDialog({ rule: { id, name }, onClose, onDeleted }: DeleteProps) {
  const { t } = useTranslation('rules');
  return (
    <Question
      title={t('deleteTitle', { name })}
      action={t('deleteAction')}
      act={() => removeRule(id)}
      onDone={() => {
        toast(t('deleted', { name }));
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>{t('deleteText')}</p>
    </Question>
  );
}

function Behind() {
  const { t } = useTranslation('rules');
  const count = useMinutesBehind();
  if (count === 0) return null;
  return (
    <Notice tone="warning" role="status">
      {t('behind', { count })}
    </Notice>
  );
}
