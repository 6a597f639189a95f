import type { RegradeRequest } from '@assay/shared/regrades.ts'
import { type AmendmentKind, listAmendments } from '@assay/shared/rubric-amendments.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { AmendmentModal } from './AmendmentModal.tsx'
import { AppliedAmendment } from './AppliedAmendment.tsx'
import classes from './amendments.module.css'

interface Props {
  assignmentId: number
  /** Granted. */
  request: RegradeRequest
  /** Points of other papers have changed. */
  changed: () => void
}

/** Whether what one student was granted should be everyone's: in the rubric, and for the like answers. */
export function AmendmentOffer({ assignmentId, request, changed }: Props) {
  const amendments = useGet(listAmendments, { assignmentId, regradeId: request.id })
  const [opened, setOpened] = useState<AmendmentKind | null>(null)
  const { points } = request
  if (!points || !request.question || !amendments.data) return null
  const { group } = amendments.data
  const isFull = points.when_answered === points.of
  return (
    <section className={classes.offer} aria-labelledby="for-everyone">
      <h3 id="for-everyone" className={classes.title}>
        For everyone?
      </h3>
      {amendments.data.amendments.map((amendment) => (
        <AppliedAmendment
          key={amendment.id}
          assignmentId={assignmentId}
          amendment={amendment}
          undone={() => {
            void amendments.reload()
            changed()
          }}
        />
      ))}
      <p className={classes.words}>
        {group && `${groupWords(group)} `}
        {isFull
          ? 'Put it into the rubric, and see which other answers’ points would change.'
          : 'An accepted answer earns all the points, and you gave a part. You can clarify the rubric.'}
      </p>
      <div className={classes.buttons}>
        {isFull && (
          <Button variant="default" size="compact-sm" onClick={() => setOpened('alternative')}>
            Accept this answer for everyone
          </Button>
        )}
        <Button variant="default" size="compact-sm" onClick={() => setOpened('clarification')}>
          Clarify the rubric
        </Button>
      </div>
      {opened && (
        <AmendmentModal
          assignmentId={assignmentId}
          request={request}
          kind={opened}
          changed={changed}
          close={() => {
            setOpened(null)
            void amendments.reload()
          }}
        />
      )}
    </section>
  )
}

/** Whether others who wrote the like have other points. */
function groupWords({ answers, other_points }: { answers: number; other_points: number }): string {
  if (answers === 0) return 'No other answer is in a group with this one.'
  const group = `${plural(answers, 'other answer is', 'other answers are')} in a group with this one`
  if (other_points === 0) return `${group}, with the same points.`
  return `${group}, ${other_points === answers ? '' : `${other_points} `}with other points.`
}
