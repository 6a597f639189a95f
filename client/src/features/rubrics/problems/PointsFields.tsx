import type { Question } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { RubricPointsField } from '../editor/RubricPointsField.tsx'
import { setPoints } from '../rubric-fixes.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import classes from './ProblemsPanel.module.css'

interface Props {
  questions: readonly Question[]
  draft: RubricDraft
  label: string
}

/** Points that are set at once: the problem would be gone from under the typing hand with the first digit. */
export function PointsFields({ questions, draft, label }: Props) {
  const [typed, setTyped] = useState<Record<string, number>>({})
  const isWrong = ({ id }: Question) => id in typed && !((typed[id] ?? 0) > 0)
  const valid = !questions.some(isWrong)
  return (
    <form
      className={classes.points}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (!valid) return
        draft.update((rubric) =>
          Object.entries(typed).reduce((now, [id, points]) => setPoints(now, id, points), rubric),
        )
        setTyped({})
      }}
    >
      {questions.map((question) => (
        <RubricPointsField
          key={question.id}
          label={`Question ${question.number}`}
          points={typed[question.id] ?? questionPoints(question)}
          error={isWrong(question) ? 'More than 0' : undefined}
          change={(points) => setTyped((now) => ({ ...now, [question.id]: points }))}
        />
      ))}
      <Button type="submit" variant="default" size="compact-sm" disabled={!valid || Object.keys(typed).length === 0}>
        Set points
      </Button>
    </form>
  )
}
