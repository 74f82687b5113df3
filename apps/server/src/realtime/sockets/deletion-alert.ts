/** The id of the alert that a vehicle or a geofence was deleted; 0 for the other one. */
export const deletionId = (atMs: number, vehicleId: number, fenceId: number): string =>
  `${atMs}-${vehicleId}-${fenceId}-deleted`;

/** What alerts of deletions have in common. */
export const DELETED = {
  v: 1,
  type: 'deleted',
  severity: 'info',
  driver: null,
  rule: null,
  state: 'closed',
  count: 1,
  late: false,
  position: null,
  dwellSeconds: 0,
  distanceToEdgeM: null,
  confidence: null,
  ack: null,
  link: '/geo-fence',
} as const;
