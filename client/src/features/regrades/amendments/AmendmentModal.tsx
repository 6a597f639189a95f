import type { RegradeRequest } from '@assay/shared/regrades.ts'
import type { AmendmentKind, AmendmentPreview, RubricAmendment } from '@assay/shared/rubric-amendments.ts'
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { AmendmentWords } from './AmendmentWords.tsx'
import classes from './amendments.module.css'
import { appliedWords } from './applied-words.ts'
import { LikeAnswers } from './LikeAnswers.tsx'

interface Props {
  assignmentId: number
  request: RegradeRequest
  kind: AmendmentKind
  changed: () => void
  close: () => void
}

/** The words, then the answers they would change, then what came of it. */
export function AmendmentModal({ assignmentId, request, kind, changed, close }: Props) {
  const [listed, setListed] = useState<{ text: string; preview: AmendmentPreview } | null>(null)
  const [applied, setApplied] = useState<RubricAmendment | null>(null)
  const title = kind === 'alternative' ? 'Accept this answer for everyone' : 'Clarify the rubric'
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={<span className={classes.heading}>{title}</span>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {applied ? (
        <div className={classes.step}>
          <p role="status">{appliedWords(applied)} Students whose points changed see why.</p>
          <div className={classes.actions}>
            <Button onClick={close} data-autofocus>
              Close
            </Button>
          </div>
        </div>
      ) : listed ? (
        <LikeAnswers
          assignmentId={assignmentId}
          words={{ regrade_id: request.id, kind, text: listed.text }}
          preview={listed.preview}
          applied={(amendment) => {
            setApplied(amendment)
            changed()
          }}
          close={close}
        />
      ) : (
        <AmendmentWords
          assignmentId={assignmentId}
          request={request}
          kind={kind}
          found={(text, preview) => setListed({ text, preview })}
          cancel={close}
        />
      )}
    </Modal>
  )
}
