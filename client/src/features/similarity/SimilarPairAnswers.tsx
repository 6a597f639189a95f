import { getAnswer } from '@assay/shared/questions.ts'
import type { SimilarAnswers, SimilarPair } from '@assay/shared/similarity.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { RowSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../lib/api/api-hooks.ts'
import { AnswerPictures } from '../questions/grading/answers/AnswerPictures.tsx'
import classes from './similarity.module.css'

interface Props {
  assignmentId: number
  pair: SimilarPair
}

/** What two papers answered to the questions in which they are alike, side by side. */
export function SimilarPairAnswers({ assignmentId, pair }: Props) {
  return pair.answers.map((one) => (
    <Answers key={one.question_id} assignmentId={assignmentId} pair={pair} answers={one} />
  ))
}

function Answers({ assignmentId, pair, answers }: Props & { answers: SimilarAnswers }) {
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

interface MarkedTextProps {
  text: string
  /** Of characters, in any order; none overlaps another. */
  ranges: [start: number, end: number][]
}

/** A text with some of its words marked, by more than their colour. */
function MarkedText({ text, ranges }: MarkedTextProps) {
  const sorted = ranges.toSorted((a, b) => a[0] - b[0])
  const from = (i: number) => sorted[i - 1]?.[1] ?? 0
  return (
    <p className={classes.text}>
      {sorted.map(([start, end], i) => (
        <span key={start}>
          {text.slice(from(i), start)}
          <mark>{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(from(sorted.length))}
    </p>
  )
}

interface AnswerPlaceProps {
  params: { assignmentId: number; questionId: string; submissionId: number }
  label: string
}

/** An answer as it stands on its page. */
function AnswerPlace({ params, label }: AnswerPlaceProps) {
  const answer = useGet(getAnswer, params)
  if (answer.data) return <AnswerPictures params={params} pictures={answer.data.pictures} label={label} />
  if (answer.error) return <LoadError error={answer.error} retry={answer.reload} title="Error Loading the Page" />
  return <RowSkeletons count={1} label="Loading the page" />
}
