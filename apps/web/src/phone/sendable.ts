import type { DriverStep } from '@milepost/contract';

/** What waits on a phone besides log entries. The phone creates each ID, so that the server accepts each item once. */
export type Sendable =
  | {
      readonly kind: 'task-step';
      readonly taskId: string;
      /** The task's title as the driver saw it, because the list may no longer contain the task. */
      readonly title: string;
      readonly reportId: string;
      readonly step: DriverStep;
      /** ISO 8601, by the server's clock as far as the phone knows it. */
      readonly at: string;
      readonly reason: string;
      readonly note: string;
      readonly signedBy: string;
    }
  | {
      readonly kind: 'task-proof';
      readonly taskId: string;
      readonly title: string;
      readonly proofId: string;
      readonly proof: 'photo' | 'signature';
      readonly file: Blob;
      /** Who signed; empty for a photo. */
      readonly signedBy: string;
    }
  | {
      readonly kind: 'inspection-photo';
      readonly photoId: string;
      readonly vehicleId: string;
      readonly file: Blob;
    };
