import { IconAdjustments, IconDevices, IconPlugConnected, IconShieldLock, IconUser } from '@tabler/icons-react';

export const SECTION_IDS = ['you', 'security', 'sessions', 'preferences', 'tokens'] as const;
export type SectionId = (typeof SECTION_IDS)[number];

export const SECTION_ICONS: Readonly<Record<SectionId, typeof IconUser>> = {
  you: IconUser,
  security: IconShieldLock,
  sessions: IconDevices,
  preferences: IconAdjustments,
  tokens: IconPlugConnected,
};

export const isSectionId = (text: string | undefined): text is SectionId => SECTION_IDS.some(id => id === text);
