import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import type { DeepLinkResponder } from './useDeepLinkResponse.ts'

export function ResponseError({ answer: { error } }: { answer: DeepLinkResponder }) {
  if (!error) return null
  return <Notice tone="bad">{messageOf(error, 'This could not be sent to the LMS. Please try again.')}</Notice>
}
