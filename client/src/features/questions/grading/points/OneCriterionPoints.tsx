import type { Criterion } from '@assay/shared/rubrics.ts'
import { Button, TextInput } from '@mantine/core'
import { formatPoints } from '../../../../lib/format.ts'
import { draftError, type PointsDraft, pointSteps } from '../points-draft.ts'
import classes from './PointsPanel.module.css'

interface Props {
  criterion: Criterion
  draft: PointsDraft
  setDraft: (draft: PointsDraft) => void
  give: (draft: PointsDraft) => void
}

/** A button for each of the points, and a field for any others. */
export function OneCriterionPoints({ criterion, draft, setDraft, give }: Props) {
  const { id, points } = criterion
  return (
    <div className={classes.pad}>
      <TextInput
        className={classes.field}
        aria-label={`Points, of ${formatPoints(points)}`}
        inputMode="decimal"
        autoComplete="off"
        value={draft[id] ?? ''}
        onChange={(event) => setDraft({ ...draft, [id]: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') give(draft)
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
        error={draftError(draft, criterion)}
        rightSection={<span className={classes.most}>/ {formatPoints(points)}</span>}
        rightSectionWidth={52}
      />
      <fieldset className={classes.steps}>
        <legend className={classes.unsaid}>Give points at once</legend>
        {pointSteps(criterion).map((step) => (
          <Button
            key={step}
            variant="default"
            className={classes.step}
            aria-label={`Give ${formatPoints(step)}`}
            onClick={() => give({ [id]: formatPoints(step) })}
          >
            {formatPoints(step)}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}
