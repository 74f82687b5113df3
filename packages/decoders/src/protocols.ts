/** Every protocol, one line each, under the name used in `GATEWAYS`, the table of ports and the database. */
export { calamp } from './calamp/registration.ts';
export { eelink } from './eelink/registration.ts';
export { gl200 } from './gl200/registration.ts';
export { gps103 } from './gps103/registration.ts';
export { gt06 } from './gt06/registration.ts';
export { h02 } from './h02/registration.ts';
export { jt808 } from './jt808/registration.ts';
export { meitrack } from './meitrack/registration.ts';
export { osmand } from './osmand/registration.ts';
export { ruptela } from './ruptela/registration.ts';
export { suntech } from './suntech/registration.ts';
export { teltonika } from './teltonika/registration.ts';
export { tk103 } from './tk103/registration.ts';
export { totem } from './totem/registration.ts';
export { watch } from './watch/registration.ts';
export { wialon } from './wialon/registration.ts';
export { xexun } from './xexun/registration.ts';
