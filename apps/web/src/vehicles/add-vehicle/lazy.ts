import { withTexts } from '../../base/chunks/with-texts.ts';

export const AddVehicleDialog = withTexts(() => import('./AddVehicleDialog.tsx'), {
  addVehicle: () => import('../../locales/en-US/add-vehicle.json'),
});
