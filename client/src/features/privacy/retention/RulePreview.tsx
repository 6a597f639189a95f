import type { RetentionPreview } from '@assay/shared/retention.ts'
import { RETENTION_CHOICES, retentionPeriod } from '@assay/shared/rules/retention.ts'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import type { QueryResult } from '../../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../../lib/format.ts'

export function RulePreview({ preview }: { preview: QueryResult<RetentionPreview> | null }) {
  const { data, error } = preview ?? {}
  return (
    <>
      <div role="status">
        {preview && !error && (
          <Notice tone={data && data.assignments > 0 ? 'warn' : 'note'}>
            {data ? previewSentences(data).join(' ') : 'Counting what this would delete…'}
          </Notice>
        )}
      </div>
      <ErrorNotice error={error} fallback="What this would delete could not be counted." />
    </>
  )
}

/** `current` is included even if it was set elsewhere. */
export function retentionChoices(current: number): { value: string; label: string }[] {
  const months = [...new Set([...RETENTION_CHOICES, current])].sort((a, b) => a - b)
  return months.map((one) => ({
    value: String(one),
    label: one === 0 ? 'Never delete it' : `Delete it ${retentionPeriod(one)} after the last activity`,
  }))
}

export function previewSentences(preview: RetentionPreview): string[] {
  const { effective_months, assignments, papers, complete, delete_at, noticed, withdrawn } = preview
  const sentences: string[] = []
  if (assignments > 0)
    sentences.push(
      `${complete ? '' : 'At least '}${plural(assignments, 'assignment')} with ${plural(papers, 'paper')} ${assignments === 1 ? 'is' : 'are'} older than this.`,
      `${assignments === 1 ? 'Its' : 'Their'} student work will be deleted on ${formatDate(delete_at)} at the earliest.`,
    )
  if (noticed > 0)
    sentences.push(`The student work of ${plural(noticed, 'assignment')} will be deleted as announced before.`)
  if (withdrawn > 0)
    sentences.push(`The student work of ${plural(withdrawn, 'assignment')} that was to be deleted will be kept.`)
  if (sentences.length === 0)
    sentences.push(effective_months === 0 ? 'Nothing will be deleted.' : 'Nothing is older than this at the moment.')
  return sentences
}
