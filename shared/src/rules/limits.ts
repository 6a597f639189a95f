/** Bytes: under 50 MB as people count them. */
export const MAX_PDF_BYTES = 50 * 1024 * 1024 - 1

/** A class scan: pages in all, files, bytes of each. */
export const MAX_CLASS_SCAN_PAGES = 2000
export const MAX_CLASS_SCAN_FILES = 20
export const MAX_CLASS_SCAN_BYTES = 100 * 1024 * 1024 - 1

/** Of one student: papers an hour, and bytes for one assignment. */
export const MAX_HAND_INS_PER_HOUR = 10
export const MAX_HAND_IN_BYTES = 200 * 1024 * 1024

/**
 * A photo is a page. With its PDF a paper is bound by `MAX_HAND_IN_BYTES`, a student's photos for one assignment by
 * `MAX_ORIGINALS_BYTES`.
 */
export const MAX_PHOTOS = 40
export const MAX_PHOTO_BYTES = 25 * 1024 * 1024
export const MAX_ORIGINALS_BYTES = 1024 * 1024 * 1024

/** Added, cropped or turned by one person, as each is work; and days they wait to be handed in. */
export const MAX_PHOTO_CHANGES_PER_HOUR = 400
export const PHOTO_DRAFT_DAYS = 14

/** Bytes of one person's photos: stored in an hour, removed or not, and waiting. */
export const MAX_PHOTO_BYTES_PER_HOUR = 1024 * 1024 * 1024
export const MAX_DRAFT_BYTES = 1024 * 1024 * 1024

export const MAX_CSV_BYTES = 10 * 1024 * 1024
export const MAX_ROSTER_ROWS = 20_000

/** A longer roster is imported by a job. */
export const MAX_SYNC_ROSTER_ROWS = 1000

export const MAX_FILES_PER_UPLOAD = 500

export const SESSION_SECONDS = 12 * 60 * 60

/** Seconds; the client renews it every `CSRF_REFRESH_MS`. */
export const CSRF_SECONDS = 60 * 60
export const CSRF_REFRESH_MS = 1_800_000

export const HTTP_TIMEOUT_MS = 30_000
export const HTTP_RETRIES = 3
export const HTTP_RETRY_CAP_MS = 10_000
