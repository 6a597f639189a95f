import { type AnswerRegion, type Criterion, type Question, QuestionKind, type Rubric } from '@assay/shared/rubrics.ts'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconPencil, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { MathTextarea } from '../../../components/math/MathTextarea.tsx'
import { useRowFocus } from '../../../lib/hooks/useRowFocus.ts'
import { useRubricPapers } from '../papers/useRubricPapers.tsx'
import { type DraftErrors, moveItem, newCriterion, questionKinds } from '../rubric-draft.ts'
import type { QuestionPart } from '../rubric-parts.ts'
import { CriterionFields } from './CriterionFields.tsx'
import fields from './Fields.module.css'
import { IconButton } from './IconButton.tsx'
import classes from './QuestionFields.module.css'
import { SplitPartsModal } from './SplitPartsModal.tsx'

interface Props {
  rubric: Rubric
  question: Question
  change: (question: Question) => void
  split: (parts: QuestionPart[]) => void
  errors: DraftErrors
  /** Where its errors are: `questions.2`. */
  at: string
}

export function QuestionFields({ rubric, question, change, split, errors, at }: Props) {
  const { criteria } = question
  const { root, focusNext } = useRowFocus<HTMLDivElement>()
  const announce = useAnnounce()
  const [splitting, setSplitting] = useState(false)
  const set = (part: Partial<Question>) => change({ ...question, ...part })
  const setCriteria = (next: Criterion[]) => set({ criteria: next })

  function move({ id }: Criterion, from: number, to: number) {
    const buttons = [`up-criterion-${id}`, `down-criterion-${id}`]
    focusNext(...(to < from ? buttons : buttons.reverse()))
    announce(`Criterion ${from + 1} moved to position ${to + 1} of ${criteria.length}.`)
    setCriteria(moveItem(criteria, from, to))
  }

  function remove(index: number) {
    const near = [criteria[index + 1], criteria[index - 1]].filter((one) => one !== undefined)
    focusNext(...near.map(({ id }) => `remove-criterion-${id}`), 'add-criterion')
    announce(`Criterion ${index + 1} removed.`)
    setCriteria(criteria.toSpliced(index, 1))
  }

  return (
    <div className={classes.root} ref={root}>
      <div className={classes.top}>
        <TextInput
          className={classes.number}
          label="Number"
          description="As printed on the paper."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          data-focus={`number-${question.id}`}
          value={question.number}
          error={errors[`${at}.number`]}
          onChange={(event) => set({ number: event.currentTarget.value })}
        />
        <NativeSelect
          className={classes.kind}
          label="Kind of answer"
          description={questionKinds[question.kind].judged}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={question.kind}
          data={QuestionKind.options.map((kind) => ({ value: kind, label: questionKinds[kind].label }))}
          onChange={(event) => {
            const kind = QuestionKind.safeParse(event.currentTarget.value)
            if (kind.success) set({ kind: kind.data })
          }}
        />
      </div>
      <Checkbox
        label="Bonus question"
        description="Its points come on top of the total."
        checked={question.bonus ?? false}
        onChange={(event) => {
          const { bonus: _, ...rest } = question
          change(event.currentTarget.checked ? { ...rest, bonus: true } : rest)
        }}
      />
      <MathTextarea
        label="Question"
        description="As printed on the paper. Editing this does not change the paper."
        value={question.prompt}
        minRows={2}
        maxRows={12}
        error={errors[`${at}.prompt`]}
        onChange={(event) => set({ prompt: event.currentTarget.value })}
      />
      {criteria.map((criterion, i) => (
        <CriterionFields
          key={criterion.id}
          question={question}
          criterion={criterion}
          index={i}
          count={criteria.length}
          change={(next) => setCriteria(criteria.with(i, next))}
          move={(to) => move(criterion, i, to)}
          remove={() => remove(i)}
          errors={errors}
          at={`${at}.criteria.${i}`}
        />
      ))}
      <div className="button-row">
        <SecondaryButton
          leftSection={<IconPlus size={16} aria-hidden />}
          data-focus="add-criterion"
          onClick={() => {
            const criterion = newCriterion(rubric, question.id)
            focusNext(`points-${criterion.id}`)
            setCriteria([...criteria, criterion])
          }}
        >
          Add a criterion
        </SecondaryButton>
        <SecondaryButton onClick={() => setSplitting(true)}>Split into parts…</SecondaryButton>
      </div>
      <SplitPartsModal
        opened={splitting}
        close={() => setSplitting(false)}
        rubric={rubric}
        question={question}
        split={split}
      />
      <RegionFields question={question} change={(regions) => set({ regions })} errors={errors} at={`${at}.regions`} />
      <MathTextarea
        label="Notes to the grader"
        description="What to accept and what to look for. Students never see these notes."
        value={question.notes ?? ''}
        maxRows={8}
        error={errors[`${at}.notes`]}
        onChange={(event) => {
          const { notes: _, ...rest } = question
          const notes = event.currentTarget.value
          change(notes === '' ? rest : { ...rest, notes })
        }}
      />
    </div>
  )
}

const MM_PER_POINT = 25.4 / 72

/** In points: of usual size near the top of the first page. */
const FIRST_AREA: AnswerRegion = { page: 1, box: { x: 57, y: 142, width: 482, height: 85 }, drawn: true }

interface RegionFieldsProps {
  question: Question
  change: (regions: AnswerRegion[]) => void
  errors: DraftErrors
  at: string
}

function RegionFields({ question, change, errors, at }: RegionFieldsProps) {
  const { regions } = question
  const { blankPages, drawRegion } = useRubricPapers()
  const announce = useAnnounce()
  return (
    <fieldset className={fields.list} aria-label="Answer areas">
      <legend>Answer area on the blank</legend>
      {regions.map(({ page, box }, i) => {
        const name = `answer area ${i + 1}`
        const put = (place: Pick<AnswerRegion, 'page' | 'box'>) => change(regions.with(i, { ...place, drawn: true }))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: areas have no names of their own, and keep their order
          <div className={classes.region} key={i}>
            <div className={classes.numbers}>
              <NumberField
                label="Page"
                name={name}
                value={page}
                least={1}
                most={blankPages ?? undefined}
                error={errors[`${at}.${i}.page`]}
                change={(next) => put({ page: next, box })}
              />
              {sides.map(([side, label, least]) => (
                <NumberField
                  key={side}
                  label={`${label} (mm)`}
                  name={name}
                  value={box[side] * MM_PER_POINT}
                  least={least}
                  error={errors[`${at}.${i}.box.${side}`]}
                  change={(mm) => put({ page, box: { ...box, [side]: mm / MM_PER_POINT } })}
                />
              ))}
            </div>
            <IconButton
              label={`Remove ${name}`}
              Icon={IconX}
              onClick={() => {
                announce(`Answer area ${i + 1} removed.`)
                change(regions.toSpliced(i, 1))
              }}
            />
          </div>
        )
      })}
      <div className={classes.buttons}>
        <SubtleButton leftSection={<IconPencil size={16} aria-hidden />} onClick={() => drawRegion(question)}>
          Draw on the page
        </SubtleButton>
        {regions.length === 0 && <SubtleButton onClick={() => change([FIRST_AREA])}>Enter the position</SubtleButton>}
      </div>
    </fieldset>
  )
}

/** With the least each may be, in mm. */
const sides = [
  ['x', 'Left', 0],
  ['y', 'Top', 0],
  ['width', 'Width', 1],
  ['height', 'Height', 1],
] as const

interface NumberFieldProps {
  label: string
  name: string
  value: number
  least: number
  most?: number | undefined
  error: string | undefined
  change: (value: number) => void
}

const parseNumber = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')))

/** Arrow keys step it. An invalid text stays, with its error. */
function NumberField({ label, name, value, least, most, error, change }: NumberFieldProps) {
  const [typed, setTyped] = useState('')
  const meant = parseNumber(typed)
  const isTyped = Number.isNaN(value) ? Number.isNaN(meant) : Math.abs(meant - value) < 1e-6
  const shown = Number.isNaN(value) ? '' : String(Math.round(value))
  return (
    <TextInput
      size="xs"
      label={label}
      aria-label={`${label}, ${name}`}
      inputMode="decimal"
      value={isTyped ? typed : shown}
      error={!(value >= least) ? `At least ${least}` : most !== undefined && value > most ? `At most ${most}` : error}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        change(parseNumber(text))
      }}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
        if (step === 0) return
        event.preventDefault()
        const next = Math.max(least, Math.round(Number.isNaN(value) ? least : value) + step)
        change(Math.min(next, most ?? next))
      }}
    />
  )
}
