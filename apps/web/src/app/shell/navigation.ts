import { IconMap2 } from '@tabler/icons-react';
import { paths } from '../../paths.ts';

/** The pages of the rail and the bottom bar, in order. A page stands here only once it exists. */
export const NAVIGATION = [{ key: 'dashboard', path: paths.dashboard(), Icon: IconMap2, chord: ['g', 'd'] }] as const;
