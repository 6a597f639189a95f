/** Jobs that wait for one LMS: each LMS has its share of the queue's places, however long it takes to answer. */
export const platformFairShareKey = (platformId: number): string => `lms:${platformId}`
