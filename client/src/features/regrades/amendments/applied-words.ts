import type { AmendmentSummary } from '@assay/shared/rubric-amendments.ts'
import { plural } from '../../../lib/format.ts'

/** What became of an amendment, in a few sentences. */
export function appliedWords({ kind, text, result }: Pick<AmendmentSummary, 'kind' | 'text' | 'result'>): string {
  const what = kind === 'alternative' ? `“${shortened(text)}” is accepted for everyone.` : 'The rubric is clarified.'
  if (!result) return what
  const { changed, skipped } = result
  const points =
    changed === 0 ? 'No other points changed.' : `The points of ${plural(changed, 'other answer')} changed.`
  const left =
    skipped === 0
      ? ''
      : ` ${plural(skipped, 'answer was', 'answers were')} changed by others meanwhile and left as they are.`
  return `${what} ${points}${left}`
}

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
