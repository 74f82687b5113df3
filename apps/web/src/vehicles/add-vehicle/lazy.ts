import { withTexts } from '../../base/chunks/with-texts.ts';

/** The dialog loads when first opened. */
export const AddVehicleDialog = withTexts(() => import('./AddVehicleDialog.tsx'), {
  addVehicle: () => import('../../locales/en-US/add-vehicle.json'),
});
