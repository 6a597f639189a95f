import { z } from 'zod'

export const RETENTION_NOTICE_DAYS = 14

/** Months without activity until student work is deleted; 0: never. */
export const RetentionMonths = z
  .number()
  .int('Enter whole months')
  .min(0, 'Enter 0 for never, or a number of months')
  .max(240, 'At most 240 months')

/** In months. */
export const RETENTION_CHOICES = [0, 6, 12, 24, 36, 60, 120]

/** `6 months`, `1 year`, `2 years`; not of 0. */
export function retentionPeriod(months: number): string {
  const [count, unit] = months % 12 === 0 ? [months / 12, 'year'] : [months, 'month']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export const retentionWords = (months: number): string =>
  months === 0 ? 'never delete student work' : `delete student work ${retentionPeriod(months)} after the last activity`
