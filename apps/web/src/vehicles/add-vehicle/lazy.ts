import { withTexts } from '../../app/with-texts.ts';

/** The dialog comes when someone first opens it. */
export const AddVehicleDialog = withTexts(() => import('./AddVehicleDialog.tsx'), {
  addVehicle: () => import('../../locales/en-US/add-vehicle.json'),
});
