import type { MyDuty } from '@milepost/contract';
import { useEffect, useState } from 'react';
import { useDriverDuty } from '../store/driver-duty.ts';
import { keptPin } from '../store/kept.ts';
import { type Readiness, readinessOf } from './readiness.ts';
import { hasRehearsed, useRoadside } from './roadside.ts';

/** Whether this driver has chosen a PIN on this phone; null while loading. */
function useHasPin(): boolean | null {
  const owner = useDriverDuty(state => state.owner);
  const mode = useRoadside(state => state.mode);
  const [has, setHas] = useState<boolean | null>(null);
  // Check again when the mode changes: a driver may choose the PIN right before it starts.
  useEffect(() => {
    let isGone = false;
    if (owner !== null && mode !== 'inspection') {
      void keptPin(owner).then(pin => {
        if (!isGone) setHas(pin !== undefined);
      });
    }
    return () => {
      isGone = true;
    };
  }, [owner, mode]);
  return has;
}

export function useReadiness(duty: MyDuty): Readiness {
  const waiting = useDriverDuty(state => state.waiting.length);
  const owner = useDriverDuty(state => state.owner) ?? '';
  const hasPin = useHasPin();
  // Render again after a practice, which changes the result.
  useRoadside(state => state.mode);
  return readinessOf(duty, { waiting, hasPin: hasPin !== false, hasRehearsed: hasRehearsed(owner) });
}
