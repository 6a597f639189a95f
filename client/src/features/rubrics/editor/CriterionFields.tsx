import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import { Button, Textarea } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconKey, IconTrash } from '@tabler/icons-react'
import { useRubricPapers } from '../papers/rubric-papers.tsx'
import type { DraftErrors } from '../rubric-draft.ts'
import { AlternativesField } from './AlternativesField.tsx'
import classes from './CriterionFields.module.css'
import { IconButton } from './IconButton.tsx'
import { LevelsField } from './LevelsField.tsx'
import { RubricPointsField } from './RubricPointsField.tsx'

interface Props {
  question: Question
  criterion: Criterion
  /** Its place among its question's, from 0, and how many there are. */
  index: number
  count: number
  change: (criterion: Criterion) => void
  move: (to: number) => void
  remove: () => void
  errors: DraftErrors
  /** Where its errors stand: `questions.2.criteria.0`. */
  at: string
}

/** One thing points are given for. */
export function CriterionFields({ question, criterion, index, count, change, move, remove, errors, at }: Props) {
  const name = `criterion ${index + 1}`
  const { pickExpected } = useRubricPapers()
  const set = (part: Partial<Criterion>) => change({ ...criterion, ...part })
  return (
    <fieldset className={classes.root} aria-label={`Criterion ${index + 1}`}>
      {count > 1 && (
        <div className={classes.head}>
          <h4>Criterion {index + 1}</h4>
          <IconButton
            label={`Move ${name} up`}
            focusName={`up-${criterion.id}`}
            Icon={IconArrowUp}
            disabled={index === 0}
            onClick={() => move(index - 1)}
          />
          <IconButton
            label={`Move ${name} down`}
            focusName={`down-${criterion.id}`}
            Icon={IconArrowDown}
            disabled={index === count - 1}
            onClick={() => move(index + 1)}
          />
          <IconButton
            label={`Remove ${name}`}
            focusName={`remove-criterion-${criterion.id}`}
            Icon={IconTrash}
            onClick={remove}
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
        <Textarea
          className={classes.text}
          label="Criterion"
          value={criterion.text}
          autosize
          minRows={1}
          maxRows={6}
          error={errors[`${at}.text`]}
          onChange={(event) => set({ text: event.currentTarget.value })}
        />
      </div>
      <Textarea
        label="Expected answer"
        data-focus={`expected-${criterion.id}`}
        value={criterion.expected}
        autosize
        minRows={1}
        maxRows={10}
        error={errors[`${at}.expected`]}
        onChange={(event) => set({ expected: event.currentTarget.value })}
      />
      <div>
        <Button
          variant="subtle"
          leftSection={<IconKey size={16} aria-hidden />}
          aria-label={`Pick from the key, ${name}`}
          onClick={() => pickExpected(question, criterion.id)}
        >
          Pick from the key
        </Button>
      </div>
      <AlternativesField
        of={name}
        alternatives={criterion.alternatives}
        change={(alternatives) => set({ alternatives })}
        errors={errors}
        at={`${at}.alternatives`}
      />
      <LevelsField
        of={name}
        levels={criterion.levels ?? []}
        points={criterion.points}
        change={(levels) => set({ levels })}
        errors={errors}
        at={`${at}.levels`}
      />
    </fieldset>
  )
}
