import type { MyDuty } from '@milepost/contract';
import { IconSteeringWheel } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { useAct } from '../use-act.ts';

/** Hands over the driving between two drivers in one tap, on either phone. Renders nothing for a single driver. */
export function TeamRow({ duty: { driver, vehicle } }: { readonly duty: MyDuty }) {
  const { t } = useTranslation('eldDriverMore');
  const { busy, run } = useAct();
  if (!vehicle?.coDriver || vehicle.isMoving) return null;
  const { driverId, name } = vehicle.coDriver;
  const [next, words, done] = vehicle.isDriving
    ? [driverId, t('wheel.giveTo', { name }), t('wheel.theyDrive', { name })]
    : [driver.driverId, t('wheel.take'), t('wheel.iDrive')];
  return (
    <Button
      size="large"
      wide
      busy={busy}
      icon={<IconSteeringWheel size={22} stroke={1.75} aria-hidden />}
      onClick={() => void run({ kind: 'co-driver', coDriverId: next }, done)}
    >
      {words}
    </Button>
  );
}
