import type { Registration } from '../registration.ts';
import { osmand as http } from './decode.ts';

export const osmand = { http, commands: [], models: [], tables: [] } satisfies Registration;
