import type { Unbranded } from '@assay/shared/users.ts'

export const branded = <T>(value: Unbranded<T>): T => value as T
