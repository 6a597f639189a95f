import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import { formatPoints } from '@assay/shared/rules/points.ts'
import { TextInput } from '@mantine/core'
import { IconKey, IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { SubtleButton } from '../../../components/display/buttons.tsx'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { MathTextarea } from '../../../components/math/MathTextarea.tsx'
import { useRowFocus } from '../../../lib/hooks/useRowFocus.ts'
import { useRubricPapers } from '../papers/useRubricPapers.tsx'
import type { DraftErrors } from '../rubric-draft.ts'
import classes from './CriterionFields.module.css'
import fieldsClasses from './Fields.module.css'
import { IconButton, RowButtons } from './IconButton.tsx'

interface Props {
  question: Question
  criterion: Criterion
  index: number
  count: number
  change: (criterion: Criterion) => void
  move: (to: number) => void
  remove: () => void
  errors: DraftErrors
  /** Where its errors are: `questions.2.criteria.0`. */
  at: string
}

export function CriterionFields({ question, criterion, index, count, change, move, remove, errors, at }: Props) {
  const name = `criterion ${index + 1}`
  const { pickExpected } = useRubricPapers()
  const set = (part: Partial<Criterion>) => change({ ...criterion, ...part })
  // Highest first. Without any, every share of the points may be given.
  const { levels = [] } = criterion
  const lowest = levels.at(-1)
  return (
    <fieldset className={classes.root} aria-label={`Criterion ${index + 1}`}>
      {count > 1 && (
        <div className={classes.head}>
          <h4>Criterion {index + 1}</h4>
          <RowButtons
            name={name}
            focusName={`criterion-${criterion.id}`}
            index={index}
            count={count}
            move={move}
            remove={remove}
          />
        </div>
      )}
      <div className={classes.top}>
        <RubricPointsField
          label="Points"
          focusName={`points-${criterion.id}`}
          points={criterion.points}
          change={(points) => set({ points })}
          error={errors[`${at}.points`]}
        />
        <MathTextarea
          className={classes.text}
          label="Criterion"
          value={criterion.text}
          maxRows={6}
          error={errors[`${at}.text`]}
          onChange={(event) => set({ text: event.currentTarget.value })}
        />
      </div>
      <MathTextarea
        label="Expected answer"
        data-focus={`expected-${criterion.id}`}
        value={criterion.expected}
        maxRows={10}
        error={errors[`${at}.expected`]}
        onChange={(event) => set({ expected: event.currentTarget.value })}
      />
      <div>
        <SubtleButton
          leftSection={<IconKey size={16} aria-hidden />}
          aria-label={`Pick from the key, ${name}`}
          onClick={() => pickExpected(question, criterion.id)}
        >
          Pick from the key
        </SubtleButton>
      </div>
      <ListField
        legend="Also accepted"
        noun="Accepted answer"
        add="Add an accepted answer"
        of={name}
        items={criterion.alternatives}
        added=""
        change={(alternatives) => set({ alternatives })}
        row={(answer, i, put) => (
          <MathTextarea
            aria-label={`Accepted answer ${i + 1}, ${name}`}
            data-focus={`row-${i}`}
            value={answer}
            maxRows={8}
            error={errors[`${at}.alternatives.${i}`]}
            onChange={(event) => put(event.currentTarget.value)}
          />
        )}
      />
      <ListField
        legend="Levels of partial credit"
        hint="None. Any number of points can be given."
        noun="Level"
        add="Add a level"
        of={name}
        items={levels}
        added={{ points: lowest ? Math.max(0, Math.floor(lowest.points / 2)) : criterion.points, text: '' }}
        change={(next) => set({ levels: next })}
        row={(level, i, put) => (
          <>
            <RubricPointsField
              label={`Level ${i + 1}: points`}
              focusName={`row-${i}`}
              points={level.points}
              change={(points) => put({ ...level, points })}
              error={errors[`${at}.levels.${i}.points`]}
            />
            <MathTextarea
              label={`Level ${i + 1}: what an answer must have`}
              value={level.text}
              maxRows={6}
              error={errors[`${at}.levels.${i}.text`]}
              onChange={(event) => put({ ...level, text: event.currentTarget.value })}
            />
          </>
        )}
      />
    </fieldset>
  )
}

interface ListFieldProps<T> {
  legend: string
  hint?: string
  noun: string
  add: string
  of: string
  items: T[]
  added: T
  change: (items: T[]) => void
  /** Its first field has `data-focus` “row-” with the index. */
  row: (item: T, index: number, put: (item: T) => void) => ReactNode
}

function ListField<T>({ legend, hint, noun, add, of, items, added, change, row }: ListFieldProps<T>) {
  const { root, focusNext } = useRowFocus<HTMLFieldSetElement>()
  const announce = useAnnounce()
  return (
    <fieldset className={fieldsClasses.list} ref={root} aria-label={`${legend}, ${of}`}>
      <legend>{legend}</legend>
      {hint && items.length === 0 && <p className="hint">{hint}</p>}
      {items.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no ids, and stay in place while a row is edited
        <div className={fieldsClasses.row} key={i}>
          {row(item, i, (next) => change(items.with(i, next)))}
          <IconButton
            label={`Remove ${noun.toLowerCase()} ${i + 1}, ${of}`}
            Icon={IconX}
            focusName={`remove-${i}`}
            onClick={() => {
              focusNext(`remove-${i}`, `remove-${i - 1}`, 'add')
              announce(`${noun} ${i + 1} removed.`)
              change(items.toSpliced(i, 1))
            }}
          />
        </div>
      ))}
      <div>
        <SubtleButton
          leftSection={<IconPlus size={16} aria-hidden />}
          aria-label={`${add}, ${of}`}
          data-focus="add"
          onClick={() => {
            focusNext(`row-${items.length}`)
            change([...items, added])
          }}
        >
          {add}
        </SubtleButton>
      </div>
    </fieldset>
  )
}

const formatPointsInput = (points: number) => (Number.isFinite(points) ? formatPoints(points) : '')

/** Accepts a comma. Text that is no number stays as an error. */
export function RubricPointsField(props: {
  label: string
  points: number
  change: (points: number) => void
  error?: string | undefined
  focusName?: string
}) {
  const { label, points, change, error, focusName } = props
  const [typed, setTyped] = useState(() => formatPointsInput(points))
  const meant = Number.parseFloat(typed.replace(',', '.'))
  const value =
    Object.is(meant, points) || (Number.isNaN(points) && Number.isNaN(meant)) ? typed : formatPointsInput(points)
  return (
    <TextInput
      className={fieldsClasses.points}
      label={label}
      inputMode="decimal"
      data-focus={focusName}
      value={value}
      error={error}
      // Reached by Tab, what is typed replaces it.
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const next = text.replace(',', '.').trim()
        change(next === '' ? Number.NaN : Number(next))
      }}
    />
  )
}
