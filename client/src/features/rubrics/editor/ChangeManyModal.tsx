import { QuestionKind, type Rubric } from '@assay/shared/rubrics.ts'
import { totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { changeMany, questionGroups, questionsBetween, renumbered } from '../many-questions.ts'
import { questionKinds } from '../rubric-draft.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import classes from './ChangeManyModal.module.css'

interface Props {
  opened: boolean
  close: () => void
  draft: RubricDraft
}

const RANGE = 'range'

interface Chosen {
  /** A group by its index, or `RANGE`. */
  group: string
  /** Of the range, by question id. */
  from: string
  to: string
  pointsText: string
  kind: QuestionKind | null
  first: string
}

const nothingChosen = ({ questions }: Rubric): Chosen => ({
  group: '0',
  from: questions[0]?.id ?? '',
  to: questions.at(-1)?.id ?? '',
  pointsText: '',
  kind: null,
  first: '',
})

export function ChangeManyModal({ opened, close, draft }: Props) {
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
  const { group, from, to, pointsText, kind } = chosen
  const first = chosen.first.trim() === '' ? null : chosen.first
  const ids = group === RANGE ? questionsBetween(rubric, from, to) : (groups[Number(group)]?.ids ?? [])
  const points = pointsText.trim() === '' ? null : Number(pointsText.replace(',', '.'))
  const isWrong = points !== null && !(points > 0)
  const own = rubric.questions.flatMap(({ id, number }) => (ids.includes(id) ? [number] : []))
  const renamed = first === null ? null : renumbered(own, first)
  const noNumber = first !== null && renamed === null
  const changes = { points: isWrong ? null : points, kind, first }
  const after = changeMany(rubric, ids, changes)
  const [now, then] = [totalPoints(rubric), totalPoints(after)]
  return (
    <ConfirmModal
      opened={opened}
      close={close}
      title="Change many questions"
      confirmLabel="Apply"
      disabled={isWrong || noNumber || Object.values(changes).every((one) => one === null)}
      onConfirm={async () => {
        update((current) => changeMany(current, ids, changes))
        toast.success(`${plural(ids.length, 'question')} changed.`)
      }}
    >
      <div className={classes.root}>
        <NativeSelect
          data-autofocus
          label="Questions"
          value={group}
          data={[
            ...groups.map(({ label, ids: own }, i) => ({ value: String(i), label: `${label} (${own.length})` })),
            { value: RANGE, label: 'From one number to another' },
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
        <div className={classes.pair}>
          <TextInput
            label="Points each"
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
          label="First number"
          placeholder="No change"
          description="The others go on from it: from 12 to 13, from 3 a to 3 b."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={chosen.first}
          error={noNumber ? 'Such as 12 or 3 a' : undefined}
          onChange={(event) => choose({ first: event.currentTarget.value })}
        />
        <p role="status" className={classes.sum}>
          {plural(ids.length, 'question')}. {renamed && `Numbers: ${fewOf(renamed)}. `}
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
