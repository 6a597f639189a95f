import type { RetentionPreview } from '@assay/shared/retention.ts'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import type { QueryResult } from '../../lib/api/api-hooks.ts'
import { previewSentences } from './retention-words.ts'

/** What a rule that is not saved yet would delete; nothing where there is none. */
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
      {error && <Notice tone="bad">{messageOf(error, 'What this would delete could not be counted.')}</Notice>}
    </>
  )
}
