import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { formatPoints, plural } from '../../../lib/format.ts'
import { type GroupOfAnswers, suggestedPoints } from './answer-groups.ts'

const none: ReadonlySet<never> = new Set<never>()

export type GroupView = ReturnType<typeof useGroupView>

/** `groups` is never empty. A partly decided group opens at its first answer that `isOpen`. */
export function useGroupView(
  groups: readonly GroupOfAnswers[],
  first: GroupOfAnswers,
  { activeAtFirst, isOpen }: { activeAtFirst: number | null; isOpen: (answer: QuestionAnswer) => boolean },
) {
  // With an answer of it: when groups change, that answer's group is open.
  const [place, setPlace] = useState({ id: first.id, answers: idsOf(first) })
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(none)
  const [activeId, setActive] = useState<number | null>(activeAtFirst)
  const [ticked, setTicked] = useState<ReadonlySet<number>>(none)

  const index = Math.max(0, indexOf(groups, place))
  const current = groups[index] ?? first
  const ids = idsOf(current)
  const active =
    activeId !== null && ids.includes(activeId)
      ? activeId
      : (current.answers.find(isOpen)?.submission_id ?? ids[0] ?? 0)
  // Its answers may have changed under the same id.
  const known = place.id === current.id && place.answers.length === ids.length
  useEffect(() => {
    if (!known) setPlace({ id: current.id, answers: idsOf(current) })
  }, [known, current])

  function open(group: GroupOfAnswers | undefined) {
    if (!group) return
    setPlace({ id: group.id, answers: idsOf(group) })
    if (group.id !== current.id) {
      setTicked(none)
      setActive(null)
    }
    setChosenIds(none)
  }

  function extend(by: 1 | -1) {
    const next = groups[index + by]
    if (!next) return
    const both = new Set([...chosenIds, current.id, next.id])
    if (chosenIds.has(next.id)) both.delete(current.id)
    open(next)
    setChosenIds(both)
  }

  const chooseTo = (to: number) =>
    setChosenIds(new Set(groups.slice(Math.min(index, to), Math.max(index, to) + 1).map(({ id }) => id)))
  const chosen = groups.filter(({ id }) => id === current.id || chosenIds.has(id))
  return {
    index,
    current,
    open,
    openAnswers(answers: number[]) {
      setPlace({ id: '', answers })
      setTicked(none)
      setChosenIds(none)
    },
    step: (by: 1 | -1) => open(groups[index + by]),
    chosen,
    isChosen: (id: string) => chosenIds.has(id) || id === current.id,
    toggle(group: GroupOfAnswers) {
      if (group.id === current.id) return
      setChosenIds((all) => toggled(all, group.id))
    },
    extend,
    chooseTo,
    chooseUp: index > 0 ? () => chooseTo(0) : null,
    chooseDown: index < groups.length - 1 ? () => chooseTo(groups.length - 1) : null,
    chooseNone() {
      setChosenIds(none)
      setTicked(none)
    },
    active,
    activate: setActive,
    stepAnswer: (by: 1 | -1) => setActive(ids[ids.indexOf(active) + by] ?? active),
    ticked,
    tick(submissionId: number, toHere = false) {
      const [from, to] = [ids.indexOf(active), ids.indexOf(submissionId)].sort((a, b) => a - b)
      setTicked((all) => (toHere ? new Set([...all, ...ids.slice(from, (to ?? 0) + 1)]) : toggled(all, submissionId)))
      setActive(submissionId)
    },
    untick: () => setTicked(none),
  }
}

const idsOf = ({ answers }: GroupOfAnswers) => answers.map(({ submission_id }) => submission_id)

/** By id, else the group with most of its answers; -1 where there is none. */
function indexOf(groups: readonly GroupOfAnswers[], place: { id: string; answers: number[] }): number {
  const same = groups.findIndex(({ id }) => id === place.id)
  if (same >= 0) return same
  const answers = new Set(place.answers)
  const shared = groups.map((group) => idsOf(group).filter((id) => answers.has(id)).length)
  const most = Math.max(0, ...shared)
  return most === 0 ? -1 : shared.indexOf(most)
}

function toggled<T>(all: ReadonlySet<T>, one: T): ReadonlySet<T> {
  const next = new Set(all)
  if (!next.delete(one)) next.add(one)
  return next
}

export function targetOf(
  { chosen, current, ticked }: Pick<GroupView, 'chosen' | 'current' | 'ticked'>,
  marking: QuestionAnswer[],
) {
  if (marking.length > 0) return { answers: marking, groups: 1, words: answersInWords(marking) }
  if (chosen.length > 1) {
    const answers = chosen.flatMap((group) => group.answers)
    return { answers, groups: chosen.length, words: `${chosen.length} groups, ${plural(answers.length, 'answer')}` }
  }
  const some = current.answers.filter(({ submission_id }) => ticked.has(submission_id))
  if (some.length > 0) return { answers: some, groups: 1, words: plural(some.length, 'selected answer') }
  return { answers: current.answers, groups: 1, words: answersInWords(current.answers) }
}

const answersInWords = ({ length }: readonly QuestionAnswer[]) =>
  length === 1 ? 'This answer' : `All ${plural(length, 'answer')}`

export function suggestionWords(answers: readonly QuestionAnswer[], criteria: QuestionToGrade['question']['criteria']) {
  if (answers.every(({ suggested }) => Object.keys(suggested).length === 0)) return null
  const [first = null, ...others] = new Set(answers.map((answer) => suggestedPoints(answer, criteria)))
  return first === null || others.length > 0 ? 'Accept suggestions' : `Accept ${formatPoints(first)}`
}

export function useListOrGroup() {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const [onList, setOnList] = useState(true)
  const list = useRef<HTMLDivElement>(null)
  const pane = useRef<HTMLElement>(null)
  const shown = useRef(onList)
  useEffect(() => {
    if (shown.current === onList) return
    shown.current = onList
    if (!onPhone) return
    window.scrollTo(0, 0)
    const { current } = onList ? list : pane
    current?.focus({ preventScroll: true })
  }, [onList, onPhone])
  return { onList, setOnList, list, pane }
}

export function useAskedAnswer(): number | null {
  const [address] = useSearchParams()
  return Number(address.get('answer')) || null
}
