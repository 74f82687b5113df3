import {
  COMMAND_CATEGORIES,
  type CommandAction,
  type CommandCategory,
  type CommandMode,
  type CommandRunResults,
  commandKind,
  may,
  type Permission,
} from '@milepost/contract';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../base/announce.ts';
import { describeError } from '../../base/describe-error.ts';
import { RetryButton } from '../../base/RetryButton.tsx';
import { useSession } from '../../base/session/session.ts';
import { Notice } from '../../ui/Notice.tsx';
import { isOpen } from '../command-state.ts';
import { useCommandStore } from '../command-store.ts';
import { secondPeopleFor } from '../offers.ts';
import { useOffer, useOffers } from '../use-offers.ts';
import type { CommandVehicle } from '../vehicle.ts';
import { CommandList } from './CommandList.tsx';
import type { CommandBody, CommandValues } from './command-form.ts';
import { Details } from './Details.tsx';
import { Footer } from './Footer.tsx';
import { OutcomePanel } from './OutcomePanel.tsx';
import { RecentRuns } from './RecentRuns.tsx';
import { STEPS, type Step, StepTabs } from './StepTabs.tsx';
import { useFollowed } from './use-followed.ts';
import { useRun } from './use-run.ts';
import styles from './Work.module.css';

const PERMISSIONS: Readonly<Record<CommandCategory, Permission>> = {
  read: 'commands.read',
  control: 'commands.control',
  settings: 'commands.settings',
};

interface Props {
  readonly vehicles: readonly CommandVehicle[];
  readonly initial: CommandAction | null;
  /** The ID of the run whose results are shown first. */
  readonly initialRun: string | null;
  readonly onShowRun: (run: CommandRunResults) => void;
  readonly onClose: () => void;
}

/** The three columns: what to send, how, and the outcome. A phone shows one at a time. */
export function Work({ vehicles, initial, initialRun, onShowRun, onClose }: Props) {
  const { t } = useTranslation('commands');
  const formId = useId();
  const details = useRef<HTMLDivElement>(null);
  const me = useSession(session => session.me);
  const categories = COMMAND_CATEGORIES.filter(category => me !== null && may(me, PERMISSIONS[category]));
  const offers = useOffers(vehicles);
  const offered = offers.commands.filter(({ category }) => categories.includes(category));

  const [step, setStep] = useState<Step>(initialRun ? 'outcome' : initial ? 'how' : 'what');
  const [category, setCategory] = useState<CommandCategory>(initial ? commandKind(initial).category : 'read');
  const [query, setQuery] = useState('');
  const [action, setAction] = useState<CommandAction | null>(initial);
  const [modes, setModes] = useState<Partial<Record<CommandAction, CommandMode>>>({});
  const [focusedId, setFocusedId] = useState(vehicles[0]?.id);
  const typed = useRef<CommandValues>({});
  const keepTyped = useCallback((values: CommandValues) => {
    typed.current = { ...typed.current, ...values };
  }, []);

  const command = offered.find(one => one.action === action);
  const vehicle = vehicles.find(({ id }) => id === focusedId) ?? vehicles[0];
  const mode = command && (modes[command.action] ?? commandKind(command.action).modes[0]);
  const offer = useOffer(vehicle?.id ?? '', command?.category === 'control');

  const second = command ? secondPeopleFor(command.action, mode ?? null, offer) : null;

  const { results, progress, ended, problem, run, stop } = useRun(initialRun);
  const followed = useFollowed(results, vehicle?.id ?? '');
  const commands = useCommandStore(state => state.commands);
  /** Vehicles that support the command and don't have the same command open. */
  const targets = command
    ? vehicles.filter(one => {
        if (!offers.has(one, command.action)) return false;
        const result = results.get(one.id);
        if (!(result && 'commandId' in result) || result.action !== command.action) return true;
        const sent = commands.get(result.commandId);
        // A command that isn't in the store yet was sent a moment ago.
        return sent !== undefined && !isOpen(sent);
      })
    : [];

  async function send(body: CommandBody): Promise<void> {
    if (!command) return;
    if (!targets.some(({ id }) => id === vehicle?.id)) setFocusedId(targets[0]?.id);
    await run(command, targets, body, mode);
    setStep('outcome');
  }
  useEffect(() => {
    if (!ended) return;
    const { all, failed, done, action: sent } = ended;
    announce(t('announceMany', { action: t(`action.${sent}`), sent: done - failed, all, failed }));
  }, [ended, t]);

  const choose = (chosen: CommandAction): void => {
    setAction(chosen);
    setCategory(commandKind(chosen).category);
  };
  const toDetails = (): void => {
    setStep('how');
    // Wait until the details of the newly chosen command are rendered.
    requestAnimationFrame(() => {
      const field = details.current?.querySelector<HTMLElement>('input:not(:disabled)');
      // If there is nothing to fill in, focus the button that sends. The button of a control command is never focused:
      // it has no `form` attribute.
      (field ?? document.querySelector<HTMLElement>(`button[form="${CSS.escape(formId)}"]`))?.focus();
    });
  };

  if (!vehicle) return null;
  return (
    <>
      <StepTabs step={step} onStep={setStep} reachable={command ? STEPS : (['what', 'outcome'] as const)} />
      <div className={styles.columns} data-step={step}>
        <section className={styles.what} aria-label={t('steps.what')}>
          <CommandList
            commands={offered}
            categories={categories}
            vehicles={vehicles.length}
            category={category}
            onCategory={chosen => {
              setCategory(chosen);
              setQuery('');
            }}
            chosen={action}
            onChoose={choose}
            onEnter={toDetails}
            query={query}
            onQuery={setQuery}
            loading={offers.loading}
          />
          {offers.unknown > 0 && <p className={styles.note}>{t('neverReported', { count: offers.unknown })}</p>}
          <RecentRuns shown={initialRun} onShow={onShowRun} />
          {offers.error !== null && (
            <Notice tone="critical" role="alert">
              {t('offerFailed')} {describeError(offers.error).message}{' '}
              <RetryButton error={offers.error} onRetry={offers.retry} />
            </Notice>
          )}
        </section>
        <section className={styles.how} aria-label={t('steps.how')} ref={details}>
          {command ? (
            <Details
              key={command.action}
              id={formId}
              command={command}
              vehicle={vehicle}
              all={vehicles.length}
              offer={offer}
              typed={typed.current}
              onTyped={keepTyped}
              mode={mode}
              onMode={chosen => setModes(before => ({ ...before, [command.action]: chosen }))}
              onSend={send}
            />
          ) : (
            <p className={styles.choose}>{t('choose')}</p>
          )}
        </section>
        <section className={styles.outcome} aria-label={t('outcome')}>
          {problem !== null && (
            <Notice tone="critical" role="alert">
              <b>{t('runs.stopped')}</b> {describeError(problem).message}
            </Notice>
          )}
          <OutcomePanel
            vehicles={vehicles}
            results={results}
            focused={vehicle}
            onFocus={setFocusedId}
            followed={followed}
            planned={command?.action}
            bySecond={second !== null}
          />
        </section>
      </div>
      <Footer
        formId={formId}
        command={command}
        mode={mode}
        bySecond={second !== null}
        targets={second === 0 && vehicles.length === 1 ? 0 : targets.length}
        all={vehicles.length}
        isMore={[...results.values()].some(result => result.action === action && 'commandId' in result)}
        followed={followed}
        progress={progress}
        onStop={stop}
        step={step}
        onStep={setStep}
        onClose={onClose}
      />
    </>
  );
}
