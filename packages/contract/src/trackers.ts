/**
 * Tracker protocols, each with the brand names on trackers and manuals, and the usual port: the one that other open
 * servers use, so that a tracker needs only a new host name.
 */
export const TRACKERS = {
  teltonika: { title: 'Teltonika', port: 5027, over: 'tcp+udp' },
  gt06: { title: 'GT06, Concox', port: 5023, over: 'tcp' },
  osmand: { title: 'OsmAnd, Traccar Client', port: 5055, over: 'http' },
  mqtt: { title: 'MQTT', port: 1883, over: 'mqtt' },
  gl200: { title: 'Queclink', port: 5004, over: 'tcp+udp' },
  meitrack: { title: 'Meitrack', port: 5020, over: 'tcp+udp' },
  suntech: { title: 'Suntech', port: 5011, over: 'tcp+udp' },
  wialon: { title: 'Wialon IPS', port: 5039, over: 'tcp+udp' },
  jt808: { title: 'JT/T 808', port: 5015, over: 'tcp+udp' },
  h02: { title: 'H02', port: 5013, over: 'tcp+udp' },
  gps103: { title: 'GPS103, Coban', port: 5001, over: 'tcp+udp' },
  tk103: { title: 'TK103', port: 5002, over: 'tcp+udp' },
  xexun: { title: 'Xexun', port: 5006, over: 'tcp+udp' },
  watch: { title: 'SeTracker, 4P-Touch', port: 5093, over: 'tcp' },
  ruptela: { title: 'Ruptela', port: 5046, over: 'tcp+udp' },
  eelink: { title: 'Eelink', port: 5064, over: 'tcp+udp' },
  totem: { title: 'Totem, AVL', port: 5007, over: 'tcp' },
  atrack: { title: 'ATrack', port: 5044, over: 'tcp+udp' },
  calamp: { title: 'CalAmp', port: 5082, over: 'udp' },
  galileosky: { title: 'Galileosky', port: 5034, over: 'tcp' },
} as const;

/** The protocol a tracker uses; null until its first message, if the owner has not set it. */
export type TrackerProtocol = keyof typeof TRACKERS;
export const TRACKER_PROTOCOLS = Object.keys(TRACKERS) as [TrackerProtocol, ...TrackerProtocol[]];
