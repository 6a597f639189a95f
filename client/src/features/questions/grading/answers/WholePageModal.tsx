import { type AnswerDetails, getAnswer, type QuestionToGrade } from '@assay/shared/questions.ts'
import { getSubmission, getSubmissionFile, type Submission } from '@assay/shared/submissions.ts'
import { Modal } from '@mantine/core'
import { useMemo } from 'react'
import { LinkButton } from '../../../../components/display/buttons.tsx'
import confirm from '../../../../components/feedback/ConfirmModal.module.css'
import { LoadError } from '../../../../components/layout/Page.tsx'
import { mergeBoxes } from '../../../../components/pdf/merge-boxes.ts'
import type { PdfHighlight } from '../../../../components/pdf/PdfHighlights.tsx'
import { PdfSkeleton } from '../../../../components/pdf/PdfSkeleton.tsx'
import { PdfViewer } from '../../../../components/pdf/PdfViewer.tsx'
import { usePdfSource } from '../../../../components/pdf/usePdfSource.ts'
import { type QueryResult, useGet } from '../../../../lib/api/api-hooks.ts'
import { urlFor } from '../../../../lib/api/http-client.ts'
import { submissionPath } from '../../../../paths.ts'
import { usePen } from '../../../grades/pen-marks/usePen.ts'
import classes from './WholePageModal.module.css'

const GROUP = 'answer'

interface Props {
  assignmentId: number
  question: QuestionToGrade['question']
  submissionId: number | null
  close: () => void
}

export function WholePageModal({ assignmentId, question, submissionId, close }: Props) {
  const ids = { assignmentId, submissionId: submissionId ?? 0 }
  const enabled = submissionId !== null
  const answer = useGet(getAnswer, { ...ids, questionId: question.id }, undefined, { enabled })
  const submission = useGet(getSubmission, ids, undefined, { enabled })
  const failed = [answer, submission].find(({ error }) => error)
  return (
    <Modal
      opened={enabled}
      onClose={close}
      size="60rem"
      title={<span className={confirm.title}>{answer.data?.student ?? 'The paper'}</span>}
      classNames={{ body: classes.body }}
    >
      {answer.data && submission.data ? (
        <>
          <div className={classes.paper}>
            <Paper
              submission={submission.data}
              patch={submission.patch}
              answer={answer.data}
              number={question.number}
            />
          </div>
          <LinkButton to={submissionPath(assignmentId, submission.data.id)} className={classes.review}>
            Review this paper
          </LinkButton>
        </>
      ) : failed?.error ? (
        <LoadError error={failed.error} retry={failed.reload} fallback="The paper could not be loaded." />
      ) : (
        <div className={classes.paper}>
          <PdfSkeleton />
        </div>
      )}
    </Modal>
  )
}

interface PaperProps {
  submission: Submission
  patch: QueryResult<Submission>['patch']
  answer: AnswerDetails
  number: string
}

function Paper({ submission, patch, answer, number }: PaperProps) {
  const source = usePdfSource(
    urlFor(getSubmissionFile, { assignmentId: submission.assignment_id, submissionId: submission.id }),
  )
  const marks = useMemo(
    () =>
      [...Map.groupBy(answer.evidence, ({ page }) => page)].flatMap(([page, here]) =>
        mergeBoxes(here.map(({ box }) => box)).map(
          (box): PdfHighlight => ({ group: GROUP, page, box, tag: number, label: `Answer to question ${number}` }),
        ),
      ),
    [answer.evidence, number],
  )
  const pen = usePen({ submission, patch })
  const target = useMemo(() => ({ group: GROUP }), [])
  return (
    <PdfViewer
      source={source}
      highlights={marks}
      selected={GROUP}
      scrollTarget={target}
      turnedPages={submission.turned_pages}
      pen={pen}
    />
  )
}
