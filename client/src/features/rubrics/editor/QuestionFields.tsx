import { type Criterion, type Question, QuestionKind, type Rubric } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import { type DraftErrors, moveItem, newCriterion, questionKinds, removeItem, replaceItem } from '../rubric-draft.ts'
import { nextNumber, type QuestionPart, suggestedParts } from '../rubric-parts.ts'
import { CriterionFields } from './CriterionFields.tsx'
import { IconButton } from './IconButton.tsx'
import classes from './QuestionFields.module.css'
import { RegionFields } from './RegionFields.tsx'
import { RemovedNotice } from './RemovedNotice.tsx'
import splitPartsModalClasses from './SplitPartsModal.module.css'
import { useRowFocus } from './useRowFocus.ts'

interface Props {
  rubric: Rubric
  question: Question
  change: (question: Question) => void
  split: (parts: QuestionPart[]) => void
  errors: DraftErrors
  /** Where its errors stand: `questions.2`. */
  at: string
}

export function QuestionFields({ rubric, question, change, split, errors, at }: Props) {
  const { criteria } = question
  const { root, focusNext } = useRowFocus<HTMLDivElement>()
  const announce = useAnnounce()
  const [gone, setGone] = useState<{ criterion: Criterion; index: number } | null>(null)
  const [splitting, setSplitting] = useState(false)
  const set = (part: Partial<Question>) => change({ ...question, ...part })
  const setCriteria = (next: Criterion[]) => set({ criteria: next })

  function move({ id }: Criterion, from: number, to: number) {
    focusNext(...(to < from ? [`up-${id}`, `down-${id}`] : [`down-${id}`, `up-${id}`]))
    announce(`Criterion ${from + 1} moved to position ${to + 1} of ${criteria.length}.`)
    setCriteria(moveItem(criteria, from, to))
  }

  function remove(criterion: Criterion, index: number) {
    const near = [criteria[index + 1], criteria[index - 1]].filter((one) => one !== undefined)
    focusNext(...near.map(({ id }) => `remove-criterion-${id}`), 'add-criterion')
    announce(`Criterion ${index + 1} removed.`)
    setGone({ criterion, index })
    setCriteria(removeItem(criteria, index))
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
      <Textarea
        label="Question"
        description="As printed on the paper. Editing this does not change the paper."
        value={question.prompt}
        autosize
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
          change={(next) => setCriteria(replaceItem(criteria, i, next))}
          move={(to) => move(criterion, i, to)}
          remove={() => remove(criterion, i)}
          errors={errors}
          at={`${at}.criteria.${i}`}
        />
      ))}
      {gone && !criteria.some(({ id }) => id === gone.criterion.id) && (
        <RemovedNotice
          bringBack={() => {
            focusNext(`remove-criterion-${gone.criterion.id}`)
            setCriteria(criteria.toSpliced(Math.min(gone.index, criteria.length), 0, gone.criterion))
            setGone(null)
          }}
        >
          {gone.criterion.text.trim() ? `“${shorten(gone.criterion.text, 60)}”` : 'A criterion'} removed.
        </RemovedNotice>
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          data-focus="add-criterion"
          onClick={() => {
            const criterion = newCriterion(rubric, question.id)
            focusNext(`points-${criterion.id}`)
            setCriteria([...criteria, criterion])
          }}
        >
          Add a criterion
        </Button>
        <Button variant="default" onClick={() => setSplitting(true)}>
          Split into parts…
        </Button>
      </div>
      <SplitPartsModal
        opened={splitting}
        close={() => setSplitting(false)}
        rubric={rubric}
        question={question}
        split={split}
      />
      <RegionFields question={question} change={(regions) => set({ regions })} errors={errors} at={`${at}.regions`} />
      <Textarea
        label="Notes to the grader"
        description="What to accept and what to look for. Students never see these notes."
        value={question.notes ?? ''}
        autosize
        minRows={1}
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

interface SplitPartsModalProps {
  opened: boolean
  close: () => void
  rubric: Rubric
  question: Question
  split: (parts: QuestionPart[]) => void
}

function SplitPartsModal({ opened, close, rubric, question, split }: SplitPartsModalProps) {
  return <ConfirmModalOf key={opened ? 'opened' : 'closed'} {...{ opened, close, rubric, question, split }} />
}

const parsePoints = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')))

function ConfirmModalOf({ opened, close, rubric, question, split }: SplitPartsModalProps) {
  const [parts, setParts] = useState(() =>
    suggestedParts(question).map(({ number, points }, key) => ({ key, number, points: String(points) })),
  )
  const others = rubric.questions.filter(({ id }) => id !== question.id).map(({ number }) => number.trim())
  const numberError = (number: string, i: number) => {
    if (number.trim() === '') return 'Enter a number'
    const taken = [...others, ...parts.slice(0, i).map((part) => part.number.trim())]
    return taken.includes(number.trim()) ? 'Already there' : null
  }
  const pointsError = (points: string) => (parsePoints(points) > 0 ? null : 'More than 0')
  const wrong = parts.some(({ number, points }, i) => numberError(number, i) ?? pointsError(points))
  const total = questionPoints(question)
  const sum = roundPoints(parts.reduce((all, { points }) => all + (parsePoints(points) || 0), 0))
  const set = (i: number, part: Partial<(typeof parts)[number]>) =>
    setParts(parts.map((one, j) => (j === i ? { ...one, ...part } : one)))
  return (
    <ConfirmModal
      opened={opened}
      close={close}
      title={`Split question ${question.number} into parts`}
      confirmLabel="Split"
      disabled={wrong}
      onConfirm={async () =>
        split(parts.map(({ number, points }) => ({ number: number.trim(), points: parsePoints(points) })))
      }
    >
      <p className={splitPartsModalClasses.about}>
        The question and its expected answer are divided where they have these numbers, such as “a)”. Check each part
        afterwards.
      </p>
      <ul className={splitPartsModalClasses.parts} aria-label="Parts">
        {parts.map((part, i) => (
          <li key={part.key}>
            <TextInput
              label="Number"
              aria-label={`Number of part ${i + 1}`}
              value={part.number}
              error={numberError(part.number, i)}
              onChange={(event) => set(i, { number: event.currentTarget.value })}
            />
            <TextInput
              label="Points"
              aria-label={`Points of part ${i + 1}`}
              onFocus={(event) => event.currentTarget.select()}
              inputMode="decimal"
              value={part.points}
              error={pointsError(part.points)}
              onChange={(event) => set(i, { points: event.currentTarget.value })}
            />
            {parts.length > 2 && (
              <span className={splitPartsModalClasses.remove}>
                <IconButton
                  label={`Remove part ${i + 1}`}
                  Icon={IconX}
                  onClick={() => setParts(parts.filter((_, j) => j !== i))}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      <div className={splitPartsModalClasses.foot}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => {
            const last = parts.at(-1)
            const key = 1 + Math.max(...parts.map((part) => part.key))
            setParts([...parts, { key, number: nextNumber(last?.number ?? ''), points: last?.points ?? '1' }])
          }}
        >
          Add a part
        </Button>
        <span role="status" className={splitPartsModalClasses.sum}>
          {sum === total ? `${plural(total, 'point')} in total` : `${sum} of the question’s ${plural(total, 'point')}`}
        </span>
      </div>
    </ConfirmModal>
  )
}
