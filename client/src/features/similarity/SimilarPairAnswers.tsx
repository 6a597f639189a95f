import type { SimilarAnswers, SimilarPair } from '@assay/shared/similarity.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { AnswerPlace } from './AnswerPlace.tsx'
import { MarkedText } from './MarkedText.tsx'
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
