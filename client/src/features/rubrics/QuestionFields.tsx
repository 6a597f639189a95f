import { type Criterion, type Question, QuestionKind, type Rubric } from '@assay/shared/rubrics.ts'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { CriterionFields } from './CriterionFields.tsx'
import classes from './QuestionFields.module.css'
import { type DraftErrors, kinds, moved, newCriterion, replaced, without } from './rubric-draft.ts'

interface Props {
  rubric: Rubric
  question: Question
  change: (question: Question) => void
  errors: DraftErrors
  /** Where its errors stand: `questions.2`. */
  at: string
}

/** Everything about one question. */
export function QuestionFields({ rubric, question, change, errors, at }: Props) {
  const { criteria } = question
  const set = (part: Partial<Question>) => change({ ...question, ...part })
  const setCriteria = (next: Criterion[]) => set({ criteria: next })
  return (
    <div className={classes.root}>
      <div className={classes.top}>
        <TextInput
          className={classes.number}
          label="Number"
          value={question.number}
          error={errors[`${at}.number`]}
          onChange={(event) => set({ number: event.currentTarget.value })}
        />
        <NativeSelect
          className={classes.kind}
          label="Kind of answer"
          description={kinds[question.kind].judged}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={question.kind}
          data={QuestionKind.options.map((kind) => ({ value: kind, label: kinds[kind].label }))}
          onChange={(event) => {
            const kind = QuestionKind.safeParse(event.currentTarget.value)
            if (kind.success) set({ kind: kind.data })
          }}
        />
      </div>
      <Textarea
        label="Question"
        description="As the paper prints it. Other words here do not change the paper."
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
          criterion={criterion}
          index={i}
          count={criteria.length}
          change={(next) => setCriteria(replaced(criteria, i, next))}
          move={(to) => setCriteria(moved(criteria, i, to))}
          remove={() => setCriteria(without(criteria, i))}
          errors={errors}
          at={`${at}.criteria.${i}`}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setCriteria([...criteria, newCriterion(rubric, question.id)])}
        >
          Add a criterion
        </Button>
      </div>
      <Textarea
        label="Notes to the grader"
        description="What to accept, what to look for. Students never see them."
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
