import { describeRetention, RETENTION_CHOICES } from '@assay/shared/rules/retention-rule.ts'

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Of a select; with the present value, which may be none of those offered. */
export function retentionOptions(present: number | null): { value: string; label: string }[] {
  const months = new Set([...RETENTION_CHOICES, ...(present === null ? [] : [present])])
  return [...months]
    .sort((a, b) => a - b)
    .map((count) => ({ value: String(count), label: capitalised(describeRetention(count)) }))
}
