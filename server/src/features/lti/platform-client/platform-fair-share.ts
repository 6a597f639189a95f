/** Fair share of the job queue per LMS, so that one that hangs does not block the others. */
export const platformFairShareKey = (platformId: number): string => `lms:${platformId}`
