/** So that an LMS that hangs does not block the others' jobs. */
export const platformFairShareKey = (platformId: number): string => `lms:${platformId}`
