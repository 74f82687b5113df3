import { type Command, type CommandMode, cancelCommand } from '@milepost/contract';
import { IconLock, IconSend2, IconShieldCheck, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatCount } from '../../format/locale.ts';
import { Button } from '../../ui/Button.tsx';
import { isCancellable } from '../command-state.ts';
import { keepCommands } from '../command-store.ts';
import type { OfferedCommand } from '../offers.ts';
import type { Step } from './StepTabs.tsx';
import type { Progress } from './use-run.ts';
import styles from './Work.module.css';

interface Props {
  readonly formId: string;
  readonly command: OfferedCommand | undefined;
  readonly mode: CommandMode | undefined;
  /** A second person must confirm before the command is sent. */
  readonly bySecond: boolean;
  /** The number of vehicles that would receive it now, out of `all`. */
  readonly targets: number;
  readonly all: number;
  /** Some of the vehicles have received this command already. */
  readonly isMore: boolean;
  readonly followed: Command | undefined;
  readonly progress: Progress | null;
  readonly onStop: () => void;
  readonly step: Step;
  readonly onStep: (step: Step) => void;
  readonly onClose: () => void;
}

/** Says who will see the command in the log, with buttons to go back and to send. */
export function Footer(props: Props) {
  const { formId, command, mode, bySecond, targets, all, isMore, followed, progress, onStop, step, onStep, onClose } =
    props;
  const { t } = useTranslation('commands');
  const isControl = command?.category === 'control';
  return (
    <footer className={styles.footer} data-step={step}>
      <p className={styles.audit} role="status">
        {progress ? (
          <>
            {t('sending', { done: formatCount(progress.done), all: formatCount(progress.all) })}
            {progress.all > 1 && ` · ${t('runs.goesOn')}`}
          </>
        ) : (
          <>
            <IconShieldCheck size={16} stroke={1.75} aria-hidden />
            {t(isControl ? 'auditReason' : 'audit')}
          </>
        )}
      </p>
      {progress && progress.all > 1 && <Button onClick={onStop}>{t('stop')}</Button>}
      {!progress && step !== 'what' && (
        <Button className={styles.phone} onClick={() => onStep(step === 'how' ? 'what' : 'how')}>
          {t('back')}
        </Button>
      )}
      {followed && isCancellable(followed) && <Cancel command={followed} />}
      {step === 'what' && (
        <Button className={styles.phone} variant="primary" disabled={!command} onClick={() => onStep('how')}>
          {t('next')}
        </Button>
      )}
      {command ? (
        <Button
          className={styles.send}
          variant={isControl ? 'danger' : 'primary'}
          busy={progress !== null}
          disabled={targets === 0 && !progress}
          icon={
            isControl ? (
              <IconLock size={16} stroke={1.75} aria-hidden />
            ) : (
              <IconSend2 size={16} stroke={1.75} aria-hidden />
            )
          }
          // Enter in a field may send queries and settings, but control commands are only sent by a click on the
          // button.
          {...(isControl ? { onClick: () => sendForm(formId) } : { type: 'submit', form: formId })}
        >
          {bySecond ? t('askSecond') : t(sendWords(mode, all, isMore), { count: targets })}
        </Button>
      ) : (
        <Button className={styles.send} onClick={onClose}>
          {t('close')}
        </Button>
      )}
    </footer>
  );
}

function sendForm(id: string): void {
  const form = document.getElementById(id);
  if (form instanceof HTMLFormElement) form.requestSubmit();
}

function sendWords(mode: CommandMode | undefined, all: number, isMore: boolean) {
  const arms = mode === 'nextStop';
  if (all === 1) return arms ? 'armOne' : 'sendOne';
  if (isMore) return arms ? 'armMore' : 'sendMore';
  return arms ? 'arm' : 'send';
}

/** Cancels a command that hasn't been sent to the tracker yet. */
export function Cancel({ command }: { readonly command: Command }) {
  const { t } = useTranslation('commands');
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(cancelCommand, { params: { id: command.id } }),
    onSuccess: cancelled => keepCommands(cancelled),
    onError: error => toast(describeError(error).message, 'error'),
  });
  return (
    <Button busy={isPending} icon={<IconX size={16} stroke={1.75} aria-hidden />} onClick={() => mutate()}>
      {t(command.waitingFor === 'safe-stop' ? 'disarm' : 'cancel')}
    </Button>
  );
}
