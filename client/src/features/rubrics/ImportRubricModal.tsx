import type { Rubric } from '@assay/shared/rubrics.ts'
import { questionPoints, totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { type ParsedRubricFile, parseRubricFile } from '@assay/shared/rules/rubric-file.ts'
import { Button, Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import confirm from '../../components/feedback/ConfirmModal.module.css'
import { Notice } from '../../components/feedback/Notice.tsx'
import { plural } from '../../lib/format.ts'
import classes from './editor/RubricEditor.module.css'
import type { RubricDraft } from './useRubricDraft.ts'
import { ChangesList } from './versions/ChangesList.tsx'

/** No rubric is near as large. */
const MAX_BYTES = 5_000_000

interface Props {
  file: File | null
  close: () => void
  draft: RubricDraft
  onImport: (rubric: Rubric) => void
}

/** What a file would change, before anything is changed. */
export function ImportRubricModal({ file, close, draft, onImport }: Props) {
  const [read, setRead] = useState<ParsedRubricFile | null>(null)
  const { base } = draft
  useEffect(() => {
    let wanted = true
    setRead(null)
    const known = base.questions.length > 0 ? base : null
    const text = file && file.size <= MAX_BYTES ? file.text() : Promise.resolve('')
    text
      .catch(() => '')
      .then((words) => {
        if (wanted && file) setRead(parseRubricFile(words, known))
      })
    return () => {
      wanted = false
    }
  }, [file, base])

  const rubric = read && 'rubric' in read ? read.rubric : null
  return (
    <Modal
      opened={file !== null && read !== null}
      onClose={close}
      title={<span className={confirm.title}>Import a rubric</span>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={classes.stack}>
        {read && 'problems' in read && (
          <Notice tone="bad" title={`${file?.name ?? 'The file'} cannot be used`}>
            <ul className={classes.changes}>
              {read.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Notice>
        )}
        {read && rubric && (
          <>
            <span>
              From “{'title' in read ? read.title : ''}”: {plural(rubric.questions.length, 'question')},{' '}
              {plural(totalPoints(rubric), 'point')}.
            </span>
            {draft.rubric.questions.length > 0 ? (
              <ChangesList before={draft.rubric} after={rubric} />
            ) : (
              <ul className={classes.changes}>
                {rubric.questions.map((question) => (
                  <li key={question.id}>
                    {question.number}: {plural(questionPoints(question), 'point')}
                  </li>
                ))}
              </ul>
            )}
            <span>Nothing is saved yet. You can review or discard the import.</span>
          </>
        )}
      </div>
      <div className={confirm.buttons}>
        <Button variant="default" onClick={close}>
          {rubric ? 'Cancel' : 'Close'}
        </Button>
        {rubric && (
          <Button
            data-autofocus
            onClick={() => {
              onImport(rubric)
              close()
            }}
          >
            Import
          </Button>
        )}
      </div>
    </Modal>
  )
}
