import type { AlertKind, Severity } from '@milepost/contract';
import {
  IconActivity,
  IconAlertOctagon,
  IconAlertTriangle,
  IconAntennaBarsOff,
  IconArrowsLeftRight,
  IconBarrierBlock,
  IconBattery1,
  IconBellRinging,
  IconCarCrane,
  IconCarCrash,
  IconClockExclamation,
  IconDoor,
  IconGauge,
  IconInfoCircle,
  IconListCheck,
  IconPlugX,
  IconPolygon,
  IconShieldX,
  IconSos,
  IconSteeringWheel,
  IconTerminal2,
  IconUserQuestion,
  IconUsers,
  IconWifiOff,
} from '@tabler/icons-react';

type AlertIcon = typeof IconSos;

export const ICON_OF_KIND: Readonly<Record<AlertKind, AlertIcon>> = {
  sos: IconSos,
  crash: IconCarCrash,
  tow: IconCarCrane,
  tamper: IconShieldX,
  powerCut: IconPlugX,
  batteryLow: IconBattery1,
  jamming: IconAntennaBarsOff,
  overspeed: IconGauge,
  harshDriving: IconSteeringWheel,
  doorOpen: IconDoor,
  vibration: IconActivity,
  geofence: IconPolygon,
  trackerAlarm: IconBellRinging,
  silent: IconWifiOff,
  conflictingReports: IconArrowsLeftRight,
  commandFailed: IconTerminal2,
  restricted: IconBarrierBlock,
  taskLate: IconClockExclamation,
  taskNoDriver: IconUserQuestion,
  secondPerson: IconUsers,
  rule: IconListCheck,
};

export const ICON_OF_SEVERITY: Readonly<Record<Severity, AlertIcon>> = {
  critical: IconAlertOctagon,
  warning: IconAlertTriangle,
  info: IconInfoCircle,
};
