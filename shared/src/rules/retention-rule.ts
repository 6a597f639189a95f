/** What screens offer, in months; 0 for ever. */
export const RETENTION_CHOICES = [0, 6, 12, 24, 36, 60, 120]

/** From the notice to the deletion. */
export const RETENTION_NOTICE_DAYS = 14

/** As in “Student work is …”; months, 0 for ever. */
export function describeRetention(months: number): string {
  if (months === 0) return 'kept'
  const [count, unit] = months % 12 === 0 ? [months / 12, 'year'] : [months, 'month']
  return `deleted ${count} ${unit}${count === 1 ? '' : 's'} after the last activity`
}
