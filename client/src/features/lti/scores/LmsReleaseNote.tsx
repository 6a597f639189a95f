import type { LmsScores } from '@assay/shared/lti/lti-scores.ts'
import { plural } from '../../../lib/format.ts'
import { lmsNamesOfScores } from './score-messages.ts'

export function LmsReleaseNote({ scores }: { scores: LmsScores | undefined }) {
  if (!scores?.linked) return null
  const { on_release } = scores
  const names = lmsNamesOfScores(scores)
  return (
    <p>
      {on_release > 0
        ? `${plural(on_release, 'score')} will be sent to ${names}, with the feedback.`
        : `No scores are sent to ${names} yet.`}
    </p>
  )
}
