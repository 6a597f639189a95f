import {
  dismissSimilarPair,
  type SimilarAnswers,
  type SimilarityReport,
  type SimilarPair,
} from '@assay/shared/similarity.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../lib/format.ts'
import { AnswerPlace } from './AnswerPlace.tsx'
import { MarkedText } from './MarkedText.tsx'
import classes from './similarity.module.css'
import { whySimilar } from './similarity-messages.ts'

interface Props {
  assignmentId: number
  pair: SimilarPair
  changed: (report: SimilarityReport) => void
}

/** Two papers, why they are listed, and their answers side by side. */
export function SimilarPairItem({ assignmentId, pair, changed }: Props) {
  const { id, first, second, answers, dismissed } = pair
  const dismiss = useSend(dismissSimilarPair)
  const [failure, setFailure] = useState<string | null>(null)
  const [opened, setOpened] = useState(dismissed === null)

  async function set(wanted: boolean) {
    setFailure(null)
    try {
      changed(await dismiss.send({ params: { assignmentId, pairId: id }, body: { dismissed: wanted } }))
      setOpened(!wanted)
    } catch (error) {
      setFailure(messageOf(error, 'This was not saved. Please try again.'))
    }
  }

  const paperOf = ({ submission_id, student }: SimilarPair['first']) => (
    <Link to={`/assignments/${assignmentId}/submissions/${submission_id}`}>{student}</Link>
  )
  return (
    <article className={classes.pair} aria-label={`${first.student} and ${second.student}`}>
      <div className={classes.head}>
        <h2 className={classes.names}>
          {paperOf(first)} and {paperOf(second)}
        </h2>
        {dismissed && <StatusBadge status="stable">No concern</StatusBadge>}
        <span className={classes.actions}>
          {dismissed && !opened && (
            <Button variant="subtle" size="compact-sm" onClick={() => setOpened(true)}>
              Show
            </Button>
          )}
          <Button
            variant="default"
            size="compact-sm"
            loading={dismiss.sending}
            onClick={() => void set(dismissed === null)}
          >
            {dismissed ? 'Undo' : 'Not a concern'}
          </Button>
        </span>
      </div>
      <p className={classes.why}>
        {whySimilar(answers)}
        {dismissed && ` ${dismissed.by_name} called it no concern on ${formatDateTime(dismissed.at)}.`}
      </p>
      {failure && <Notice tone="bad">{failure}</Notice>}
      {opened &&
        answers.map((one) => <Answers key={one.question_id} assignmentId={assignmentId} pair={pair} answers={one} />)}
    </article>
  )
}

function Answers({ assignmentId, pair, answers }: Pick<Props, 'assignmentId' | 'pair'> & { answers: SimilarAnswers }) {
  const { question_id, number, passages } = answers
  const [pictures, setPictures] = useState(false)
  const sides = [
    { paper: pair.first, text: answers.first, ranges: passages.map((passage) => passage.first) },
    { paper: pair.second, text: answers.second, ranges: passages.map((passage) => passage.second) },
  ]
  return (
    <div className={classes.answers}>
      <div className={classes.question}>
        <h3>Question {number}</h3>
        <Button variant="subtle" size="compact-sm" aria-expanded={pictures} onClick={() => setPictures(!pictures)}>
          {pictures ? 'Hide the pages' : 'Show on the pages'}
        </Button>
      </div>
      <div className={classes.sides}>
        {sides.map(({ paper, text, ranges }) => (
          <div key={paper.submission_id} className={classes.side}>
            <p className={classes.student}>{paper.student}</p>
            <MarkedText text={text} ranges={ranges} />
            {pictures && (
              <AnswerPlace
                params={{ assignmentId, questionId: question_id, submissionId: paper.submission_id }}
                label={`Answer of ${paper.student}`}
              />
            )}
          </div>
        ))}
      </div>
    </div>
  )
}
