import { type Question, QuestionKind, type Rubric } from '@assay/shared/rubrics.ts'
import { questionPoints, totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { numberLevels, replaceLevel } from '@assay/shared/rules/question-numbers.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import { Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { questionKinds } from '../rubric-draft.ts'
import { joinQuestions, setKind, setPoints } from '../rubric-fixes.ts'
import { nextNumber } from '../rubric-parts.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import classes from './ChangeManyModal.module.css'

const RANGE = 'range'
const PICKED = 'picked'

const actions = {
  change: { label: 'Change', apply: 'Apply', done: 'changed' },
  join: { label: 'Join into one', apply: 'Join', done: 'joined' },
  remove: { label: 'Remove', apply: 'Remove', done: 'removed' },
}
const actionNames = ['change', 'join', 'remove'] as const

interface Chosen {
  action: ManyChanges['action']
  /** A group by its index, `RANGE` or `PICKED`. */
  group: string
  picked: string[]
  from: string
  to: string
  pointsText: string
  kind: QuestionKind | null
  first: string
}

const nothingChosen = ({ questions }: Rubric): Chosen => ({
  action: 'change',
  group: '0',
  picked: [],
  from: questions[0]?.id ?? '',
  to: questions.at(-1)?.id ?? '',
  pointsText: '',
  kind: null,
  first: '',
})

export function ChangeManyModal({ opened, close, draft }: { opened: boolean; close: () => void; draft: RubricDraft }) {
  const { rubric, update } = draft
  const [chosen, setChosen] = useState(() => nothingChosen(rubric))
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened !== wasOpened) {
    setWasOpened(opened)
    if (opened) setChosen(nothingChosen(rubric))
  }
  const choose = (part: Partial<Chosen>) => setChosen((now) => ({ ...now, ...part }))
  const groups = questionGroups(rubric)
  const numbers = rubric.questions.map(({ id, number }) => ({ value: id, label: number || '?' }))
  const { action, group, from, to, picked, pointsText, kind } = chosen
  const isJoin = action === 'join'
  const first = chosen.first.trim() === '' ? null : chosen.first
  const named = group === PICKED ? picked : (groups[Number(group)]?.ids ?? [])
  const ids = group === RANGE ? questionsBetween(rubric, from, to) : named
  const points = pointsText.trim() === '' ? null : Number(pointsText.replace(',', '.'))
  const isWrong = points !== null && !(points > 0)
  const own = rubric.questions.flatMap(({ id, number }) => (ids.includes(id) ? [number] : []))
  const renamed = first === null ? null : renumbered(isJoin ? own.slice(0, 1) : own, first)
  const noNumber = first !== null && renamed === null
  const changes = { action, points: isWrong ? null : points, kind, first }
  const canJoin = isJoin && ids.length > 1
  const isNothing = action === 'change' && [points, kind, first].every((one) => one === null)
  const after = changeMany(rubric, ids, changes)
  const joined = after.questions.find(({ id }) => ids.includes(id))
  const [now, then] = [totalPoints(rubric), totalPoints(after)]
  return (
    <ConfirmModal
      opened={opened}
      close={close}
      title="Change many questions"
      confirmLabel={actions[action].apply}
      disabled={isNothing || ids.length < (isJoin ? 2 : 1) || (action !== 'remove' && (isWrong || noNumber))}
      onConfirm={async () => {
        update((current) => changeMany(current, ids, changes))
        toast.success(`${plural(ids.length, 'question')} ${actions[action].done}.`)
      }}
    >
      <div className={classes.root}>
        <SegmentedControl
          aria-label="What to do"
          data={actionNames.map((one) => ({ value: one, label: actions[one].label }))}
          value={action}
          onChange={(one) => choose({ action: one, group: one === 'change' ? '0' : PICKED })}
        />
        <NativeSelect
          data-autofocus
          label="Questions"
          value={group}
          data={[
            ...groups.map(({ label, ids: own }, i) => ({ value: String(i), label: `${label} (${own.length})` })),
            { value: RANGE, label: 'From one number to another' },
            { value: PICKED, label: 'Those picked from the list' },
          ]}
          onChange={(event) => choose({ group: event.currentTarget.value })}
        />
        {group === RANGE && (
          <div className={classes.pair}>
            <NativeSelect
              label="From question"
              value={from}
              data={numbers}
              onChange={(event) => choose({ from: event.currentTarget.value })}
            />
            <NativeSelect
              label="To question"
              value={to}
              data={numbers}
              onChange={(event) => choose({ to: event.currentTarget.value })}
            />
          </div>
        )}
        {group === PICKED && (
          <Checkbox.Group value={picked} onChange={(next) => choose({ picked: next })} aria-label="Questions to pick">
            <div className={classes.picked}>
              {rubric.questions.map(({ id, number, prompt }) => (
                <Checkbox key={id} value={id} label={shorten(`${number} ${prompt}`, 80)} />
              ))}
            </div>
          </Checkbox.Group>
        )}
        {action !== 'remove' && (
          <>
            <div className={classes.pair}>
              <TextInput
                label={isJoin ? 'Points' : 'Points each'}
                placeholder="No change"
                inputMode="decimal"
                value={pointsText}
                error={isWrong ? 'More than 0' : undefined}
                onChange={(event) => choose({ pointsText: event.currentTarget.value })}
              />
              <NativeSelect
                label="Kind of answer"
                value={kind ?? ''}
                data={[
                  { value: '', label: 'No change' },
                  ...QuestionKind.options.map((one) => ({ value: one, label: questionKinds[one].label })),
                ]}
                onChange={(event) => choose({ kind: QuestionKind.safeParse(event.currentTarget.value).data ?? null })}
              />
            </div>
            <TextInput
              label={isJoin ? 'Number' : 'First number'}
              placeholder="No change"
              description={isJoin ? null : 'The others go on from it: from 12 to 13, from 3 a to 3 b.'}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              value={chosen.first}
              error={noNumber ? 'Such as 12 or 3 a' : undefined}
              onChange={(event) => choose({ first: event.currentTarget.value })}
            />
          </>
        )}
        <p role="status" className={classes.sum}>
          {plural(ids.length, 'question')}
          {action === 'remove' && ' will be removed'}
          {canJoin && joined && ` become question ${joined.number}, worth ${plural(questionPoints(joined), 'point')}`}.{' '}
          {action !== 'change' && 'The others keep their numbers and points. '}
          {renamed && !isJoin && `Numbers: ${fewOf(renamed)}. `}
          {now === then
            ? `The rubric has ${plural(now, 'point')}.`
            : `The rubric will have ${then} points, now ${now}.`}
        </p>
      </div>
    </ConfirmModal>
  )
}

const fewOf = (numbers: readonly string[]) =>
  numbers.length > 5 ? `${numbers.slice(0, 3).join(', ')} … ${numbers.at(-1)}` : numbers.join(', ')

const idsOf = (questions: readonly Question[]) => questions.map(({ id }) => id)

/** All, those without printed points, and the paper's sections. */
export function questionGroups({ questions, printed_totals = [] }: Rubric): { label: string; ids: string[] }[] {
  const unprinted = questions.filter(({ printed_points }) => printed_points === undefined)
  const parts = Map.groupBy(questions, ({ number }) => numberLevels(number).section || '1')
  const sections = printed_totals.flatMap(({ number, question_ids }) => {
    const own = questions.filter(({ id }) => question_ids.includes(id))
    return number?.startsWith('Section ') ? [{ label: number, ids: idsOf(own) }] : []
  })
  return [
    { label: 'All questions', ids: idsOf(questions) },
    ...(unprinted.length < questions.length
      ? [{ label: 'Questions without printed points', ids: idsOf(unprinted) }]
      : []),
    ...sections,
    ...(parts.size > 1 ? [...parts].map(([part, own]) => ({ label: `Part ${part}`, ids: idsOf(own) })) : []),
  ].filter(({ ids }) => ids.length > 0)
}

export function questionsBetween({ questions }: Rubric, from: string, to: string): string[] {
  const [first = 0, last = 0] = [from, to].map((id) => idsOf(questions).indexOf(id)).sort((a, b) => a - b)
  return idsOf(questions.slice(first, last + 1))
}

/** Numbers that go on from `first`: “12”, “13 a”, “13 b”; or “3 a”, “3 b”, “3 c”. Null where there is no next one. */
export function renumbered(numbers: readonly string[], first: string): string[] | null {
  const { section, levels } = numberLevels(first)
  const isMain = levels.length === 1
  const suffix = section === '' ? '' : ` (part ${section})`
  let current = isMain ? (levels[0] ?? '') : first.trim()
  const next = numbers.map((number, i) => {
    const [own, before] = [number, numbers[i - 1] ?? ''].map((one) => numberLevels(one).levels)
    const goesOn = !isMain || own?.length === 1 || own?.[0] !== before?.[0]
    if (i > 0 && goesOn) current = nextNumber(current)
    const plain = number.replace(/\s*\(part \d+\)/i, '')
    return isMain && current !== '' ? replaceLevel(plain, 0, current + suffix) : current
  })
  return levels.length > 0 && next.every((number) => number !== '') ? next : null
}

interface ManyChanges {
  action: 'change' | 'join' | 'remove'
  /** Each; null leaves what is there. */
  points: number | null
  kind: QuestionKind | null
  first: string | null
}

export function changeMany(before: Rubric, ids: readonly string[], changes: ManyChanges): Rubric {
  const { action, points, kind, first } = changes
  if (action === 'remove') return { ...before, questions: before.questions.filter(({ id }) => !ids.includes(id)) }
  const rubric = action === 'join' ? joinQuestions(before, ids) : before
  const chosen = rubric.questions.filter(({ id }) => ids.includes(id))
  const own = chosen.map(({ number }) => number)
  const numbers = first === null ? null : renumbered(own, first)
  const numberOf = new Map(chosen.map(({ id, number }, i) => [id, numbers?.[i] ?? number]))
  const questions = rubric.questions.map((one) => ({ ...one, number: numberOf.get(one.id) ?? one.number }))
  return ids.reduce(
    (now, id) => {
      const withPoints = points === null ? now : setPoints(now, id, points)
      return kind ? setKind(withPoints, id, kind) : withPoints
    },
    { ...rubric, questions },
  )
}
