import type { Criterion } from '@assay/shared/rubrics.ts'
import { termsOf } from './terms.ts'

/** “drag for air resistance”: another word for a part of the answer. */
const IN_PLACE_OF = /^(.{2,40}?)\s+(?:for|instead\s+of|in\s+place\s+of)\s+(.{2,40})$/i
/** A line of guidance that was cut off: “force of gravity for”. */
const CUT_OFF = /\s(?:for|and|or|of|the|a|an|to|with|in)$/i

/** As whole answers: allowed words replace theirs, and meaningless pieces of guidance are left out. */
export function acceptedAnswers({ expected, alternatives }: Pick<Criterion, 'expected' | 'alternatives'>): string[] {
  const others = alternatives.flatMap((text) => {
    const [, instead = '', of = ''] = IN_PLACE_OF.exec(text.trim()) ?? []
    if (of !== '') {
      const at = expected.toLowerCase().indexOf(of.toLowerCase())
      if (at >= 0) return [`${expected.slice(0, at)}${instead}${expected.slice(at + of.length)}`]
    }
    return CUT_OFF.test(text.trim()) && termsOf(expected).length > 2 ? [] : [text]
  })
  return [expected, ...others].map(withoutAllocation).filter((text) => text.trim() !== '')
}

/** “1 1 4 4 9 1 mark for 1, 1” without the marks. */
function withoutAllocation(text: string): string {
  const plain = text.replace(/[\s;,.(]+\d+\s+marks?\s+(?:for|if|each)\b.*$/is, '')
  return plain.trim() === '' ? text : plain
}
