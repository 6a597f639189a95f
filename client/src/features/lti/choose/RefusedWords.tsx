import { Notice } from '../../../components/Notice.tsx'
import { messageOf } from '../../../lib/api-error.ts'
import type { Answering } from './useAnswer.ts'

export function RefusedWords({ answer: { error } }: { answer: Answering }) {
  if (!error) return null
  return (
    <Notice tone="bad">{messageOf(error, 'This could not be sent to the LMS. Please try again.')}</Notice>
  )
}
