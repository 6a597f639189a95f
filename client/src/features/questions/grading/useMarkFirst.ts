import { getQuestion, type QuestionAnswer, type QuestionToGrade } from '@assay/shared/questions.ts'
import { useEffect, useMemo, useState } from 'react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import type { QueryResult } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { isDecided, suggestedPoints } from './answer-groups.ts'
import { expectedSentence, movedSentence } from './grading-messages.ts'

export interface MarkFirst {
  /** Undecided answers that would teach the grader most, best first. */
  offered: QuestionAnswer[]
  isMore: boolean
  learnsFrom: QuestionToGrade['learns_from']
  /** How far off suggestions are expected to be; null where there are none. */
  expected: string | null
  answer: QuestionAnswer | null
  /** It and the undecided ones with the same words; empty while groups are graded. */
  answers: QuestionAnswer[]
  place: { at: number; of: number }
  told: string | null
  learning: boolean
  start: () => void
  stop: () => void
  next: () => void
  tell: (stored: Promise<boolean>) => Promise<void>
}

interface Options {
  params: { assignmentId: number; questionId: string }
  question: QuestionToGrade
  loaded: QueryResult<QuestionToGrade>
  answers: readonly QuestionAnswer[]
}

/** Where the grader learns from decisions: a few answers before the groups. */
export function useMarkFirst({ params, question, loaded, answers }: Options): MarkFirst {
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
    offered,
    isMore: queue ? queue.isMore : isMore,
    learnsFrom: question.learns_from,
    expected: question.expected_error === null ? null : expectedSentence(question.expected_error),
    answer,
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
