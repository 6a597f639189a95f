import { getQuestion, type QuestionAnswer, type QuestionToGrade } from '@assay/shared/questions.ts'
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import type { QueryResult } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { plural } from '../../../lib/format.ts'
import { expectedSentence, isDecided, movedSentence, suggestedPoints } from './answer-groups.ts'

export const MARK_FIRST_KEY = 'o'

export function MarkFirstNotice({ markFirst, otherwise }: { markFirst: MarkFirst; otherwise: ReactNode }) {
  const { offered, isMore, learnsFrom, answer, place, told, stop, next } = markFirst
  if (answer)
    return (
      <Notice
        title={`${isMore ? 'Mark these next' : 'Mark these first'}: ${place.at} of ${place.of}`}
        actions={
          <>
            <SecondaryButton size="compact-sm" onClick={next}>
              Skip
            </SecondaryButton>
            <SubtleButton size="compact-sm" onClick={stop}>
              Go to the groups
            </SubtleButton>
          </>
        }
      >
        {told ?? learnsSentence(learnsFrom)}
      </Notice>
    )
  if (offered.length === 0 || isMore) return null
  return (
    <Notice
      actions={
        <>
          <MarkButton markFirst={markFirst} variant="filled" />
          {otherwise}
        </>
      }
    >
      {offered.length === 1 ? 'Mark this answer first.' : `Mark these ${plural(offered.length, 'answer')} first.`}{' '}
      {learnsSentence(learnsFrom)}
    </Notice>
  )
}

/** An LLM learns only when it grades next. */
const learnsSentence = (from: MarkFirst['learnsFrom']) =>
  from === 'like'
    ? 'The grader learns from your marks.'
    : 'Your marks also count for matching answers. The AI model sees them when it grades again.'

interface ButtonProps {
  markFirst: MarkFirst
  variant: 'default' | 'filled'
}

export function MarkButton({ markFirst: { offered, isMore, start }, variant }: ButtonProps) {
  if (offered.length === 0) return null
  const first = offered.length === 1 ? 'Mark it' : 'Mark them'
  return (
    <Button
      size="compact-sm"
      variant={variant}
      rightSection={<kbd aria-hidden>{MARK_FIRST_KEY}</kbd>}
      aria-keyshortcuts={MARK_FIRST_KEY}
      onClick={start}
    >
      {isMore ? `Mark ${offered.length} more` : first}
    </Button>
  )
}

export type MarkFirst = ReturnType<typeof useMarkFirst>

interface Options {
  params: { assignmentId: number; questionId: string }
  question: QuestionToGrade
  loaded: QueryResult<QuestionToGrade>
  answers: readonly QuestionAnswer[]
}

/** Where the grader learns from decisions: a few answers before the groups. */
export function useMarkFirst({ params, question, loaded, answers }: Options) {
  const announce = useAnnounce()
  const [queue, setQueue] = useState<{ ids: number[]; at: number; isMore: boolean } | null>(null)
  const [before, setBefore] = useState<QuestionToGrade | null>(null)
  const [telling, setTelling] = useState(0)
  const { criteria } = question.question
  const byId = new Map(answers.map((answer) => [answer.submission_id, answer]))
  const offered = question.mark_first.flatMap((id) => {
    const answer = byId.get(id)
    return answer && !isDecided(answer, criteria) ? [answer] : []
  })
  const answer = queue ? (byId.get(queue.ids[queue.at] ?? 0) ?? null) : null

  const same =
    answer && question.groups.flatMap(({ variants }) => variants).find((ids) => ids.includes(answer.submission_id))
  const others = (same ?? []).flatMap((id) => {
    const other = byId.get(id)
    return other && id !== answer?.submission_id && !isDecided(other, criteria) ? [other] : []
  })

  const learning = telling > 0 || question.learning
  const told = useMemo(
    () => before && movedSentence(countMoved(before, question), question.expected_error, learning),
    [before, question, learning],
  )
  useEffect(() => {
    if (told !== null && !learning) announce(told)
  }, [told, learning, announce])

  async function tell(stored: Promise<boolean>) {
    setTelling((count) => count + 1)
    // At once: until it is stored, suggestions are older than the mark.
    setBefore(question)
    try {
      if (!(await stored)) {
        setBefore(before)
        return
      }
      const { body: now } = await callApi(getQuestion, { params })
      loaded.patch(() => now)
    } catch {
      // It is stored; suggestions come with the server's next answer.
    } finally {
      setTelling((count) => count - 1)
    }
  }

  const isMore = answers.some((one) => isDecided(one, criteria))

  return {
    /** Undecided answers that would teach the grader most, best first. */
    offered,
    isMore: queue ? queue.isMore : isMore,
    learnsFrom: question.learns_from,
    expected: question.expected_error === null ? null : expectedSentence(question.expected_error),
    answer,
    /** It and the undecided ones with the same words; empty while groups are graded. */
    answers: answer ? [answer, ...others] : [],
    place: { at: (queue?.at ?? 0) + 1, of: queue?.ids.length ?? 0 },
    told,
    learning,
    start: () => setQueue({ ids: offered.map(({ submission_id }) => submission_id), at: 0, isMore }),
    stop() {
      setQueue(null)
      setBefore(null)
    },
    next: () => setQueue((now) => (now && now.at + 1 < now.ids.length ? { ...now, at: now.at + 1 } : null)),
    tell,
  }
}

function countMoved(before: QuestionToGrade, now: QuestionToGrade): number {
  const { criteria } = now.question
  const points = new Map(before.answers.map((answer) => [answer.submission_id, suggestedPoints(answer, criteria)]))
  return now.answers.filter(
    (answer) => !isDecided(answer, criteria) && points.get(answer.submission_id) !== suggestedPoints(answer, criteria),
  ).length
}
