/** Every protocol's list of dialects, one line each. */
export { dialects as calamp } from '../calamp/dialects.ts';
export { dialects as eelink } from '../eelink/dialects.ts';
export { dialects as gl200 } from '../gl200/dialects.ts';
export { dialects as gps103 } from '../gps103/dialects.ts';
export { dialects as gt06 } from '../gt06/dialects.ts';
export { dialects as h02 } from '../h02/dialects.ts';
export { dialects as jt808 } from '../jt808/dialects.ts';
export { dialects as meitrack } from '../meitrack/dialects.ts';
export { dialects as osmand } from '../osmand/dialects.ts';
export { dialects as ruptela } from '../ruptela/dialects.ts';
export { dialects as suntech } from '../suntech/dialects.ts';
export { dialects as teltonika } from '../teltonika/dialects.ts';
export { dialects as tk103 } from '../tk103/dialects.ts';
export { dialects as totem } from '../totem/dialects.ts';
export { dialects as watch } from '../watch/dialects.ts';
export { dialects as wialon } from '../wialon/dialects.ts';
export { dialects as xexun } from '../xexun/dialects.ts';
