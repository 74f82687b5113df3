import { withTexts } from '../../base/chunks/with-texts.ts';

const texts = {
  alerts: () => import('@milepost/contract/texts/en-US/alerts.json'),
  vehicleMutes: () => import('../../locales/en-US/vehicle-mutes.json'),
};

/** Loads when it is first opened. */
export const MuteVehicleDialog = withTexts(() => import('./MuteVehicleDialog.tsx'), texts);

/** Loads after the page that contains it. */
export const VehicleMutes = withTexts(() => import('./VehicleMutes.tsx'), texts);
