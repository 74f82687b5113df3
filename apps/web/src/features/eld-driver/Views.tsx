import type { MyDuty } from '@milepost/contract';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog.tsx';
import { LogView } from './log/LogView.tsx';
import { ReadinessSheet } from './roadside/ReadinessSheet.tsx';
import { RoadsideStart } from './roadside/RoadsideStart.tsx';
import { CertifySheet } from './sheets/CertifySheet.tsx';
import { ChangesSheet } from './sheets/ChangesSheet.tsx';
import { ExceptionSheet } from './sheets/ExceptionSheet.tsx';
import { InspectSheet } from './sheets/InspectSheet.tsx';
import { PhoneSheet } from './sheets/PhoneSheet.tsx';
import { RefusedSheet } from './sheets/RefusedSheet.tsx';
import { ReviewSheet } from './sheets/ReviewSheet.tsx';
import { TeamSheet } from './sheets/TeamSheet.tsx';
import { UnclaimedSheet } from './sheets/UnclaimedSheet.tsx';
import { VehicleSheet } from './sheets/VehicleSheet.tsx';
import { type DriverView, useView } from './view.ts';

/** The views that a driver opens from the first screen. They load separately. */
export function Views({ view, duty }: { readonly view: DriverView; readonly duty: MyDuty }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { close } = useView();
  // May be another vehicle than the driver's own by now.
  const [inspected, setInspected] = useState<string | null>(null);
  if (view === 'log') return <LogView duty={duty} />;
  const vehicleName = duty.vehicle?.deviceName ?? '';
  const sheets: Record<typeof view, readonly [title: string, sheet: ReactElement]> = {
    vehicle: [t('vehicle.title'), <VehicleSheet key="vehicle" duty={duty} onClose={close} />],
    certify: [t('certify.title'), <CertifySheet key="certify" duty={duty} onClose={close} />],
    changes: [t('changes.title'), <ChangesSheet key="changes" duty={duty} />],
    unclaimed: [t('unclaimed.title'), <UnclaimedSheet key="unclaimed" duty={duty} />],
    team: [t('team.title'), <TeamSheet key="team" duty={duty} onClose={close} />],
    phone: [t('phone.title'), <PhoneSheet key="phone" />],
    refused: [t('refusedTitle'), <RefusedSheet key="refused" duty={duty} />],
    inspect: [
      t('inspect.title', { name: inspected ?? vehicleName }),
      <InspectSheet key="inspect" duty={duty} onClose={close} onVehicle={setInspected} />,
    ],
    review: [
      t('inspect.review', { name: duty.inspection?.vehicle.deviceName ?? vehicleName }),
      <ReviewSheet key="review" duty={duty} onClose={close} />,
    ],
    readiness: [t('roadside.readiness'), <ReadinessSheet key="readiness" duty={duty} />],
    roadside: [t('more.roadside'), <RoadsideStart key="roadside" duty={duty} onClose={close} />],
    exception: [t('exception.title'), <ExceptionSheet key="exception" duty={duty} onClose={close} />],
  };
  const [title, sheet] = sheets[view];
  return (
    <Dialog open onClose={close} title={title} closeLabel={t('change.close')}>
      {sheet}
    </Dialog>
  );
}
