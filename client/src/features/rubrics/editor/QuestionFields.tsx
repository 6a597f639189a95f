import { type Criterion, type Question, QuestionKind, type Rubric } from '@assay/shared/rubrics.ts'
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { type DraftErrors, moveItem, newCriterion, questionKinds, removeItem, replaceItem } from '../rubric-draft.ts'
import type { QuestionPart } from '../rubric-parts.ts'
import { CriterionFields } from './CriterionFields.tsx'
import classes from './QuestionFields.module.css'
import { RegionFields } from './RegionFields.tsx'
import { SplitPartsModal } from './SplitPartsModal.tsx'
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
  const [splitting, setSplitting] = useState(false)
  const set = (part: Partial<Question>) => change({ ...question, ...part })
  const setCriteria = (next: Criterion[]) => set({ criteria: next })

  function move({ id }: Criterion, from: number, to: number) {
    focusNext(...(to < from ? [`up-${id}`, `down-${id}`] : [`down-${id}`, `up-${id}`]))
    announce(`Criterion ${from + 1} moved to position ${to + 1} of ${criteria.length}.`)
    setCriteria(moveItem(criteria, from, to))
  }

  function remove(index: number) {
    const near = [criteria[index + 1], criteria[index - 1]].filter((one) => one !== undefined)
    focusNext(...near.map(({ id }) => `remove-criterion-${id}`), 'add-criterion')
    announce(`Criterion ${index + 1} removed.`)
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
          remove={() => remove(i)}
          errors={errors}
          at={`${at}.criteria.${i}`}
        />
      ))}
      <div className="button-row">
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
