import type { LmsScoresOfLink } from '@assay/shared/lti/lti-scores.ts'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import classes from './LmsScoresSummary.module.css'
import { canSendAgain, lmsNamesOfScores } from './score-messages.ts'
import type { LmsScoresState } from './useLmsScores.ts'

interface Props {
  lms: LmsScoresState
  links: LmsScoresOfLink[]
  published: boolean
}

/** Send again and Read the gradebook, of all of an assignment's scores. Scores that were set in the LMS are sent only when asked. */
export function LmsScoresActions({ lms, links, published }: Props) {
  const [asking, setAsking] = useState(false)
  const [changedToo, setChangedToo] = useState(false)
  const different = links.reduce((sum, { counts }) => sum + counts.different, 0)
  const names = lmsNamesOfScores({ links })
  const sendAgain = () => {
    setChangedToo(false)
    if (different > 0) setAsking(true)
    else void lms.sendAgain()
  }
  return (
    <>
      {links.some((link) => canSendAgain(link, published)) && (
        <Button variant="subtle" className={classes.again} loading={lms.sending} onClick={sendAgain}>
          Send again
        </Button>
      )}
      {links.some(({ counts }) => counts.sent > 0) && (
        <Button variant="subtle" className={classes.again} loading={lms.checking} onClick={() => void lms.check()}>
          Read the gradebook
        </Button>
      )}
      <ConfirmModal
        opened={asking}
        close={() => setAsking(false)}
        title="Send the scores again?"
        confirmLabel="Send again"
        onConfirm={() => lms.sendAgain(undefined, changedToo)}
      >
        <p>
          {plural(different, 'score')} {different === 1 ? 'was' : 'were'} changed in {names}. All others are sent again.
        </p>
        <Checkbox
          label={`Also send ${different === 1 ? 'the one' : 'those'} changed in ${names}`}
          description={`${names} may keep what was set there. Assay then shows that.`}
          checked={changedToo}
          onChange={(event) => setChangedToo(event.currentTarget.checked)}
        />
      </ConfirmModal>
    </>
  )
}
