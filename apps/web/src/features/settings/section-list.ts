import type { Permission } from '@milepost/contract';
import {
  IconActivityHeartbeat,
  IconBuilding,
  IconCalendarDollar,
  IconDatabase,
  IconFingerprint,
  IconHistory,
  IconMail,
  IconPalette,
  IconRoute,
  IconShieldLock,
  IconTerminal2,
} from '@tabler/icons-react';

export const SECTION_IDS = [
  'organisation',
  'branding',
  'tracking',
  'commands',
  'notifications',
  'subscriptions',
  'privacy',
  'security',
  'data',
  'audit',
  'system',
] as const;
export type SectionId = (typeof SECTION_IDS)[number];

interface Section {
  readonly Icon: typeof IconBuilding;
  /** Without it the section is not shown; the server refuses its calls. */
  readonly permission: Permission;
}

/** The rooms of the settings, each for whoever may at least look. */
export const SECTIONS: Readonly<Record<SectionId, Section>> = {
  organisation: { Icon: IconBuilding, permission: 'settings.read' },
  branding: { Icon: IconPalette, permission: 'tenant.write' },
  tracking: { Icon: IconRoute, permission: 'settings.read' },
  commands: { Icon: IconTerminal2, permission: 'commands.password' },
  notifications: { Icon: IconMail, permission: 'settings.read' },
  subscriptions: { Icon: IconCalendarDollar, permission: 'subscriptions.read' },
  privacy: { Icon: IconShieldLock, permission: 'settings.read' },
  security: { Icon: IconFingerprint, permission: 'users.read' },
  data: { Icon: IconDatabase, permission: 'data.read' },
  audit: { Icon: IconHistory, permission: 'audit.read' },
  system: { Icon: IconActivityHeartbeat, permission: 'settings.read' },
};

export const isSectionId = (text: string | undefined): text is SectionId =>
  SECTION_IDS.some(section => section === text);
