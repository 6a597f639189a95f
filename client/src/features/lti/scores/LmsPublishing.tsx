import type { LmsScores } from '@assay/shared/lti/lti-scores.ts'
import { Checkbox } from '@mantine/core'
import { plural } from '../../../lib/format.ts'
import { lmsNamesOfScores } from './score-messages.ts'

interface Props {
  scores: LmsScores | undefined
  checked: boolean
  change: (checked: boolean) => void
}

/** Hiding grades leaves scores in the LMS unless this is ticked. */
export function ClearLmsScores({ scores, checked, change }: Props) {
  const counts = scores?.links.map((link) => link.counts) ?? []
  const there = counts.reduce((sum, { sent, sending, waiting }) => sum + sent + sending + waiting, 0)
  if (!scores || there === 0) return null
  const names = lmsNamesOfScores(scores)
  return (
    <Checkbox
      label={`Also clear these scores in ${names}`}
      description={`${plural(there, 'score')} ${there === 1 ? 'was' : 'were'} sent there. Unless cleared, ${there === 1 ? 'it stays' : 'they stay'} in the gradebook.`}
      checked={checked}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  )
}

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
