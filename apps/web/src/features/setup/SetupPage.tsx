import { SETUP_STEPS, type SetupStep } from '@milepost/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';
import { useMayChooseMap } from '../../base/base-map.ts';
import { useAppName } from '../../base/client-settings.ts';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { passStep, stepsLeft } from '../../base/session/setup.ts';
import { asksForSetup } from '../../base/session/start-page.ts';
import { toast } from '../../base/toasts/toast.ts';
import { showLivePositions } from '../../live/live.ts';
import { paths } from '../../paths.ts';
import { CompanyStep } from './CompanyStep.tsx';
import { MailStep } from './MailStep.tsx';
import { MapStep } from './MapStep.tsx';
import styles from './SetupPage.module.css';
import { SetupSide } from './SetupSide.tsx';
import type { StepProps } from './StepFrame.tsx';
import { VehicleStep } from './VehicleStep.tsx';
import { YouStep } from './YouStep.tsx';

const STEPS = { company: CompanyStep, you: YouStep, map: MapStep, vehicle: VehicleStep, mail: MailStep };

/** `/setup`: the first start of an installation, in five steps that can be skipped and changed later. */
export function Component() {
  const { t } = useTranslation(['setup', 'shell']);
  const navigate = useNavigate();
  const appName = useAppName();
  const me = useSession(session => session.me);
  const mayAll = useMayChooseMap();
  const main = useRef<HTMLDivElement>(null);
  useEffect(showLivePositions, []);
  const [step, setStep] = useState<SetupStep>(() => (me && stepsLeft(me.preferences)[0]) ?? 'company');
  const title = t('title', { app: appName });
  // Scroll each new step to the top and move the focus there.
  const go = (to: SetupStep): void => {
    setStep(to);
    main.current?.scrollTo(0, 0);
    main.current?.focus();
  };
  if (!me) return null;
  if (!mayAll) return <Navigate to={paths.dashboard()} replace />;

  const at = SETUP_STEPS.indexOf(step);
  const [before, after] = [SETUP_STEPS[at - 1], SETUP_STEPS[at + 1]];
  const goOn = (): void => {
    if (after) go(after);
    else void navigate(paths.dashboard());
  };
  const pass = async (how: 'done' | 'skipped'): Promise<void> => {
    try {
      await passStep(step, how);
    } catch (error) {
      toast(describeError(error).message, 'error');
    }
  };
  // This step stays open for the next visit. Mark it as skipped only if no step was answered yet, so that the app
  // doesn't start here again.
  const leave = async (): Promise<void> => {
    if (asksForSetup(me.preferences)) await pass('skipped');
    await navigate(paths.dashboard());
  };
  const props: StepProps = {
    step,
    onBack: before ? () => go(before) : null,
    onDone: () => pass('done').then(goOn),
    onKept: () => pass('done'),
    onSkip: () => pass('skipped').then(goOn),
  };
  const Step = STEPS[step];
  return (
    <div className={styles.page}>
      <title>{t('shell:appTitle', { page: title })}</title>
      <SetupSide me={me} step={step} onStep={go} onLeave={() => void leave()} />
      <main className={styles.main} ref={main} tabIndex={-1}>
        <Step key={step} {...props} />
      </main>
    </div>
  );
}
