import type { RubricAmendment } from '@assay/shared/rubric-amendments.ts'
import { plural } from '../../../lib/format.ts'

export function appliedWords({ kind, text, result }: Pick<RubricAmendment, 'kind' | 'text' | 'result'>): string {
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

export function undoneWords({ kind, text, undone }: Pick<RubricAmendment, 'kind' | 'text' | 'undone'>): string {
  const what =
    kind === 'alternative'
      ? `Undone: “${shortened(text)}” is no longer accepted.`
      : 'Undone: the clarification is no longer in the rubric.'
  if (!undone) return what
  const { restored, left } = undone
  const points =
    restored === 0
      ? ''
      : ` ${plural(restored, 'answer has', 'answers have')} ${restored === 1 ? 'its' : 'their'} earlier points again.`
  const kept =
    left === 0 ? '' : ` ${plural(left, 'answer was', 'answers were')} changed by others meanwhile and left as they are.`
  return `${what}${points}${kept}`
}

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
