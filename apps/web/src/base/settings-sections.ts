import { may, type Permission } from '@milepost/contract';
import {
  IconActivityHeartbeat,
  IconBuilding,
  IconCalendarDollar,
  IconDatabase,
  IconFingerprint,
  IconHistory,
  IconLogin2,
  IconMail,
  IconMap2,
  IconPalette,
  IconRoute,
  IconShieldLock,
  IconTerminal2,
  IconWebhook,
} from '@tabler/icons-react';

export const SECTION_IDS = [
  'organisation',
  'branding',
  'tracking',
  'maps',
  'commands',
  'notifications',
  'webhooks',
  'subscriptions',
  'privacy',
  'security',
  'signOn',
  'data',
  'audit',
  'system',
] as const;
export type SectionId = (typeof SECTION_IDS)[number];

interface Section {
  readonly Icon: typeof IconBuilding;
  /** Users need all of these to see the section; the server refuses its calls otherwise. */
  readonly permissions: readonly Permission[];
}

/** The sections of the settings, in order. */
export const SECTIONS: Readonly<Record<SectionId, Section>> = {
  organisation: { Icon: IconBuilding, permissions: ['settings.read'] },
  branding: { Icon: IconPalette, permissions: ['tenant.write'] },
  tracking: { Icon: IconRoute, permissions: ['settings.read'] },
  maps: { Icon: IconMap2, permissions: ['settings.read'] },
  commands: { Icon: IconTerminal2, permissions: ['commands.password', 'commands.read'] },
  notifications: { Icon: IconMail, permissions: ['settings.read'] },
  webhooks: { Icon: IconWebhook, permissions: ['settings.write'] },
  subscriptions: { Icon: IconCalendarDollar, permissions: ['subscriptions.read'] },
  privacy: { Icon: IconShieldLock, permissions: ['settings.read'] },
  security: { Icon: IconFingerprint, permissions: ['settings.read'] },
  signOn: { Icon: IconLogin2, permissions: ['owners.write'] },
  data: { Icon: IconDatabase, permissions: ['data.read'] },
  audit: { Icon: IconHistory, permissions: ['audit.read'] },
  system: { Icon: IconActivityHeartbeat, permissions: ['settings.read'] },
};

export const isSectionId = (text: string | undefined): text is SectionId =>
  SECTION_IDS.some(section => section === text);

export const mayOpen = (user: Parameters<typeof may>[0], id: SectionId): boolean =>
  SECTIONS[id].permissions.every(permission => may(user, permission));
