import type { Registration } from '../registration.ts';
import { osmand as http } from './decode.ts';
import { explain } from './explain.ts';

export const osmand = { http, explain, commands: [], models: [], tables: [] } satisfies Registration;
