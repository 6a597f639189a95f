import type { Criterion } from '@assay/shared/rubrics.ts'
import { ActionIcon, TextInput } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatPoints } from '../../../../lib/format.ts'
import { parseScore } from '../../../grades/grade-form.ts'
import { draftError, type PointsDraft, stepDraft, toggleDraft } from '../points-draft.ts'
import classes from './PointsPanel.module.css'

interface Props {
  criterion: Criterion
  /** Its key, for the first nine. */
  number: number
  active: boolean
  activate: () => void
  draft: PointsDraft
  setDraft: (draft: PointsDraft) => void
  give: () => void
  /** Its rubric items. */
  children?: ReactNode
}

/** One of several criteria: all or nothing by its name, more or less by steps. */
export function CriterionPointsRow({ criterion, number, active, activate, draft, setDraft, give, children }: Props) {
  const { id, text, points } = criterion
  const change = (next: PointsDraft) => {
    activate()
    setDraft(next)
  }
  return (
    <li className={classes.criterion} data-active={active || undefined}>
      <button
        type="button"
        className={classes.toggle}
        aria-pressed={parseScore(draft[id] ?? '') === points}
        aria-keyshortcuts={number <= 9 ? String(number) : undefined}
        onClick={() => change(toggleDraft(draft, criterion))}
      >
        {number <= 9 && <kbd>{number}</kbd>}
        <span>{text}</span>
      </button>
      <span className={classes.stepper}>
        <ActionIcon
          variant="default"
          size={32}
          aria-label={`Fewer points for “${text}”`}
          onClick={() => change(stepDraft(draft, criterion, false))}
        >
          <IconMinus size={16} />
        </ActionIcon>
        <TextInput
          aria-label={`Points for “${text}”, of ${formatPoints(points)}`}
          className={classes.small}
          inputMode="decimal"
          autoComplete="off"
          value={draft[id] ?? ''}
          onFocus={activate}
          onChange={(event) => change({ ...draft, [id]: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') give()
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
          error={draftError(draft, criterion)}
        />
        <ActionIcon
          variant="default"
          size={32}
          aria-label={`More points for “${text}”`}
          onClick={() => change(stepDraft(draft, criterion, true))}
        >
          <IconPlus size={16} />
        </ActionIcon>
        <span className={classes.most}>/ {formatPoints(points)}</span>
      </span>
      <div className={classes.items}>{children}</div>
    </li>
  )
}
