import type { Unbranded } from '@assay/shared/shown-names.ts'

export const branded = <T>(value: Unbranded<T>): T => value as T
