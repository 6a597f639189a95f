import { percentOf } from '@assay/shared/rules/points.ts'

export const rateOf = (part: number, whole: number) => (whole === 0 ? null : percentOf({ given: part, of: whole }))
