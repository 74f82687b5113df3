import type { MyDuty } from '@milepost/contract';

export interface SheetProps {
  readonly duty: MyDuty;
  readonly onClose: () => void;
}
