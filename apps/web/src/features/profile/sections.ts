import {
  IconAdjustments,
  IconDevices,
  IconMail,
  IconPlugConnected,
  IconShieldLock,
  IconUser,
} from '@tabler/icons-react';

export const SECTION_IDS = ['you', 'security', 'sessions', 'preferences', 'notifications', 'tokens'] as const;
export type SectionId = (typeof SECTION_IDS)[number];

export const SECTION_ICONS: Readonly<Record<SectionId, typeof IconUser>> = {
  you: IconUser,
  security: IconShieldLock,
  sessions: IconDevices,
  preferences: IconAdjustments,
  notifications: IconMail,
  tokens: IconPlugConnected,
};

export const isSectionId = (text: string | undefined): text is SectionId => SECTION_IDS.some(id => id === text);
