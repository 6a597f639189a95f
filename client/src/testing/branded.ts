import type { Unbranded } from '@assay/shared/shown-names.ts'

/** What a server would send, from what a test writes down. */
export const branded = <T>(value: Unbranded<T>): T => value as T
