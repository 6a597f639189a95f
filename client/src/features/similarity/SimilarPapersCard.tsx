import { getAnswer } from '@assay/shared/questions.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import type { SimilarAnswers, SimilarityReport, SimilarPair } from '@assay/shared/similarity.ts'
import { dismissSimilarPairs } from '@assay/shared/similarity.ts'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { ErrorNotice } from '../../components/feedback/Notice.tsx'
import { LoadError, RowSkeletons } from '../../components/layout/Page.tsx'
import { useGet, useSend } from '../../lib/api/api-hooks.ts'
import { formatDateTime, plural } from '../../lib/format.ts'
import { submissionPath } from '../../paths.ts'
import { AnswerPictures } from '../questions/grading/answers/AnswerPictures.tsx'
import classes from './similarity.module.css'

interface Props {
  assignmentId: number
  /** One, or several connected by their papers, the most unusual first. */
  pairs: SimilarPair[]
  changed: (report: SimilarityReport) => void
}

export function SimilarPapersCard({ assignmentId, pairs, changed }: Props) {
  const open = pairs.filter(({ dismissed }) => dismissed === null)
  const isDone = open.length === 0
  const [at, setAt] = useState(0)
  const [opened, setOpened] = useState(!isDone)
  const dismiss = useSend(dismissSimilarPairs)
  const papers = [
    ...new Map(pairs.flatMap(({ first, second }) => [first, second]).map((one) => [one.submission_id, one])).values(),
  ]
  const pair = pairs[Math.min(at, pairs.length - 1)]
  if (!pair) return null
  const isGroup = pairs.length > 1

  async function set(some: SimilarPair[], dismissed: boolean): Promise<boolean> {
    const body = { pair_ids: some.map(({ id }) => id), dismissed }
    return dismiss.send({ params: { assignmentId }, body }).then(
      (report) => {
        changed(report)
        return true
      },
      () => false,
    )
  }

  async function setAll() {
    if (await set(isDone ? pairs : open, !isDone)) setOpened(isDone)
  }

  const why = `${whySimilar(pair.answers)}${dismissedBy(pair)}`
  return (
    <article className={classes.pair} aria-label={listOf(papers.map(({ student }) => student))}>
      <div className={classes.head}>
        <h2 className={classes.names}>
          {papers.map(({ submission_id, student }, i) => (
            <span key={submission_id}>
              {i > 0 && (i === papers.length - 1 ? ' and ' : ', ')}
              <Link to={submissionPath(assignmentId, submission_id)}>{student}</Link>
            </span>
          ))}
        </h2>
        {isDone && <StatusBadge status="stable">Dismissed</StatusBadge>}
        <span className={classes.actions}>
          {isDone && !opened && (
            <SubtleButton size="compact-sm" onClick={() => setOpened(true)}>
              Show
            </SubtleButton>
          )}
          <SecondaryButton size="compact-sm" loading={dismiss.sending} onClick={() => void setAll()}>
            {isDone ? 'Undo' : isGroup ? 'Dismiss all' : 'Dismiss'}
          </SecondaryButton>
        </span>
      </div>
      <p className="dim">
        {isGroup ? `${plural(papers.length, 'paper')} alike in ${plural(pairs.length, 'pair')}.` : why}
        {isGroup &&
          !isDone &&
          open.length < pairs.length &&
          ` ${plural(pairs.length - open.length, 'pair')} dismissed.`}
      </p>
      <ErrorNotice error={dismiss.error} fallback="This was not saved. Please try again." />
      {opened && isGroup && (
        <>
          <div className={classes.choice}>
            <NativeSelect
              label="Compare"
              data={pairs.map((one, i) => ({
                value: String(i),
                label: `${pairLabel(one)}${one.dismissed ? ' (dismissed)' : ''}`,
              }))}
              value={String(pairs.indexOf(pair))}
              onChange={(event) => setAt(Number(event.currentTarget.value))}
            />
            <SecondaryButton disabled={at === 0} onClick={() => setAt(at - 1)}>
              Previous pair
            </SecondaryButton>
            <SecondaryButton disabled={at >= pairs.length - 1} onClick={() => setAt(at + 1)}>
              Next pair
            </SecondaryButton>
            <SubtleButton loading={dismiss.sending} onClick={() => void set([pair], pair.dismissed === null)}>
              {pair.dismissed ? 'Undo for this pair' : 'Dismiss this pair'}
            </SubtleButton>
          </div>
          <p className="dim" role="status">
            {pairLabel(pair)}: {why}
          </p>
        </>
      )}
      {opened && <SimilarPairAnswers key={pair.id} assignmentId={assignmentId} pair={pair} />}
    </article>
  )
}

const pairLabel = ({ first, second }: SimilarPair) => `${first.student} and ${second.student}`

const dismissedBy = ({ dismissed }: SimilarPair) =>
  dismissed ? ` Dismissed by ${dismissed.by_name} on ${formatDateTime(dismissed.at)}.` : ''

interface SimilarPairAnswersProps {
  assignmentId: number
  pair: SimilarPair
}

function SimilarPairAnswers({ assignmentId, pair }: SimilarPairAnswersProps) {
  return pair.answers.map((one) => (
    <Answers key={one.question_id} assignmentId={assignmentId} pair={pair} answers={one} />
  ))
}

function Answers({ assignmentId, pair, answers }: SimilarPairAnswersProps & { answers: SimilarAnswers }) {
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
        <SubtleButton size="compact-sm" aria-expanded={pictures} onClick={() => setPictures(!pictures)}>
          {pictures ? 'Hide the pages' : 'Show on the pages'}
        </SubtleButton>
      </div>
      <div className={classes.sides}>
        {sides.map(({ paper, text, ranges }) => (
          <div key={paper.submission_id} className={classes.side}>
            <p className="hint">{paper.student}</p>
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
  /** Of characters, in any order, without overlap. */
  ranges: [start: number, end: number][]
}

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

function AnswerPlace({ params, label }: AnswerPlaceProps) {
  const answer = useGet(getAnswer, params)
  if (answer.data) return <AnswerPictures params={params} pictures={answer.data.pictures} label={label} />
  if (answer.error) return <LoadError error={answer.error} retry={answer.reload} title="Error Loading the Page" />
  return <RowSkeletons count={1} label="Loading the page" />
}

function whySimilar(answers: readonly SimilarAnswers[]): string {
  const inWords = answers.filter(({ kind }) => kind === 'words')
  const reasons = inWords.map(({ number, passages: [longest] }) =>
    longest && longest.words >= 5
      ? `${plural(longest.words, 'word')} in a row in question ${number}`
      : `rare words in common in question ${number}`,
  )
  const wrong = answers.filter(({ kind }) => kind === 'same_wrong_answer').map(({ number }) => number)
  if (wrong.length > 0) reasons.push(`the same wrong answer to question${wrong.length > 1 ? 's' : ''} ${listOf(wrong)}`)
  const sentence = listOf(reasons)
  return sentence === '' ? 'Rare words in common.' : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}
