import type { RetentionPreview } from '@assay/shared/retention.ts'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import type { QueryResult } from '../../lib/api/api-hooks.ts'
import { previewSentences } from './retention-words.ts'

/** What a rule that is not saved yet would delete; nothing where there is none. */
export function RulePreview({ preview }: { preview: QueryResult<RetentionPreview> | null }) {
  const { data, error } = preview ?? {}
  const sentences = data ? previewSentences(data) : []
  return (
    <>
      <div role="status">
        {data && (
          <Notice tone={data.assignments > 0 ? 'warn' : 'note'}>
            {sentences.length > 0 ? sentences.join(' ') : 'Nothing is older than this at the moment.'}
          </Notice>
        )}
      </div>
      {error && <Notice tone="bad">{messageOf(error, 'What this would delete could not be counted.')}</Notice>}
    </>
  )
}
